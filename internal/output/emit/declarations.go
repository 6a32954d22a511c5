package emit

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

func (f *file) supports() {
	f.doc([]string{"// If this does not compile, upgrade the run time."})
	f.write("const _ = %s\n", f.rt("SupportsCodeV1"))
}

// enums writes generated string types and their constants.
func (f *file) enums(enums []*model.Enum) {
	for _, e := range enums {
		f.doc(sentences("%s is the type of param %s.", e.Type, e.Param))
		f.write("type %s string\n\n", e.Type)
		f.constants(e.Values, e.Type+" ")
	}
}

// constants writes constants of a type.
func (f *file) constants(list []model.Constant, typ string) {
	if len(list) == 1 {
		f.write("const %s %s= %q\n\n", list[0].Name, typ, list[0].Value)
		return
	}
	rows := make([][2]string, len(list))
	for i, c := range list {
		rows[i] = [2]string{c.Name, typ + "= " + strconv.Quote(c.Value)}
	}
	f.write("const (\n")
	f.columns(rows)
	f.write(")\n\n")
}

// declarations writes what no event before this one needs.
func (f *file) declarations(e *model.Event) {
	if reasons := e.Declares.Reasons; len(reasons) > 0 {
		f.constants(reasons, "")
	}
	f.enums(e.Declares.Enums)
}

// recorder writes the recorder type and the methods that every recorder has.
func (f *file) recorder() {
	name := f.p.Recorder
	comment(f, sentences("%s records the events of %s. It is safe to copy and for concurrent use; the zero %s records nothing.",
		name, reporter(f.p), name))
	f.Type().Id(name).Op("struct{").Id("rec").Op("*").Add(rt("Recorder")).Op("}")

	f.Commentf("%s returns a recorder on rec.", f.p.NewRecorder)
	f.Func().Id(f.p.NewRecorder).Params(jen.Id("rec").Op("*").Add(rt("Recorder"))).Id(name).Block(
		jen.Return(jen.Id(name).Values(jen.Id("rec"))),
	)

	f.on(f.p.On, "On", "EventsRecorder", "tools/events")
	f.on(f.p.OnRecord, "OnRecord", "RecordRecorder", "tools/record")

	f.Comment("Emit records events that constructors returned, in order.")
	f.method("Emit", jen.Id("events").Op("...").Add(rt("Event"))).Block(
		jen.Id("r").Dot("rec").Dot("Emit").Call(jen.Id("events").Op("...")),
	)
	f.with("WithContext", "whose events carry ctx, where subscribers look for a logger", "ctx", jen.Qual("context", "Context"))
	f.with("WithAnnotations", "whose events carry the annotations too", "annotations", jen.Map(jen.String()).String())
	f.with("At", "for what happened at time t", "t", jen.Qual("time", "Time"))
}

// on writes a function that returns a recorder on a recorder of client-go.
func (f *file) on(name, function, recorder, clientPackage string) {
	f.Commentf("%s returns a recorder on one of client-go's %s.", name, clientPackage)
	f.Func().Id(name).Params(jen.Id("rec").Add(rt(recorder))).Id(f.p.Recorder).Block(
		jen.Return(jen.Id(f.p.Recorder).Values(rt(function).Call(jen.Id("rec")))),
	)
}

// with writes a method that returns a changed recorder.
func (f *file) with(method, what, param string, paramType jen.Code) {
	f.Commentf("%s returns a recorder %s.", method, what)
	f.method(method, jen.Id(param).Add(paramType)).Id(f.p.Recorder).Block(
		jen.Return(jen.Id(f.p.Recorder).Values(jen.Id("r").Dot("rec").Dot(method).Call(jen.Id(param)))),
	)
}

func (f *file) method(name string, params ...jen.Code) *jen.Statement {
	return f.Func().Params(jen.Id("r").Id(f.p.Recorder)).Id(name).Params(params...)
}

// kindFunc writes the function for a closed set of kinds. Its type switch finds the kind, so the run time needs no scheme.
func (f *file) kindFunc(k *model.KindFunc) {
	f.doc(sentences("%s refers to an object of one of the kinds; the run time rejects others.", k.Name))
	f.write("func %s(obj %s) %s {\n\tswitch obj := obj.(type) {\n", k.Name, f.name(model.K8sRuntimePath, "Object"), f.rt("ObjectRef"))
	for _, o := range k.Objects {
		f.write("\tcase %s:\n\t\tref := %s(obj)\n\t\tref.APIVersion, ref.Kind = %q, %q\n\t\treturn ref\n",
			f.goType(o.GoType), f.rt("ObjectOf"), o.Kind.APIVersion, o.Kind.Kind)
	}
	f.write("\t}\n\treturn %s(obj)\n}\n\n", f.rt("AnyObject"))
}
