// Package values has a variable of each sort that calls record, for tests that read expressions of them.
package values

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Loud is text with a String method.
type Loud string

// String is in capitals.
func (l Loud) String() string { return strings.ToUpper(string(l)) }

// Count is a number without methods, Level one with a String method, and Flag a boolean.
type (
	Count int32
	Level int
	Flag  bool
)

// String is the level's name.
func (l Level) String() string {
	if l < 0 {
		panic("no such level")
	}
	return "level\x01"[:min(5+int(l)%2, 6)]
}

// Shy has its String method on the pointer.
type Shy struct{ Text string }

// String is the text.
func (s *Shy) String() string { return s.Text }

// Odd is an error whose Format method shows something else.
type Odd struct{ Text string }

// Error is the text.
func (o Odd) Error() string { return o.Text }

// Format is another one.
func (o Odd) Format(s fmt.State, _ rune) { fmt.Fprint(s, "odd ", o.Text) }

// Failing is an error that needs a pointer that is not nil.
type Failing struct{ Text string }

// Error is the text.
func (f *Failing) Error() string { return f.Text }

// Both is an error and a Stringer, which say different things.
type Both struct{ Text string }

// Error is what fmt prefers.
func (b Both) Error() string { return "error " + b.Text }

// String is the text.
func (b Both) String() string { return b.Text }

// The variables.
var (
	S, S2    string
	Phase    corev1.PodPhase
	Word     Loud
	Bytes    []byte
	I        int
	I32      int32
	I64      int64
	U32      uint32
	N        Count
	L        Level
	B        bool
	FlagB    Flag
	F        float64
	F32      float32
	D        time.Duration
	T        time.Time
	MT       metav1.Time
	Err      error
	Fail     *Failing
	List     []string
	NN       types.NamespacedName
	UID      types.UID
	Q        resource.Quantity
	Str      fmt.Stringer
	S3       Shy
	Mixed    Both
	Any      any
	Pod      *corev1.Pod
	Node     *corev1.Node
	NodeV    corev1.Node
	Recorded = strings.Join(List, ",")
)

// Next is a function that may do something.
func Next() string { return S }
