package eventrt

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// Arg is an argument of an event, reduced to a value: a scalar, or text. It keeps no pointer of the
// caller's except the bytes of strings, which Go never changes. Args are compared with ==.
type Arg struct {
	text string
	num  uint64
	nsec int32
	kind argKind
}

type argKind uint8

const (
	argAbsent argKind = iota
	argText
	argBool
	argInt
	argUint
	argFloat
	argDuration
	argTime
	argRedacted
	argUnknown // a value that an enum does not have
)

// String is an argument of a string type.
func String[T ~string](v T) Arg { return Arg{kind: argText, text: string(v)} }

// Bool is an argument of a boolean type.
func Bool[T ~bool](v T) Arg {
	a := Arg{kind: argBool}
	if v {
		a.num = 1
	}
	return a
}

// Int is an argument of a signed integer type.
func Int[T ~int | ~int8 | ~int16 | ~int32 | ~int64](v T) Arg {
	return Arg{kind: argInt, num: uint64(int64(v))}
}

// Uint is an argument of an unsigned integer type.
func Uint[T ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](v T) Arg {
	return Arg{kind: argUint, num: uint64(v)}
}

// Float is an argument of a floating-point type.
func Float[T ~float32 | ~float64](v T) Arg {
	return Arg{kind: argFloat, num: math.Float64bits(float64(v))}
}

// Duration is an argument of type time.Duration.
func Duration(v time.Duration) Arg { return Arg{kind: argDuration, num: uint64(v)} }

// The first and the last second whose year has four digits in UTC; every layout of package time
// then has a known length.
const (
	firstSecond = -62167219200 // 0000-01-01T00:00:00Z
	lastSecond  = 253402300799 // 9999-12-31T23:59:59Z
)

// Time is an argument of type time.Time. The message shows it in UTC, without its location. The
// zero time is an absent argument. A time before year 0 or after year 9999 is shown as the first or
// last second of that range.
func Time(v time.Time) Arg {
	switch seconds := v.Unix(); {
	case v.IsZero():
		return Arg{kind: argTime, nsec: -1}
	case seconds < firstSecond:
		return timeOf(firstSecond, 0)
	case seconds > lastSecond:
		return timeOf(lastSecond, 0)
	default:
		return timeOf(seconds, v.Nanosecond())
	}
}

func timeOf(seconds int64, nanoseconds int) Arg {
	return Arg{kind: argTime, num: uint64(seconds), nsec: int32(nanoseconds)}
}

// Error is an argument of type error, rendered at once by its Error method. A nil error is shown as
// <nil>, or not at all if the param is optional. If the method panics, the text is <panic>, or
// <nil> if err holds a nil pointer, because recording must not panic.
func Error(err error) Arg {
	if err == nil {
		return Arg{kind: argAbsent}
	}
	return Arg{kind: argText, text: guarded(err, err.Error)}
}

// Stringer is an argument rendered at once by its String method. A panic of the method is handled
// as in Error.
func Stringer(v interface{ String() string }) Arg {
	if v == nil {
		return Arg{kind: argAbsent}
	}
	return Arg{kind: argText, text: guarded(v, v.String)}
}

// Strings is a list argument, joined at once. Values that begin after the first 1024 bytes are left
// out.
func Strings(values []string, separator string) Arg {
	return Arg{kind: argText, text: join(values, separator)}
}

// Text is the text of an argument that is text, else empty.
func (a *Arg) Text() string { return a.text }

// Raw returns the parts of an argument, for hashes: two arguments are equal if all parts are. The
// parts of Arg{} are zero.
func (internals) Raw(a *Arg) (text string, number, kind uint64) {
	return a.text, a.num, uint64(uint32(a.nsec))<<8 | uint64(a.kind)
}

// CloneArgs returns copies of arguments that share no memory with the caller's texts. The copies of
// all texts are one piece of memory.
func (internals) CloneArgs(args []Arg) []Arg {
	if len(args) == 0 {
		return nil
	}
	size := 0
	for i := range args {
		size += len(args[i].text)
	}
	var all strings.Builder
	all.Grow(size)
	clones := slices.Clone(args)
	for i := range clones {
		from := all.Len()
		all.WriteString(clones[i].text)
		clones[i].text = all.String()[from:]
	}
	return clones
}

// absent reports whether the argument is the zero value of its type, which an optional param does
// not show.
func (a *Arg) absent() bool {
	switch a.kind {
	case argAbsent:
		return true
	case argTime:
		return a.nsec < 0
	}
	return a.text == "" && a.num == 0 && a.kind != argRedacted
}

// guarded returns a value's text. If the method panics on a nil pointer, the text is <nil>, as in
// package fmt.
func guarded(v any, text func() string) (s string) {
	defer func() {
		if recover() == nil {
			return
		}
		if s = "<panic>"; isNilPointer(v) {
			s = "<nil>"
		}
	}()
	return text()
}

func join(values []string, separator string) string {
	var b []byte
	for i, v := range values {
		if i > 0 {
			b = append(b, separator...)
		}
		b = append(b, v...) // whole: Event.Redact looks at it
		if len(b) >= MaxNoteBytes {
			break
		}
	}
	return string(b)
}

// argTypes are the names of the kinds.
var argTypes = [...]string{
	argAbsent: "nil", argText: "string", argBool: "bool", argInt: "int", argUint: "uint", argFloat: "float",
	argDuration: "duration", argTime: "time", argRedacted: "redacted", argUnknown: "unknown value",
}

// TypeOf names the kind of an argument: string, bool, int, uint, float, duration or time; redacted
// for a sensitive argument, nil for an absent one, and unknown value for a value that its enum does
// not have.
func (internals) TypeOf(a Arg) string {
	if int(a.kind) < len(argTypes) {
		return argTypes[a.kind]
	}
	return "unknown"
}

// ClientObject is an object of the API with metadata. Generated code asserts that the types in a
// catalog implement it.
type ClientObject interface {
	k8sruntime.Object
	metav1.Object
}

// NamespacedName is an argument shown as namespace/name. The zero value is an absent argument,
// shown as / unless the param is optional.
func NamespacedName(v types.NamespacedName) Arg {
	if v == (types.NamespacedName{}) {
		return Arg{kind: argAbsent, text: "/"}
	}
	return Arg{kind: argText, text: v.String()}
}

// Quantity is an argument of type resource.Quantity, rendered at once. Zero is an absent argument,
// shown as 0 unless the param is optional.
func Quantity(v resource.Quantity) Arg {
	if v.IsZero() {
		return Arg{kind: argAbsent, text: "0"}
	}
	return Arg{kind: argText, text: guarded(nil, v.String)}
}

// ObjectName is an argument shown as kind/name. The kind comes from the object's TypeMeta, else
// from its Go type. Nil is an absent argument.
func ObjectName(obj k8sruntime.Object) Arg {
	o := AnyObject(obj)
	if !o.present {
		return Arg{kind: argAbsent}
	}
	return Arg{kind: argText, text: o.kindName() + "/" + o.Name}
}

// kindName returns an object's kind, or the name of its Go type if the object does not carry its
// kind.
func (o *ObjectRef) kindName() string {
	if !o.kindless {
		return o.Kind
	}
	t := o.goType()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Name()
}
