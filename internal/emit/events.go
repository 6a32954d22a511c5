package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/model"
)

// event writes an event's methods, each followed by its constructor.
func (f *file) event(e *model.Event) {
	if e.ArgsType != "" {
		f.argsType(e)
	}
	for _, m := range e.Methods {
		comment(f, methodDoc(e, m))
		f.method(m.Name, params(e, m)...).Block(
			jen.Id("r").Dot("rec").Dot("EmitNew").Call(eventArgs(e, m)...),
		)
		comment(f, constructorDoc(e, m))
		f.Func().Id(m.Constructor).Params(params(e, m)...).Add(rt("Event")).Block(
			jen.Return(rt("NewEvent").Call(eventArgs(e, m)...)),
		)
		if m.DefinitionFunc != "" {
			f.definitionFunc(e, m)
		}
	}
}

func (f *file) argsType(e *model.Event) {
	f.Commentf("%s are the params of event %s.", e.ArgsType, e.Name)
	f.Type().Id(e.ArgsType).StructFunc(func(g *jen.Group) {
		for _, p := range e.Params {
			g.Id(p.Field).Add(goType(p.GoType))
		}
	})
}

// params are the Go parameters: regarding, related, and the params or their struct.
func params(e *model.Event, m *model.Method) []jen.Code {
	out := []jen.Code{jen.Id(m.RegardingName).Add(regardingType(m))}
	if e.Related != nil {
		out = append(out, jen.Id(m.RelatedName).Add(goType(e.Related.Object.GoType)))
	}
	if e.ArgsType != "" {
		return append(out, jen.Id(m.ArgsName).Id(e.ArgsType))
	}
	for i, p := range e.Params {
		param := jen.Id(p.GoName)
		if i+1 == len(e.Params) || e.Params[i+1].GoType != p.GoType {
			param.Add(goType(p.GoType)) // else the next one tells the type
		}
		out = append(out, param)
	}
	return out
}

func regardingType(m *model.Method) *jen.Statement {
	if m.Regarding == nil {
		return runtimeObject()
	}
	return goType(m.Regarding.GoType)
}

// lineWidth is where lines of arguments are broken.
const lineWidth = 100

// eventArgs are what an event is made of: its definition, its objects and its arguments.
func eventArgs(e *model.Event, m *model.Method) []jen.Code {
	args := []jen.Code{definition(e, m), regarding(e, m), related(e, m)}
	width := lineWidth
	for _, p := range e.Params {
		arg := argument(m, p)
		width += len("eventrt.(), ") + len(p.Convert) + len(p.GoName)
		if len(e.Params) > 1 && width > lineWidth {
			arg = jen.Line().Add(arg)
			width = len(p.Convert) + len(p.GoName)
		}
		args = append(args, arg)
	}
	return args
}

func definition(e *model.Event, m *model.Method) *jen.Statement {
	if m.DefinitionFunc == "" {
		return jen.Op("&").Id(m.Definitions[0].Var)
	}
	return jen.Id(m.DefinitionFunc).Call(value(m, e.Select))
}

func regarding(e *model.Event, m *model.Method) *jen.Statement {
	ref := regardingObject(m)
	if e.Regarding.Container == nil || !canBePod(m) {
		return ref
	}
	return rt("InContainer").Call(ref, jen.Id(m.RegardingName), argument(m, e.Regarding.Container))
}

func regardingObject(m *model.Method) *jen.Statement {
	if m.Regarding == nil {
		return jen.Id(m.KindFunc.Name).Call(jen.Id(m.RegardingName))
	}
	return object(m.Regarding, m.RegardingName)
}

// canBePod reports whether what an event is about can have init and ephemeral containers.
func canBePod(m *model.Method) bool {
	objects := []*model.Object{m.Regarding}
	if m.Regarding == nil {
		objects = m.KindFunc.Objects
	}
	return slices.ContainsFunc(objects, func(o *model.Object) bool {
		return o.Any || o.GoType.Path == "k8s.io/api/core/v1" && o.GoType.Name == "Pod"
	})
}

func related(e *model.Event, m *model.Method) *jen.Statement {
	if e.Related == nil {
		return rt("ObjectRef").Values()
	}
	return object(e.Related.Object, m.RelatedName)
}

func object(o *model.Object, name string) *jen.Statement {
	if o.Any {
		return rt("AnyObject").Call(jen.Id(name))
	}
	return rt("ObjectOf").Call(jen.Id(name))
}

// argument reduces a parameter to a value of the run time.
func argument(m *model.Method, p *model.Param) *jen.Statement {
	v := value(m, p)
	if p.ByAddress {
		v = jen.Op("&").Add(v)
	}
	if p.Extra != nil {
		return rt(p.Convert).Call(v, jen.Lit(*p.Extra))
	}
	return rt(p.Convert).Call(v)
}

// value is the Go parameter of a param, or its field.
func value(m *model.Method, p *model.Param) *jen.Statement {
	if m.ArgsName != "" {
		return jen.Id(m.ArgsName).Dot(p.Field)
	}
	return jen.Id(p.GoName)
}

// definitionFunc writes the function that picks a wire identity.
func (f *file) definitionFunc(e *model.Event, m *model.Method) {
	last := len(m.Definitions) - 1
	f.Commentf("%s picks the wire identity; any other %s is %s.", m.DefinitionFunc, e.Select.Name, oneLine(m.Definitions[last].Runtime.Reason))
	f.Func().Id(m.DefinitionFunc).Params(jen.Id(e.Select.GoName).Add(goType(e.Select.GoType))).Op("*").Add(rt("Definition")).Block(
		jen.Switch(jen.Id(e.Select.GoName)).BlockFunc(func(g *jen.Group) {
			for _, s := range m.Definitions[:last] {
				g.Case(constant(s.Variant)).Block(jen.Return(jen.Op("&").Id(s.Var)))
			}
		}),
		jen.Return(jen.Op("&").Id(m.Definitions[last].Var)),
	)
}

func constant(c *model.Constant) *jen.Statement {
	if c.Name == "" {
		return jen.Lit(c.Value)
	}
	return jen.Id(c.Name)
}
