package emit

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// transitions writes the code that records the transitions of an object's conditions: a type, the
// method that returns it, the function that reads the conditions, and the rules.
func (f *file) transitions(t *model.Transitions) {
	object := f.goType(t.Object.GoType)
	kind := oneLine(t.Object.Alias)
	names := oneLine(strings.Join(t.Names(), ", "))
	f.declare(sentences("%s remembers the conditions of a %s before they change: %s.", t.Type, kind, names),
		jen.Type().Id(t.Type).Struct(jen.Id("t").Add(join(id("*"), f.rt("Transitions")).code)))
	f.function(function{
		doc:      sentences("%s remembers the conditions of a %s. Call it before you change them, and Record once the change is stored.", t.Type, kind),
		receiver: f.receiver(), name: t.Type, params: []parameter{{"obj", object}}, result: id(t.Type),
		body: []jen.Code{jen.Return(jen.Id(t.Type).Values(call(id("r.rec.Transitions"), id(t.Var), call(id(t.Conditions), id("obj"))).code))},
	})
	f.function(function{
		doc: sentences("Record records the event of each transition from the remembered conditions to those of stored, the object that the API server returned. It remembers these: " +
			"a transition is recorded once."),
		receiver: "t " + t.Type, name: "Record", params: []parameter{{"stored", object}},
		body: []jen.Code{call(id("t.t.Record"), id("stored"), call(id(t.Conditions), id("stored"))).code},
	})
	f.function(function{
		name: t.Conditions, params: []parameter{{"obj", object}}, result: join(id("[]"), f.rt("Condition")),
		body: []jen.Code{
			jen.If(jen.Id("obj == nil")).Block(jen.Return(jen.Nil())),
			jen.Var().Id("list").Index().Add(f.rt("Condition").code),
			jen.For(jen.Id("i").Op(":=").Range().Id("obj.Status.Conditions")).Block(
				jen.Id("c").Op(":=").Op("&").Id("obj.Status.Conditions").Index(jen.Id("i")),
				jen.Id("list").Op("=").Append(jen.Id("list"), join(f.rt("Condition"),
					id("{\nType: string(c.Type), Status: string(c.Status), Reason: string(c.Reason), Message: string(c.Message),\n}")).code),
			),
			jen.Return(jen.Id("list")),
		},
	})
	var rules []jen.Code
	for _, r := range t.Rules {
		var fs fields
		fs.id("Definition", "&"+r.Var)
		fs.text("Condition", r.Condition)
		fs.text("Status", r.Status)
		fs.text("Reason", r.Reason)
		fs.text("From", r.From)
		rules = append(rules, braces(fs...).code)
	}
	f.variable(nil, t.Var, join(id("[]"), f.rt("Transition"), lines(rules...)))
}
