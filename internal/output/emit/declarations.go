package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

func (f *file) supports() {
	f.declare([]string{"// If this does not compile, upgrade the run time."}, jen.Const().Id("_").Op("=").Add(f.rt("SupportsCodeV1").code))
}

// enums writes generated string types and their constants.
func (f *file) enums(enums []*model.Enum) {
	for _, e := range enums {
		f.declare(sentences("%s is the type of param %s.", e.Type, e.Param), jen.Type().Id(e.Type).String())
		f.constants(e.Values, e.Type)
	}
}

// constants writes constants of a type.
func (f *file) constants(list []model.Constant, typ string) {
	if len(list) == 0 {
		return
	}
	define := func(s *jen.Statement, c model.Constant) jen.Code { return s.Id(c.Name).Id(typ).Op("=").Lit(c.Value) }
	if len(list) == 1 {
		f.declare(nil, define(jen.Const(), list[0]))
		return
	}
	f.declare(nil, jen.Const().DefsFunc(func(g *jen.Group) {
		for _, c := range list {
			g.Add(define(&jen.Statement{}, c))
		}
	}))
}

// declarations writes what no event before this one needs.
func (f *file) declarations(e *model.Event) {
	f.constants(e.Declares.Reasons, "")
	f.enums(e.Declares.Enums)
}

// recorder writes the recorder type and the methods that every recorder has.
func (f *file) recorder() {
	name := f.p.Recorder
	pointer := join(id("*"), f.rt("Recorder"))
	f.declare(sentences("%s records the events of %s. It is safe to copy and for concurrent use; the zero %s records nothing.",
		name, reporter(f.p), name), jen.Type().Id(name).Op("struct{").Id("rec").Add(pointer.code).Op("}"))
	f.returning(f.p.NewRecorder, "a recorder on rec", "", parameter{"rec", pointer}, id("rec"))
	for _, on := range []struct{ name, function, recorder string }{{f.p.On, "On", "EventsRecorder"}, {f.p.OnRecord, "OnRecord", "RecordRecorder"}} {
		clientPackage := map[string]string{"On": "tools/events", "OnRecord": "tools/record"}[on.function]
		f.returning(on.name, "a recorder on one of client-go's "+clientPackage, "", parameter{"rec", f.rt(on.recorder)}, call(f.rt(on.function), id("rec")))
	}
	f.function(function{
		doc: []string{"// Emit records events that constructors returned, in order."}, receiver: f.receiver(), name: "Emit",
		params: []parameter{{"events", join(id("..."), f.rt("Event"))}}, body: []jen.Code{jen.Id("r.rec.Emit").Call(jen.Id("events..."))},
	})
	with := func(method, what, param string, goType expr) {
		f.returning(method, "a recorder "+what, f.receiver(), parameter{param, goType}, call(id("r.rec."+method), id(param)))
	}
	with("WithContext", "whose events carry ctx, where subscribers look for a logger", "ctx", f.name("context", "Context"))
	with("WithAnnotations", "whose events carry the annotations too", "annotations", id("map[string]string"))
	with("At", "for what happened at time t", "t", f.name("time", "Time"))
}

func (f *file) receiver() string { return "r " + f.p.Recorder }

// returning writes a function that returns a recorder on another one.
func (f *file) returning(name, what, receiver string, param parameter, inner expr) {
	f.function(function{
		doc: []string{"// " + name + " returns " + what + "."}, receiver: receiver, name: name, params: []parameter{param}, result: id(f.p.Recorder),
		body: []jen.Code{jen.Return(jen.Id(f.p.Recorder).Values(inner.code))},
	})
}

// kindFunc writes the function for a closed set of kinds. Its type switch finds the kind, so the run time needs no scheme.
func (f *file) kindFunc(k *model.KindFunc) {
	cases := make([]jen.Code, len(k.Objects))
	for i, o := range k.Objects {
		cases[i] = jen.Case(f.goType(o.GoType).code).Block(
			jen.Id("ref").Op(":=").Add(call(f.rt("ObjectOf"), id("obj")).code),
			jen.List(jen.Id("ref.APIVersion"), jen.Id("ref.Kind")).Op("=").List(jen.Lit(o.Kind.APIVersion), jen.Lit(o.Kind.Kind)),
			jen.Return(jen.Id("ref")),
		)
	}
	f.function(function{
		doc: sentences("%s refers to an object of one of the kinds; the run time rejects others.", k.Name), name: k.Name,
		params: []parameter{{"obj", f.name(model.K8sRuntimePath, "Object")}}, result: f.rt("ObjectRef"),
		body: []jen.Code{
			jen.Switch(jen.Id("obj").Op(":=").Id("obj").Assert(jen.Type())).Block(cases...),
			jen.Return(call(f.rt("AnyObject"), id("obj")).code),
		},
	})
}
