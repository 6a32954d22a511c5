package emit

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// event writes an event's methods, each followed by its constructor.
func (f *file) event(e *model.Event) {
	f.declarations(e)
	if e.ArgsType != "" {
		f.argsType([]string{"// " + e.ArgsType + " are the params of event " + oneLine(e.Name) + "."}, e.ArgsType, e,
			func(p *model.Param) expr { return f.goType(p.GoType) })
	}
	for _, m := range e.Methods {
		fn := function{doc: methodDoc(f.p, e, m), receiver: f.receiver(), name: m.Name, params: f.parameters(e, m)}
		emit, construct := f.emits(e, m)
		fn.body = []jen.Code{emit}
		f.function(fn)
		fn = function{doc: constructorDoc(e, m), name: m.Constructor, params: fn.params, result: f.rt("Event"), body: []jen.Code{construct}}
		if len(e.Also) > 0 {
			fn.result = join(id("[]"), fn.result)
		}
		f.function(fn)
		f.definitionFunc(e, m.Wire)
	}
	for _, a := range e.Also {
		f.definitionFunc(e, a.Wire)
	}
	f.formers(e)
	if k := e.Declares.KindFunc; k != nil {
		f.kindFunc(k)
	}
}

// emits returns the single statement of a method, and the one of its constructor.
func (f *file) emits(e *model.Event, m *model.Method) (emit, construct jen.Code) {
	args := f.eventArgs(e, m)
	if len(e.Also) > 0 {
		targets := f.targets(e, m)
		return calling(id("r.rec.EmitEach"), args, targets), calling(join(id("return "), f.rt("NewEvents")), args, targets)
	}
	if f.isTyped(e, m) {
		definition := definitionArg(e, m, m.Wire)
		args = append([]expr{definition}, args[1:]...)
		return calling(id("r.rec.EmitOf"), args), calling(join(id("return "), id(strings.TrimPrefix(definitionOf(e, m, m.Wire), "&")+".Event")), args[1:])
	}
	return calling(id("r.rec.EmitNew"), args), calling(join(id("return "), f.rt("NewEvent")), args)
}

// argsType writes a struct with a field for each param of an event.
func (f *file) argsType(doc []string, name string, e *model.Event, goType func(*model.Param) expr) {
	fields := make([]jen.Code, len(e.Params))
	for i, p := range e.Params {
		fields[i] = jen.Id(p.Field).Add(goType(p).code)
	}
	f.declare(doc, jen.Type().Id(name).Struct(fields...))
}

// parameters returns the parameters of an event's functions: the regarding object, further objects,
// the related object, then the params or their struct.
func (f *file) parameters(e *model.Event, m *model.Method) []parameter {
	out := []parameter{{m.RegardingName, f.regardingType(m)}}
	for i, a := range e.Also {
		out = append(out, parameter{m.AlsoNames[i], f.goType(a.Object.GoType)})
	}
	if e.Related != nil {
		typ := id("string")
		if !e.Related.ByName {
			typ = f.goType(e.Related.Object.GoType)
		}
		out = append(out, parameter{m.RelatedName, typ})
	}
	if e.ArgsType != "" {
		return append(out, parameter{m.ArgsName, id(e.ArgsType)})
	}
	for _, p := range e.Params {
		out = append(out, parameter{p.GoName, f.goType(p.GoType)})
	}
	return out
}

func (f *file) regardingType(m *model.Method) expr {
	if m.Regarding == nil {
		return f.name(model.K8sRuntimePath, "Object")
	}
	return f.goType(m.Regarding.GoType)
}

// goType returns a type as the file names it.
func (f *file) goType(t model.GoType) expr {
	named := id(t.Name)
	if t.Path != "" && t.Path != f.p.Path {
		named = f.name(t.Path, t.Name)
	}
	var args []expr
	for _, arg := range t.TypeArgs() {
		args = append(args, f.goType(arg))
	}
	if len(args) > 0 {
		named = join(named, id("["), commas(args), id("]"))
	}
	if t.Pointer {
		named = join(id("*"), named)
	}
	if t.Slice {
		named = join(id("[]"), named)
	}
	return named
}

// eventArgs returns the arguments that make an event: definition, objects and params. In an event
// with further objects, targets replace the definition and the regarding object.
func (f *file) eventArgs(e *model.Event, m *model.Method) []expr {
	var args []expr
	switch {
	case len(e.Also) > 0:
		args = []expr{f.related(e, m)}
	case !f.isTyped(e, m):
		args = []expr{definitionArg(e, m, m.Wire), f.regarding(e, m), f.related(e, m)}
	default:
		args = []expr{definitionArg(e, m, m.Wire), id(m.RegardingName), id(cmp.Or(m.RelatedName, "nil"))}
	}
	for _, p := range e.Params {
		args = append(args, f.argument(m, p))
	}
	return args
}

// isTyped reports whether the definition has the kinds of the objects, so that the run time can
// make the references itself.
func (f *file) isTyped(e *model.Event, m *model.Method) bool {
	return m.Regarding != nil && !m.Regarding.Any && (e.Regarding.Container == nil || !canBePod(m)) &&
		(e.Related == nil || !e.Related.Object.Any && !e.Related.ByName)
}

// targets returns the objects of a call, each with the definition of its event.
func (f *file) targets(e *model.Event, m *model.Method) expr {
	target := func(w model.Wire, ref expr) jen.Code { return call(f.rt("About"), definitionArg(e, m, w), ref).code }
	list := []jen.Code{target(m.Wire, f.regarding(e, m))}
	for i, a := range e.Also {
		list = append(list, target(a.Wire, f.object(a.Object, m.AlsoNames[i])))
	}
	return join(id("[]"), f.rt("Target"), lines(list...))
}

func definitionArg(e *model.Event, m *model.Method, w model.Wire) expr {
	return id(definitionOf(e, m, w))
}

// definitionOf returns the address of the definition that a method uses.
func definitionOf(e *model.Event, m *model.Method, w model.Wire) string {
	if w.DefinitionFunc == "" {
		return "&" + definitionAt(w, 0)
	}
	return w.DefinitionFunc + "(" + value(m, e.Select) + ")"
}

func (f *file) regarding(e *model.Event, m *model.Method) expr {
	ref := f.regardingObject(m)
	if e.Regarding.Container == nil || !canBePod(m) {
		return ref
	}
	return call(f.rt("InContainer"), ref, id(m.RegardingName), f.argument(m, e.Regarding.Container))
}

func (f *file) regardingObject(m *model.Method) expr {
	if m.Regarding == nil {
		return call(id(m.KindFunc.Name), id(m.RegardingName))
	}
	return f.object(m.Regarding, m.RegardingName)
}

// canBePod reports whether the regarding object can be a Pod, which has init and ephemeral
// containers.
func canBePod(m *model.Method) bool {
	objects := []*model.Object{m.Regarding}
	if m.Regarding == nil {
		objects = m.KindFunc.Objects
	}
	return slices.ContainsFunc(objects, func(o *model.Object) bool {
		return o.Any || o.GoType.Path == "k8s.io/api/core/v1" && o.GoType.Name == "Pod"
	})
}

func (f *file) related(e *model.Event, m *model.Method) expr {
	if e.Related == nil {
		return join(f.rt("ObjectRef"), braces())
	}
	if !e.Related.ByName {
		return f.object(e.Related.Object, m.RelatedName)
	}
	beside := f.regardingObject(m)
	if e.Related.Object.Scope == "Cluster" {
		beside = join(f.rt("ObjectRef"), braces())
	}
	return call(f.rt("ByName"), id(m.RelatedName), beside)
}

func (f *file) object(o *model.Object, name string) expr {
	if o.Any {
		return call(f.rt("AnyObject"), id(name))
	}
	return call(f.rt("ObjectOf"), id(name))
}

// argument converts a parameter to an argument of the run time.
func (f *file) argument(m *model.Method, p *model.Param) expr {
	if p.Enum != nil {
		return call(id(p.Enum.TextsVar+".Arg"), id(value(m, p)))
	}
	args := []expr{id(value(m, p))}
	if p.ByAddress {
		args[0] = join(id("&"), args[0])
	}
	if p.Extra != nil {
		args = append(args, str(*p.Extra))
	}
	return call(f.rt(p.Convert), args...)
}

// value returns the expression for a param's value: a Go parameter, or a field of the params'
// struct.
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
	var cases []jen.Code
	for i, d := range w.Definitions[:last] {
		cases = append(cases, jen.Case(jen.Id(cmp.Or(d.Variant.Name, strconv.Quote(d.Variant.Value)))).Block(jen.Return(jen.Op("&").Id(definitionAt(w, i)))))
	}
	doc := "// " + w.DefinitionFunc + " picks the definition; any other " + e.Select.Name + " is " + oneLine(w.Definitions[last].Runtime.Reason) + "."
	if e.Select.Enum != nil {
		doc = "// " + w.DefinitionFunc + " picks the definition."
	}
	f.function(function{
		doc:  []string{doc},
		name: w.DefinitionFunc, params: []parameter{{e.Select.GoName, f.goType(e.Select.GoType)}}, result: join(id("*"), f.rt("Definition")),
		body: []jen.Code{jen.Switch(jen.Id(e.Select.GoName)).Block(cases...), jen.Return(jen.Op("&").Id(definitionAt(w, last)))},
	})
}

// definitionAt returns a definition.
func definitionAt(w model.Wire, i int) string {
	if w.DefinitionFunc == "" {
		return w.Var
	}
	return fmt.Sprintf("%s[%d]", w.Var, i)
}
