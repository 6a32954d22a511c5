package eventrt

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// Enum holds the texts of an enum's values: the index is the value, and index 0 is empty. Generated
// code has one for each enum of a catalog, whose Go type is an integer type with constants from 1.
// So neither a string literal nor a misspelt constant compiles as a value.
type Enum[T ~int] []string

// Arg is an argument of the enum's type, shown as its text. A value that the enum does not have,
// such as 0, makes the event one that can't be recorded (problems.UnknownValue), unless it is 0 and
// the param is optional.
func (e Enum[T]) Arg(v T) Arg {
	if e.has(v) {
		return Arg{kind: argText, text: e[v]}
	}
	return Arg{kind: argUnknown, text: e.Text(v), num: uint64(v)}
}

func (e Enum[T]) has(v T) bool { return 0 < v && int(v) < len(e) }

// Text returns the text of a value; the type's name and the number for a value that the enum does
// not have: Mood(7).
func (e Enum[T]) Text(v T) string {
	if e.has(v) {
		return e[v]
	}
	return reflect.TypeFor[T]().Name() + "(" + strconv.Itoa(int(v)) + ")"
}

// Parse returns the value with a text. It returns 0 and false if there is none.
func (e Enum[T]) Parse(text string) (T, bool) {
	v := slices.Index(e, text)
	return T(max(v, 0)), v > 0
}

// Marshal returns the text of a value, for the method MarshalText of T. It is an error if the enum
// does not have the value.
func (e Enum[T]) Marshal(v T) ([]byte, error) {
	if !e.has(v) {
		return nil, fmt.Errorf("%s is no value of the enum: expected one of %q", e.Text(v), e[1:])
	}
	return []byte(e[v]), nil
}

// Unmarshal sets v to the value with a text, for the method UnmarshalText of T. It is an error if
// there is none; v stays as it is then.
func (e Enum[T]) Unmarshal(v *T, text []byte) error {
	parsed, ok := e.Parse(string(text))
	if !ok {
		return fmt.Errorf("%q is no %s: expected one of %q", text, reflect.TypeFor[T]().Name(), e[1:])
	}
	*v = parsed
	return nil
}
