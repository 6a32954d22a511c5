package emit

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// formers writes what callers of an event's former names use. go fix replaces the calls, by the
// directive that its analyzer inline reads.
func (f *file) formers(e *model.Event) {
	for _, former := range e.Formers {
		if former.ArgsType != "" {
			f.alias(former.ArgsType, e.ArgsType, former)
		}
		for i, m := range e.Methods {
			name, params := former.Methods[i], f.parameters(e, m)
			fn := function{
				doc: formerDoc(name, m.Name, former), receiver: f.receiver(), name: name, params: params,
				body: []jen.Code{calling(id("r."+m.Name), arguments(params))},
			}
			f.function(fn)
			fn = function{
				doc: formerDoc(former.Constructor(name), m.Constructor, former), name: former.Constructor(name), params: params, result: f.rt("Event"),
				body: []jen.Code{calling(id("return "+m.Constructor), arguments(params))},
			}
			if len(e.Also) > 0 {
				fn.result = join(id("[]"), fn.result)
			}
			f.function(fn)
		}
	}
}

// formers writes what users of the fake use of an event's former names.
func (c tested) formers(f *file, i int) {
	for _, former := range c.event.Formers {
		if c.event.ArgsType != "" && i == 0 {
			f.alias(former.FakeArgsType(), c.event.FakeArgsType(), former)
		}
		name := former.Matcher(former.Methods[i])
		f.function(function{
			doc: formerDoc(name, c.method.Matcher(), former), name: name, params: c.params, result: c.result(f),
			body: []jen.Code{calling(id("return "+c.method.Matcher()), arguments(c.params))},
		})
	}
}

// alias writes the former name of a struct of params. It has no directive, because most literals of
// the struct are arguments of a call that go fix replaces. If one edit is inside another, go fix of
// Go 1.26 changes no file of the package.
func (f *file) alias(name, of string, former *model.Former) {
	f.declare(commentLines(formerText(name, of, former)), jen.Type().Id(name).Op("=").Id(of))
}

// formerDoc returns the doc comment of a function with a former name.
func formerDoc(name, now string, former *model.Former) []string {
	return append(commentLines(formerText(name, now, former)), "//", "//go:fix inline")
}

func formerText(name, now string, former *model.Former) []string {
	text := fmt.Sprintf("Deprecated: %s is called %s now.", name, now)
	if former.RemoveAfter != "" {
		text += " This name will be removed after " + oneLine(former.RemoveAfter) + "."
	}
	return paragraph(text)
}

// arguments returns parameters as a call passes them on.
func arguments(params []parameter) []expr {
	args := make([]expr, len(params))
	for i, p := range params {
		args[i] = id(p.name)
	}
	return args
}
