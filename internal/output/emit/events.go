package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// event writes an event's methods as text, each followed by its constructor.
func (f *file) event(e *model.Event) {
	f.declarations(e)
	if e.ArgsType != "" {
		f.doc([]string{"// " + e.ArgsType + " are the params of event " + oneLine(e.Name) + "."})
		f.structOf(e.ArgsType, e, func(p *model.Param) string { return f.goType(p.GoType) })
	}
	for _, m := range e.Methods {
		params, args := declared(f.parameters(e, m)), f.eventArgs(e, m)
		emit, result, construct, rest := "EmitNew(", f.rt("Event"), f.rt("NewEvent("), args
		switch {
		case len(e.Also) > 0:
			targets := f.targets(e, m)
			emit, result, construct = "EmitEach("+targets, "[]"+result, f.rt("NewEvents("+targets)
		case f.isTyped(e, m):
			emit, construct, rest = "EmitOf(", strings.TrimPrefix(args[0], "&")+".Event(", args[1:]
		}
		f.doc(methodDoc(e, m))
		f.function("func (r "+f.p.Recorder+") "+m.Name, params, "", "r.rec."+emit, args)
		f.doc(constructorDoc(e, m))
		f.function("func "+m.Constructor, params, " "+result, "return "+construct, rest)
		f.definitionFunc(e, m.Wire)
	}
	for _, a := range e.Also {
		f.definitionFunc(e, a.Wire)
	}
	if k := e.Declares.KindFunc; k != nil {
		f.kindFunc(k)
	}
}

// function writes a function whose only statement is a call. call is its beginning, to which the arguments are added.
func (f *file) function(head string, params []string, result, call string, args []string) {
	f.signature(head, params, result)
	last := call[strings.LastIndexByte(call, '\n')+1:]
	f.write("\t%s%s)\n}\n\n", call, wrapped(args, tabColumns+len(last)+len(")"), 2))
}

// signature begins a function.
func (f *file) signature(head string, params []string, result string) {
	f.write("%s(%s)%s {\n", head, wrapped(params, len(head)+len(result)+len("() {"), 1), result)
}

// wrapped joins a list that begins after that many columns. What does not fit continues on lines of indent tabs.
func wrapped(items []string, columns, indent int) string {
	if one := strings.Join(items, ", "); columns+utf8.RuneCountInString(one) <= maxColumns {
		return one
	}
	var b strings.Builder
	for i, item := range items {
		width := utf8.RuneCountInString(item) + len(", ")
		switch {
		case i == 0:
		case columns+width > maxColumns:
			b.WriteString(",\n" + strings.Repeat("\t", indent))
			columns = indent * tabColumns
		default:
			b.WriteString(", ")
		}
		b.WriteString(item)
		columns += width
	}
	return b.String()
}

// structOf writes a struct with a field for each param of an event.
func (f *file) structOf(name string, e *model.Event, goType func(*model.Param) string) {
	rows := make([][2]string, len(e.Params))
	for i, p := range e.Params {
		rows[i] = [2]string{p.Field, goType(p)}
	}
	f.write("type %s struct {\n", name)
	f.columns(rows)
	f.write("}\n\n")
}

// parameter is a parameter of a function.
type parameter struct{ name, goType string }

// declared returns parameters as a function declares them. The last of several neighbours of one type names it.
func declared(parameters []parameter) []string {
	out := make([]string, len(parameters))
	for i, p := range parameters {
		out[i] = p.name
		if i+1 == len(parameters) || parameters[i+1].goType != p.goType {
			out[i] += " " + p.goType
		}
	}
	return out
}

// parameters returns the parameters of an event's functions: the regarding object, further objects, the related object, then the params or
// their struct.
func (f *file) parameters(e *model.Event, m *model.Method) []parameter {
	out := []parameter{{m.RegardingName, f.regardingType(m)}}
	for i, a := range e.Also {
		out = append(out, parameter{m.AlsoNames[i], f.goType(a.Object.GoType)})
	}
	if e.Related != nil {
		out = append(out, parameter{m.RelatedName, f.goType(e.Related.Object.GoType)})
	}
	if e.ArgsType != "" {
		return append(out, parameter{m.ArgsName, e.ArgsType})
	}
	for _, p := range e.Params {
		out = append(out, parameter{p.GoName, f.goType(p.GoType)})
	}
	return out
}

func (f *file) regardingType(m *model.Method) string {
	if m.Regarding == nil {
		return f.name(model.K8sRuntimePath, "Object")
	}
	return f.goType(m.Regarding.GoType)
}

// goType returns a type as the file names it.
func (f *file) goType(t model.GoType) string {
	var b strings.Builder
	if t.Slice {
		b.WriteString("[]")
	}
	if t.Pointer {
		b.WriteByte('*')
	}
	if t.Path == "" || t.Path == f.p.Path {
		b.WriteString(t.Name)
	} else {
		b.WriteString(f.name(t.Path, t.Name))
	}
	var args []string
	for _, arg := range t.TypeArgs() {
		args = append(args, f.goType(arg))
	}
	if len(args) > 0 {
		b.WriteString("[" + strings.Join(args, ", ") + "]")
	}
	return b.String()
}

// eventArgs returns the arguments from which an event is made: definition, objects and params. Targets replace the definition and the
// regarding object.
func (f *file) eventArgs(e *model.Event, m *model.Method) []string {
	var args []string
	switch {
	case len(e.Also) > 0:
		args = []string{f.related(e, m)}
	case !f.isTyped(e, m):
		args = []string{definitionArg(e, m, m.Wire), f.regarding(e, m), f.related(e, m)}
	case e.Related == nil:
		args = []string{definitionArg(e, m, m.Wire), m.RegardingName, "nil"}
	default:
		args = []string{definitionArg(e, m, m.Wire), m.RegardingName, m.RelatedName}
	}
	for _, p := range e.Params {
		args = append(args, f.argument(m, p))
	}
	return args
}

// isTyped reports whether the run time can make the references itself: the definition then knows the kinds of the objects.
func (f *file) isTyped(e *model.Event, m *model.Method) bool {
	return m.Regarding != nil && !m.Regarding.Any && (e.Regarding.Container == nil || !canBePod(m)) &&
		(e.Related == nil || !e.Related.Object.Any)
}

// targets lists the objects of a call, each with the definition of its event.
func (f *file) targets(e *model.Event, m *model.Method) string {
	target := func(w model.Wire, ref string) string {
		return f.rt("About") + "(" + definitionArg(e, m, w) + ", " + ref + ")"
	}
	list := []string{target(m.Wire, f.regarding(e, m))}
	for i, a := range e.Also {
		list = append(list, target(a.Wire, f.object(a.Object, m.AlsoNames[i])))
	}
	return "[]" + f.rt("Target") + "{\n\t\t" + strings.Join(list, ",\n\t\t") + ",\n\t}, "
}

func definitionArg(e *model.Event, m *model.Method, w model.Wire) string {
	if w.DefinitionFunc == "" {
		return definitionAt(w, 0)
	}
	return w.DefinitionFunc + "(" + value(m, e.Select) + ")"
}

func (f *file) regarding(e *model.Event, m *model.Method) string {
	ref := f.regardingObject(m)
	if e.Regarding.Container == nil || !canBePod(m) {
		return ref
	}
	return f.rt("InContainer") + "(" + ref + ", " + m.RegardingName + ", " + f.argument(m, e.Regarding.Container) + ")"
}

func (f *file) regardingObject(m *model.Method) string {
	if m.Regarding == nil {
		return m.KindFunc.Name + "(" + m.RegardingName + ")"
	}
	return f.object(m.Regarding, m.RegardingName)
}

// canBePod reports whether the regarding object can be a Pod, which has init and ephemeral containers.
func canBePod(m *model.Method) bool {
	objects := []*model.Object{m.Regarding}
	if m.Regarding == nil {
		objects = m.KindFunc.Objects
	}
	return slices.ContainsFunc(objects, func(o *model.Object) bool {
		return o.Any || o.GoType.Path == "k8s.io/api/core/v1" && o.GoType.Name == "Pod"
	})
}

func (f *file) related(e *model.Event, m *model.Method) string {
	if e.Related == nil {
		return f.rt("ObjectRef") + "{}"
	}
	return f.object(e.Related.Object, m.RelatedName)
}

func (f *file) object(o *model.Object, name string) string {
	if o.Any {
		return f.rt("AnyObject") + "(" + name + ")"
	}
	return f.rt("ObjectOf") + "(" + name + ")"
}

// argument converts a parameter to an argument of the run time.
func (f *file) argument(m *model.Method, p *model.Param) string {
	v := value(m, p)
	if p.ByAddress {
		v = "&" + v
	}
	if p.Extra != nil {
		v += ", " + strconv.Quote(*p.Extra)
	}
	return f.rt(p.Convert) + "(" + v + ")"
}

// value returns the Go parameter of a param, or the field of the params' struct.
func value(m *model.Method, p *model.Param) string {
	if m.ArgsName != "" {
		return m.ArgsName + "." + p.Field
	}
	return p.GoName
}

// definitionFunc writes the function that picks one of several definitions.
func (f *file) definitionFunc(e *model.Event, w model.Wire) {
	if w.DefinitionFunc == "" {
		return
	}
	last := len(w.Definitions) - 1
	f.doc([]string{"// " + w.DefinitionFunc + " picks the definition; any other " + e.Select.Name + " is " + oneLine(w.Definitions[last].Runtime.Reason) + "."})
	f.write("func %s(%s %s) *%s {\n\tswitch %s {\n", w.DefinitionFunc, e.Select.GoName, f.goType(e.Select.GoType), f.rt("Definition"), e.Select.GoName)
	for i, d := range w.Definitions[:last] {
		f.write("\tcase %s:\n\t\treturn %s\n", cmp.Or(d.Variant.Name, strconv.Quote(d.Variant.Value)), definitionAt(w, i))
	}
	f.write("\t}\n\treturn %s\n}\n\n", definitionAt(w, last))
}

// definitionAt returns the address of a definition.
func definitionAt(w model.Wire, i int) string {
	if w.DefinitionFunc == "" {
		return "&" + w.Var
	}
	return fmt.Sprintf("&%s[%d]", w.Var, i)
}
