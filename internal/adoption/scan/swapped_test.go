package scan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const swappedSource = `// Package swapped has methods with the types of a recorder's methods.
package swapped

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
)

// swapping has a method with the types of a recorder's method. Its names have other meanings.
type swapping struct{ recorder events.EventRecorder }

func (s *swapping) Event(object runtime.Object, eventtype, action, reason string) {
	s.recorder.Eventf(object, nil, eventtype, reason, action, "done") //: in-wrapper ?eventtype ?reason dynamic "done"
}

// nameless has such a method too. Only its body tells the meanings.
type nameless struct{ recorder events.EventRecorder }

func (n *nameless) Event(object runtime.Object, a, b, c string) {
	n.recorder.Eventf(object, nil, a, c, b, "done") //: in-wrapper ?a ?c dynamic "done"
}

// proxy has the method of a recorder, with its meanings, on a recorder of the other API.
type proxy struct{ recorder events.EventRecorder }

func (p *proxy) Event(object runtime.Object, eventtype, reason, message string) {
	p.recorder.Eventf(object, nil, eventtype, reason, "Act", message) //: in-wrapper ?eventtype ?reason dynamic "%s"
}

// named has the meanings of swapping. Only its names tell them.
type named interface {
	Event(object runtime.Object, eventtype, action, reason string)
}

func throughInterface(n named, pod *corev1.Pod) {
	n.Event(pod, corev1.EventTypeNormal, "Scaling", "Scaled") //: through-wrapper Normal Scaled literal "done"
}

func swapped(s *swapping, n *nameless, p *proxy, pod *corev1.Pod) {
	s.Event(pod, corev1.EventTypeNormal, "Scaling", "ScaledUp")        //: through-wrapper Normal ScaledUp literal "done"
	n.Event(pod, corev1.EventTypeWarning, "Scaling", "ScaledDown")     //: through-wrapper Warning ScaledDown literal "done"
	p.Event(pod, corev1.EventTypeWarning, "ScalingFailed", "no quota") //: through-wrapper Warning ScalingFailed literal "no quota"
}
`

// TestSwapped: scan does not read a program's own method with the meanings of a recorder's method,
// if the names of its parameters or its body show other meanings.
func TestSwapped(t *testing.T) {
	dir := module(t)
	if err := os.Mkdir(filepath.Join(dir, "swapped"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "swapped", "swapped.go"), []byte(swappedSource), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Read(t.Context(), Options{Dir: dir, Patterns: []string{"./swapped"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Program(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, dir, p, func(file string) bool { return strings.HasPrefix(file, "swapped/") })
}
