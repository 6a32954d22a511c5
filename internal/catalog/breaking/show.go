package breaking

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// nothing is the text of a value that a side does not have.
const nothing = "none"

// show returns the text of a value. Equal texts are equal values.
func (s *side) show(v reflect.Value) string {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nothing
	}
	switch v := v.Interface().(type) {
	case model.GoType:
		return typeName(v, s.pkg)
	case *model.Object:
		return kindName(v)
	case *model.Also:
		return kindName(v.Object)
	case *model.Related:
		return kindName(v.Object)
	case *model.Transition:
		return v.String()
	case *model.Transitions:
		return v.Type
	case *model.Method:
		return v.Name
	case *model.Param:
		return v.Name
	case *model.Definition:
		return variantOf(v)
	case model.Constant:
		return fmt.Sprintf("%s (%q)", v.Name, v.Value)
	case eventrt.AnnotationDefinition:
		return v.Key
	case *eventrt.Limit:
		return v.Name
	case metav1.TypeMeta:
		return cmp.Or(strings.TrimSpace(v.APIVersion+" "+v.Kind), anyKind)
	case *string:
		return strconv.Quote(*v)
	case string:
		if v == "" || strings.ContainsAny(v, " \t\n\"") {
			return quoted(v)
		}
		return v
	default:
		return fmt.Sprint(v)
	}
}

func quoted(s string) string {
	if s == "" {
		return nothing
	}
	return strconv.Quote(s)
}

// forTests returns what the fake is in messages, or nothing if there is none.
func forTests(_ *side, v reflect.Value) string {
	if !v.Bool() {
		return nothing
	}
	return "for tests (the fake)"
}

// added reports whether the older side does not have the value.
func added(_ *site, was, _ reflect.Value) bool { return was.IsZero() }

// either returns a function that shows true and false as texts.
func either(yes, no string) func(*side, reflect.Value) string {
	return func(_ *side, v reflect.Value) string {
		if v.Bool() {
			return yes
		}
		return no
	}
}

var (
	presence = either("that may be nil", "required")
	passed   = either("passed by name", "passed as an object")
	choice   = either("with anyOf", "without anyOf")
	note     = either("latest", "first")
	not      = either("false", "true")
)

// hosts is the text of a value that the program sets, where the catalog sets none.
const hosts = "(the host's)"

func controller(_ *side, v reflect.Value) string { return cmp.Or(v.String(), hosts) }

// unset returns a function that shows zero as a text.
func unset(zero string) func(*side, reflect.Value) string {
	return func(_ *side, v reflect.Value) string {
		if v.IsZero() {
			return zero
		}
		return fmt.Sprint(v)
	}
}

// form returns the way in which callers pass params.
func form(s *side, _ reflect.Value) string {
	if s.event.ArgsType != "" {
		return "fields of a struct"
	}
	return "positional"
}

// methodName leaves out the event's name, because a change of that name is reported separately.
func methodName(s *side, v reflect.Value) string { return strings.TrimPrefix(v.String(), s.event.Name) }

// shownMethod returns methodName for messages.
func shownMethod(s *side, v reflect.Value) string {
	return cmp.Or(methodName(s, v), "(only the event's name)")
}

// keepsConstant reports whether the newer package still has a constant.
func keepsConstant(s *site, was, _ reflect.Value) bool { return hasConstant(s, was.String()) }

func hasConstant(s *site, name string) bool {
	return name == "" || slices.ContainsFunc(s.now.pkg.Reasons, func(c model.Constant) bool { return c.Name == name })
}

// retyped reports whether a param has another type. The type decides the form and the bound.
func retyped(s *site, _, _ reflect.Value) bool {
	return typeName(s.old.param.GoType, s.old.pkg) != typeName(s.now.param.GoType, s.now.pkg)
}

// followsReason reports whether the action is the reason on both sides. The finding about the
// reason tells it.
func followsReason(s *site, _, _ reflect.Value) bool { return action(s) != "" }

// action tells that the action follows the reason.
func action(s *site) string {
	if s.old.actsAsReason() && s.now.actsAsReason() {
		return ", and the action with it"
	}
	return ""
}

// constants tells that constants follow the name of an enum's type.
func constants(s *site) string {
	if was, is := s.old.param.Enum, s.now.param.Enum; was == nil || is == nil || was.Type == is.Type {
		return ""
	}
	return ", and the names of its constants with it"
}

func (s *side) actsAsReason() bool {
	return s.definition != nil && s.definition.Runtime.Action == s.definition.Runtime.Reason
}

// bound returns the bound of a param whose text the run time cuts. Enums, numbers and times are
// never cut.
func bound(s *side, v reflect.Value) string {
	if s.param.Enum != nil || !s.param.Text() && s.param.Convert != "Float" {
		return ""
	}
	if v.Int() == 0 {
		return nothing
	}
	return fmt.Sprint(v.Int())
}

func precision(_ *side, v reflect.Value) string {
	if v.Int() == 0 {
		return nothing
	}
	return fmt.Sprint(v.Int() - 1)
}

// correlationKey returns the names of the params of the correlation key. Its value has the params
// outside. A sensitive param tells no occurrences apart, except whether an optional one is there.
func correlationKey(s *side, v reflect.Value) string {
	return cmp.Or(strings.Join(keyParams(s, v.Uint()), ", "), "(no params)")
}

func keyParams(s *side, merged uint64) []string {
	var list []string
	for i, p := range s.event.Params {
		if merged>>i&1 == 0 && (!p.Definition.Sensitive || p.Definition.Optional) {
			list = append(list, p.Name)
		}
	}
	slices.Sort(list)
	return list
}

// regrouped tells which occurrences were one event and are several now, or the reverse.
func regrouped(s *site) string {
	old := s.nowNamed()
	was := keyParams(&old, uint64(s.old.definition.Runtime.Correlation.Merged))
	is := keyParams(&s.now, uint64(s.now.definition.Runtime.Correlation.Merged))
	only := func(list, others []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(others, name) }), ", ")
	}
	var b strings.Builder
	if joined := only(is, was); joined != "" {
		b.WriteString("; occurrences that differ in " + joined + " are separate events now")
	}
	if left := only(was, is); left != "" {
		b.WriteString("; occurrences that differ only in " + left + " are one event now")
	}
	return b.String()
}

// relatedKind tells an event without a related object from an event whose related object can be of
// any kind.
func relatedKind(s *side, v reflect.Value) string {
	if s.event.Related == nil {
		return nothing
	}
	return s.show(v)
}

// opened reports whether the newer event takes objects of every kind. Its methods have the
// parameter that they have with a closed set.
func opened(s *site, _, _ reflect.Value) bool { return s.now.event.Regarding.Objects[0].Any }

// oneOfSeveral reports whether the newer event takes objects of the older kind beside others, which
// are stored as before.
func oneOfSeveral(s *site, was, is reflect.Value) bool {
	return is.IsZero() && slices.ContainsFunc(s.now.event.Objects(), func(o *model.Object) bool { return o.Any || o.Kind == was.Interface() })
}

// gone reports whether the newer side has no value: an object of any kind has no scope.
func gone(_ *site, _, is reflect.Value) bool { return is.IsZero() }

// braces doubles braces that are text, as catalogs write them.
var braces = strings.NewReplacer("{", "{{", "}", "}}")

// template returns the text of segments, as a catalog writes it.
func template(s *side, v reflect.Value) string {
	var b strings.Builder
	for _, segment := range v.Interface().([]eventrt.Segment) {
		b.WriteString(braces.Replace(segment.Text))
		switch segment.Value {
		case eventrt.NoValue:
		case eventrt.ParamValue:
			b.WriteString("{" + s.event.Params[segment.Param].Name + "}")
		default:
			b.WriteString("{" + model.Placeholders[segment.Value].Name + "}")
		}
	}
	return strconv.Quote(b.String())
}

// labelSelector returns what selects events by a label, as kubectl get events -l does. Copied
// labels have any value.
func labelSelector(_ *side, v reflect.Value) string {
	l := v.Interface().(eventrt.AnnotationDefinition)
	if l.Value == nil {
		return l.Key
	}
	return l.Key + "=" + l.Value[0].Text
}

// typeName returns a Go type with the import path of its package. A type of the generated package
// has no path.
func typeName(t model.GoType, p *model.Package) string {
	name := t.Instance()
	if t.Path != "" && t.Path != p.Path {
		name = t.Path + "." + name
	}
	if t.Pointer {
		name = "*" + name
	}
	if t.Slice {
		name = "[]" + name
	}
	return name
}

func paramList(s *side) string {
	return "(" + joined(s.event.Params, func(p *model.Param) string { return p.Name + " " + typeName(p.GoType, s.pkg) }) + ")"
}

// joined returns the texts of the elements of a list, with commas between them.
func joined[T any](list []T, text func(T) string) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = text(e)
	}
	return strings.Join(texts, ", ")
}

const anyKind = "any kind"

func kindName(o *model.Object) string {
	if o.Any {
		return anyKind
	}
	return o.Kind.APIVersion + " " + o.Kind.Kind
}
