package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

func (f *file) supports() {
	f.declare([]string{"// If this does not compile, upgrade the run time."}, jen.Const().Id("_").Op("=").Add(f.rt("SupportsCodeV1").code))
}

// enums writes generated integer types, their constants and methods.
func (f *file) enums(enums []*model.Enum) {
	for _, e := range enums {
		f.declare(sentences("%s is the type of param %s. An event with another value than its constants is rejected.", e.Type, e.Param),
			jen.Type().Id(e.Type).Int())
		f.constants(len(e.Values), func(s *jen.Statement, i int) jen.Code {
			if s.Id(e.Values[i].Name); i == 0 {
				s.Id(e.Type).Op("=").Id("iota + 1")
			}
			return s
		})
		texts := []expr{str("")}
		for _, c := range e.Values {
			texts = append(texts, str(c.Value))
		}
		typ := join(f.rt("Enum"), id("["+e.Type+"]"))
		literal := join(typ, braces(texts...))
		if len("var  = ")+len(e.TextsVar)+literal.width > maxColumns {
			literal = join(typ, lines(packed(texts, 1)...))
		}
		f.variable(nil, e.TextsVar, literal)
		f.enumFunctions(e)
	}
}

// enumFunctions writes the conversions between an enum's values and their texts.
func (f *file) enumFunctions(e *model.Enum) {
	text, bytes := parameter{"text", id("string")}, parameter{"text", id("[]byte")}
	for _, fn := range []struct {
		doc            []string
		receiver, name string
		params         []parameter
		result, call   string
	}{
		{sentences("%s returns the value with a text; false if there is none.", e.Parse), "", e.Parse, []parameter{text}, "(" + e.Type + ", bool)", "Parse(text)"},
		{nil, "v " + e.Type, "String", nil, "string", "Text(v)"},
		{nil, "v " + e.Type, "MarshalText", nil, "([]byte, error)", "Marshal(v)"},
		{nil, "v *" + e.Type, "UnmarshalText", []parameter{bytes}, "error", "Unmarshal(v, text)"},
	} {
		f.function(function{
			doc: fn.doc, receiver: fn.receiver, name: fn.name, params: fn.params, result: id(fn.result),
			body: []jen.Code{jen.Return(jen.Id(e.TextsVar + "." + fn.call))}, short: true,
		})
	}
}

// reasons writes the constants of reasons.
func (f *file) reasons(list []model.Constant) {
	f.constants(len(list), func(s *jen.Statement, i int) jen.Code { return s.Id(list[i].Name).Op("=").Lit(list[i].Value) })
}

// constants writes n constants.
func (f *file) constants(n int, define func(s *jen.Statement, i int) jen.Code) {
	switch n {
	case 0:
	case 1:
		f.declare(nil, define(jen.Const(), 0))
	default:
		f.declare(nil, jen.Const().DefsFunc(func(g *jen.Group) {
			for i := range n {
				g.Add(define(&jen.Statement{}, i))
			}
		}))
	}
}

// declarations writes the declarations that no event before this one needs.
func (f *file) declarations(e *model.Event) {
	f.reasons(e.Declares.Reasons)
	f.enums(e.Declares.Enums)
}

// recorder writes the recorder type and the methods that every recorder has.
func (f *file) recorder() {
	name := f.p.Recorder
	pointer := join(id("*"), f.rt("Recorder"))
	f.declare(sentences("%s records the events of %s. It is safe to share; a zero one does nothing.", name, reporter(f.p)), jen.Type().Id(name).Op("struct{").Id("rec").Add(pointer.code).Op("}"))
	f.returning(f.p.NewRecorder, "a recorder on rec", "", parameter{"rec", pointer}, id("rec"))
	f.forManager()
	for _, on := range []struct{ name, function, recorder string }{{f.p.FromEvents, "FromEvents", "EventsRecorder"}, {f.p.FromRecord, "FromRecord", "RecordRecorder"}} {
		clientPackage := map[string]string{"FromEvents": "tools/events", "FromRecord": "tools/record"}[on.function]
		f.returning(on.name, "a recorder on client-go's "+clientPackage, "", parameter{"rec", f.rt(on.recorder)}, call(f.rt(on.function), id("rec")))
	}
	f.function(function{
		doc: []string{"// Emit records events, in order."}, receiver: f.receiver(), name: "Emit",
		params: []parameter{{"events", join(id("..."), f.rt("Event"))}}, body: []jen.Code{jen.Id("r.rec.Emit").Call(jen.Id("events..."))}, short: true,
	})
	with := func(method, what, param string, goType expr) {
		f.returning(method, "a recorder "+what, f.receiver(), parameter{param, goType}, call(id("r.rec."+method), id(param)))
	}
	with("WithContext", "whose events carry ctx", "ctx", f.name("context", "Context"))
	with("WithAnnotations", "whose events carry m", "m", id("map[string]string"))
	with("WithLabels", "whose events carry m", "m", id("map[string]string"))
	with("At", "for what happened at t", "t", f.name("time", "Time"))
}

// forManager writes the function that returns a recorder for a manager of controller-runtime. It
// takes the controller's name, unless the catalog gives it.
func (f *file) forManager() {
	fn := function{
		doc:  sentences("%s returns a recorder on a controller-runtime manager.", f.p.For),
		name: f.p.For + "[R eventrt.EventsRecorder]", short: true, result: id(f.p.Recorder), params: []parameter{{"mgr", join(f.rt("Manager"), id("[R]"))}},
	}
	controller := str(f.p.Controller)
	if f.p.Controller == "" {
		controller = id("reportingController")
		fn.params = append(fn.params, parameter{"reportingController", id("string")})
	}
	fn.body = []jen.Code{jen.Return(jen.Id(f.p.Recorder).Values(call(f.rt("For"), id("mgr"), controller, id(definitionsCall)).code))}
	f.function(fn)
}

// definitionsCall calls the function that definitionsFunc writes.
const definitionsCall = "Definitions()"

func (f *file) receiver() string { return "r " + f.p.Recorder }

// returning writes a function that returns a recorder that records on another one.
func (f *file) returning(name, what, receiver string, param parameter, inner expr) {
	f.function(function{
		doc: []string{"// " + name + " returns " + what + "."}, receiver: receiver, name: name, params: []parameter{param}, result: id(f.p.Recorder),
		body: []jen.Code{jen.Return(jen.Id(f.p.Recorder).Values(inner.code))}, short: true,
	})
}

// kindFunc writes the function for a closed set of kinds. Its type switch finds the kind, so the
// run time needs no scheme.
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
