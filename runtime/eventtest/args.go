package eventtest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Args matches an event by its arguments, in the order of the catalog's params. Each is Any or a
// value of the param's type, compared as the event keeps it: cut to its bound, and a sensitive
// param not at all. A list is compared as joined by ", "; for another separator give Joined. An
// eventrt.Arg is always accepted.
func Args(values ...any) Matcher { return args(values) }

// ArgsOrAny is Args with Any in place of nil.
func ArgsOrAny(values ...any) Matcher {
	list := slices.Clone(values)
	for i, v := range list {
		if v == nil {
			list[i] = Any
		}
	}
	return args(list)
}

// Joined is a value for Args: a list ([]string) of a param with this separator. Other values, such
// as Any, stay as they are.
func Joined(value any, separator string) any {
	if list, ok := value.([]string); ok {
		return eventrt.Strings(list, separator)
	}
	return value
}

type args []any

func (a args) Mismatch(r *Recorded) (d []string) {
	got := r.Emitted.Args()
	if len(a) != len(got) {
		return []string{fmt.Sprintf("expected %d arguments, recorded %d", len(a), len(got))}
	}
	for i, value := range a {
		if value != Any && !matchesArg(&r.Emitted, i, value) {
			d = append(d, fmt.Sprintf("param %s: %s", r.Emitted.Definition().Params[i].Name, unequal(value, &got[i], paramText(&r.Emitted, i))))
		}
	}
	return d
}

// unequal shows the expected and the recorded value, with their types if both look alike.
func unequal(value any, got *eventrt.Arg, text string) string {
	want, recorded := valueText(value), fmt.Sprintf("%q", text)
	if strings.Trim(want, `"`) != text {
		return fmt.Sprintf("expected %s, recorded %s", want, recorded)
	}
	wantType := fmt.Sprintf("%T", value)
	if arg, ok := value.(eventrt.Arg); ok {
		wantType = internals.TypeOf(arg)
	}
	if internals.TypeOf(*got) != "string" {
		recorded = text
	}
	return fmt.Sprintf("expected %s (%s), recorded %s (%s)", want, wantType, recorded, internals.TypeOf(*got))
}

func (a args) String() string {
	parts := make([]string, len(a))
	for i, v := range a {
		parts[i] = valueText(v)
	}
	return "args (" + strings.Join(parts, ", ") + ")"
}

func valueText(v any) string {
	switch v := v.(type) {
	case wildcard:
		return v.String()
	case eventrt.Arg:
		return fmt.Sprintf("%q", argText(v))
	case nil:
		return "nil"
	case int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64, float32, float64, bool:
		return fmt.Sprint(v)
	}
	if s := stringer(v); s != nil {
		v = s
	}
	return fmt.Sprintf("%q", fmt.Sprint(v))
}

func argText(a eventrt.Arg) string {
	def := eventrt.Definition{Params: []eventrt.Param{{}}, Message: []eventrt.Segment{{Value: eventrt.ParamValue}}}
	return string(internals.AppendMessage(nil, &def, &eventrt.ObjectRef{}, &eventrt.ObjectRef{}, []eventrt.Arg{a}))
}

// matchesArg has the value go the way that the argument went.
func matchesArg(e *eventrt.Event, i int, value any) bool {
	for _, candidate := range candidates(value) {
		list := append([]eventrt.Arg(nil), e.Args()...)
		list[i] = candidate
		if expected := eventrt.NewEvent(e.Definition(), *e.Regarding(), *e.Related(), list...); expected.Args()[i] == e.Args()[i] {
			return true
		}
	}
	return false
}

// candidates are the arguments that generated code may have made of a value; the catalog says which
// it is.
func candidates(value any) (list []eventrt.Arg) {
	switch v := value.(type) {
	case nil:
		return []eventrt.Arg{eventrt.Error(nil)}
	case eventrt.Arg:
		return []eventrt.Arg{v}
	case time.Duration:
		return []eventrt.Arg{eventrt.Duration(v)}
	case time.Time:
		return []eventrt.Arg{eventrt.Time(v)}
	case types.NamespacedName:
		return []eventrt.Arg{eventrt.NamespacedName(v)}
	case resource.Quantity:
		return []eventrt.Arg{eventrt.Quantity(v)}
	case []string:
		return []eventrt.Arg{eventrt.Strings(v, ", ")}
	}
	if err, ok := value.(error); ok {
		list = append(list, eventrt.Error(err))
	}
	if s := stringer(value); s != nil {
		list = append(list, eventrt.Stringer(s))
	}
	if o, ok := value.(k8sruntime.Object); ok {
		list = append(list, eventrt.ObjectName(o))
	}
	return append(list, scalars(reflect.ValueOf(value))...)
}

// stringer returns the value or its address, whichever has a String method; nil if neither has one.
func stringer(value any) fmt.Stringer {
	if s, ok := value.(fmt.Stringer); ok {
		return s
	}
	address := reflect.New(reflect.TypeOf(value))
	address.Elem().Set(reflect.ValueOf(value))
	s, _ := address.Interface().(fmt.Stringer)
	return s
}

func scalars(v reflect.Value) []eventrt.Arg {
	switch {
	case v.Kind() == reflect.String:
		return []eventrt.Arg{eventrt.String(v.String())}
	case v.Kind() == reflect.Bool:
		return []eventrt.Arg{eventrt.Bool(v.Bool())}
	case v.CanInt():
		return integers(v.Int())
	case v.CanUint():
		return []eventrt.Arg{eventrt.Uint(v.Uint()), eventrt.Float(float64(v.Uint()))}
	case v.CanFloat():
		return []eventrt.Arg{eventrt.Float(v.Float())}
	}
	return nil
}

// integers may be given for params of other number types too, as Go's untyped constants can.
func integers(n int64) []eventrt.Arg {
	list := []eventrt.Arg{eventrt.Int(n), eventrt.Float(float64(n))}
	if n >= 0 {
		list = append(list, eventrt.Uint(uint64(n)))
	}
	return list
}
