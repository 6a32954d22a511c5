package emit

import (
	"fmt"
	"io"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// defaultSeparator is the separator with which eventtest.Args joins lists.
const defaultSeparator = ", "

// Fake writes the Go file of the package for tests.
func Fake(w io.Writer, p *model.Package) error {
	m := p.Fake()
	k := fake{tested: p, m: m}
	// the package from the fake's view: with the fake's imports, and its own types qualified
	own := *p
	own.Path, own.Imports = m.Path, m.Imports
	t := target{name: m.Name, path: m.Path, imports: m.Imports, p: &own, doc: k.doc()}
	body, err := t.source(func(f *file) {
		k.declarations(f)
		k.events(f)
	})
	if err != nil {
		return err
	}
	return writeGo(w, m.Source, body)
}

// fake writes the parts of the file.
type fake struct {
	tested *model.Package
	m      *model.Fake
}

func (k fake) doc() []string {
	return sentences("Package %s holds a fake for tests of code that records the events of package %s.", k.m.Name, k.tested.Name)
}

// sentences returns the lines of a comment.
func sentences(format string, args ...any) []string {
	return commentLines(paragraph(fmt.Sprintf(format, args...)))
}

// testing returns a reference to a name of package eventtest.
func (f *file) testing(name string) expr { return f.name(model.EventtestPath, name) }

func (k fake) declarations(f *file) {
	f.variable([]string{"// Any matches every argument."}, "Any", f.testing("Any"))
	f.declare(sentences("Fake keeps every event that is recorded into it. ExpectExactly, ExpectInAnyOrder, ExpectContains and ExpectNone report "+
		"all differences to the test. They take events as the constructors of package %s make them, and matchers of this package, which "+
		"take Any for an argument that does not matter.", k.tested.Name),
		jen.Type().Id("Fake").Struct(jen.Op("*").Add(f.testing("Fake").code)))
	options := []parameter{{"t", f.testing("TB")}, {"options", join(id("..."), f.testing("Options"))}}
	f.function(function{
		doc: []string{"// New returns an empty fake that reports to t."}, name: "New", params: options, result: id("*Fake"),
		body: []jen.Code{jen.Return(jen.Op("&").Id("Fake").Add(braces(call(f.testing("NewFake"), id("t"), id("options..."))).code))},
	})
	f.function(function{
		doc: []string{"// Recorder returns a recorder that records into the fake."}, receiver: "fake *Fake", name: "Recorder", result: f.name(k.tested.Path, k.tested.Recorder),
		body: []jen.Code{jen.Return(call(f.name(k.tested.Path, k.tested.NewRecorder), id("fake.Fake.Recorder()")).code)},
	})
}

// events writes a matcher for each method of the recorder.
func (k fake) events(f *file) {
	for _, e := range k.tested.Events {
		if e.ArgsType != "" {
			f.argsType(sentences("%s are the expected params of event %s; nil matches any.", e.FakeArgsType(), oneLine(e.Name)), e.FakeArgsType(), e,
				func(*model.Param) expr { return id("any") })
		}
		for i, m := range e.Methods {
			c := k.call(f, e, m)
			c.match(f)
			c.formers(f, i)
		}
	}
}

// tested describes a recorder method as the fake's matcher function takes its parameters.
type tested struct {
	event  *model.Event
	method *model.Method
	// params are the method's parameters. They accept Any in place of a value, and hide no name of
	// the file.
	params []parameter
	// objects are references to the event's objects. related and args are empty if it has none.
	objects       []expr
	related, args expr
}

func (k fake) call(f *file, e *model.Event, m *model.Method) tested {
	params, used := f.parameters(e, m), map[string]bool{}
	for i := range params {
		params[i].name = k.m.Param(params[i].name, used)
	}
	c := tested{event: e, method: m, params: params, objects: []expr{f.reference(m.Regarding, params[0].name)}}
	for i, a := range e.Also {
		c.objects = append(c.objects, f.reference(a.Object, params[1+i].name))
	}
	n := len(c.objects)
	if e.Related != nil {
		c.related = f.relatedReference(e.Related, params[n].name)
		n++
	}
	switch values := params[n:]; {
	case e.ArgsType != "":
		values[0].goType = id(e.FakeArgsType())
		c.args = f.expected("ArgsOrAny", e.Params, func(i int) string { return values[0].name + "." + e.Params[i].Field })
	case len(values) > 0:
		for i := range values {
			values[i].goType = id("any")
		}
		c.args = f.expected("Args", e.Params, func(i int) string { return values[i].name })
	}
	return c
}

// reference returns a reference to an object of an event. It includes the kind, so that a nil
// object has one too. o is nil for a closed set of kinds.
func (f *file) reference(o *model.Object, name string) expr {
	if o == nil || o.Any {
		return call(f.testing("RefAny"), id(name))
	}
	return call(f.testing("RefAs"), id(name), str(o.Kind.APIVersion), str(o.Kind.Kind))
}

func (f *file) relatedReference(r *model.Related, name string) expr {
	switch {
	case r.ByName:
		return call(f.testing("RefNamed"), id(name))
	case r.Object.Any:
		return f.reference(r.Object, name)
	}
	return call(f.testing("Ref"), id(name))
}

// expected returns a matcher of an event's arguments.
func (f *file) expected(function string, params []*model.Param, value func(i int) string) expr {
	values := make([]expr, len(params))
	for i, p := range params {
		values[i] = id(value(i))
		if p.Extra != nil && *p.Extra != defaultSeparator {
			values[i] = call(f.testing("Joined"), values[i], str(*p.Extra))
		}
	}
	return call(f.testing(function), values...)
}

// match writes the function that returns a matcher for values and Any.
func (c tested) match(f *file) {
	want := []expr{field("Name", str(c.event.Name))}
	if len(c.event.Also) == 0 {
		want = append(want, field("Regarding", c.objects[0]))
	}
	if c.related.code != nil {
		want = append(want, field("Related", c.related))
	}
	event := f.testing("Event")
	var body jen.Code
	switch literal := join(event, lines(codes(want)...)); {
	case len(c.event.Also) > 0:
		args := c.args
		if args.code == nil {
			args = id("nil")
		}
		body = calling(join(id("return "), f.testing("OnEach")), append([]expr{join(event, braces(want...)), args}, c.objects...))
	case c.args.code != nil:
		body = jen.Return(call(f.testing("All"), literal, c.args).code)
	default:
		body = jen.Return(literal.code)
	}
	text := "%s matches what %s records. A nil object matches any."
	if len(c.event.Also) > 0 {
		text = "%s has a matcher for each event that %s records: one for each object that is not nil. If all objects are nil, " +
			"its only matcher matches such an event about any object."
	}
	name := c.method.Matcher()
	f.function(function{doc: sentences(text, name, c.method.Name), name: name, params: c.params, result: c.result(f), body: []jen.Code{body}})
}

// result returns the type of the matcher function's result.
func (c tested) result(f *file) expr {
	if len(c.event.Also) > 0 {
		return join(id("[]"), f.testing("Matcher"))
	}
	return f.testing("Matcher")
}
