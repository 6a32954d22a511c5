package emit

import (
	"fmt"
	"io"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// defaultSeparator is what eventtest.Args joins lists with.
const defaultSeparator = ", "

// Fake writes the Go file of the package for tests.
func Fake(w io.Writer, p *model.Package) error {
	m := p.Fake()
	k := fake{tested: p, m: m}
	own := *p // the package as the fake's file refers to it: by the fake's imports, and to its types by name
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

// testing returns a name of package eventtest.
func (f *file) testing(name string) expr { return f.name(model.EventtestPath, name) }

func (k fake) declarations(f *file) {
	f.variable([]string{"// Any matches every argument."}, "Any", f.testing("Any"))
	f.declare(sentences("Fake keeps every event that is recorded into it. Its own Expect methods each report all differences to the test "+
		"unless such an event was recorded, and ignore other events. To expect some events and no others, give matchers to Expect or "+
		"ExpectInOrder of the embedded fake. The Match functions take Any for an argument that does not matter; the parameters of the "+
		"Is functions have the types of the recorder's."),
		jen.Type().Id("Fake").Struct(jen.Op("*").Add(f.testing("Fake").code), jen.Id("t").Add(f.testing("TB").code)))
	f.function(function{
		doc: []string{"// New returns an empty fake that reports to t."}, name: "New", params: []parameter{{"t", f.testing("TB")}}, result: id("*Fake"),
		body: []jen.Code{jen.Return(jen.Op("&").Id("Fake").Add(braces(field("Fake", call(f.testing("NewFake"))), field("t", id("t"))).code))},
	})
	f.function(function{
		doc: []string{"// Recorder returns a recorder that records into the fake."}, receiver: "fake *Fake", name: "Recorder", result: f.name(k.tested.Path, k.tested.Recorder),
		body: []jen.Code{jen.Return(call(f.name(k.tested.Path, k.tested.NewRecorder), id("fake.Fake.Recorder()")).code)},
	})
}

// events writes two matchers and an Expect method for each method of the recorder.
func (k fake) events(f *file) {
	for _, e := range k.tested.Events {
		if e.ArgsType != "" {
			f.argsType(sentences("%s are the expected params of event %s; nil matches any.", e.FakeArgsType(), oneLine(e.Name)), e.FakeArgsType(), e,
				func(*model.Param) expr { return id("any") })
		}
		for _, m := range e.Methods {
			c := k.call(f, e, m)
			c.match(f)
			c.is(f, f.name(k.tested.Path, m.Constructor))
			c.expect(f)
		}
	}
}

// tested is a call of a method of the recorder, as the fake's functions take it.
type tested struct {
	event  *model.Event
	method *model.Method
	// typed are the method's parameters. The loose ones take Any in place of a value. Neither hide a name of the file.
	typed, loose []parameter
	// objects are references to the event's objects. related and args are empty if it has none.
	objects       []expr
	related, args expr
}

func (k fake) call(f *file, e *model.Event, m *model.Method) tested {
	typed, used := f.parameters(e, m), map[string]bool{}
	for i := range typed {
		typed[i].name = k.m.Param(typed[i].name, used)
	}
	c := tested{event: e, method: m, typed: typed, loose: slices.Clone(typed), objects: []expr{f.reference(m.Regarding, typed[0].name)}}
	for i, a := range e.Also {
		c.objects = append(c.objects, f.reference(a.Object, typed[1+i].name))
	}
	n := len(c.objects)
	if e.Related != nil {
		c.related = f.relatedReference(e.Related.Object, typed[n].name)
		n++
	}
	switch values := c.loose[n:]; {
	case e.ArgsType != "":
		typed[n].goType, values[0].goType = f.name(k.tested.Path, e.ArgsType), id(e.FakeArgsType())
		c.args = f.expected("ArgsOrAny", e.Params, func(i int) string { return values[0].name + "." + e.Params[i].Field })
	case len(values) > 0:
		for i := range values {
			values[i].goType = id("any")
		}
		c.args = f.expected("Args", e.Params, func(i int) string { return values[i].name })
	}
	return c
}

// reference refers to an object that an event is about. Its kind may be one of several, so a nil object has it too. o is nil for a closed
// set of kinds.
func (f *file) reference(o *model.Object, name string) expr {
	if o == nil || o.Any {
		return call(f.testing("RefAny"), id(name))
	}
	return call(f.testing("RefAs"), id(name), str(o.Kind.APIVersion), str(o.Kind.Kind))
}

func (f *file) relatedReference(o *model.Object, name string) expr {
	if o.Any {
		return f.reference(o, name)
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

// passed returns a call with the parameters as its arguments, and dots behind it if the method records several events.
func (c tested) passed(function expr) expr {
	names := make([]expr, len(c.typed))
	for i, p := range c.typed {
		names[i] = id(p.name)
	}
	made := call(function, names...)
	if len(c.event.Also) > 0 {
		made = join(made, id("..."))
	}
	return made
}

// matcher returns the function of a matcher, or of one for each of several events.
func (c tested) matcher(f *file, name, one, several string, params []parameter, body jen.Code) function {
	fn := function{doc: sentences(one, name, c.method.Name), name: name, params: params, result: f.testing("Matcher"), body: []jen.Code{body}}
	if len(c.event.Also) > 0 {
		fn.doc, fn.result = sentences(several, name, c.method.Name), join(id("[]"), fn.result)
	}
	return fn
}

// match writes the function that makes a matcher of values and Any.
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
	f.function(c.matcher(f, c.method.Matcher(), "%s matches what %s records. A nil object matches any.",
		"%s has a matcher for each event that %s records: one for each object that is not nil. If all objects are nil, "+
			"its only matcher matches such an event about any object.", c.loose, body))
}

// is writes the matcher whose parameters are those of the method.
func (c tested) is(f *file, constructor expr) {
	same := "Same"
	if len(c.event.Also) > 0 {
		same = "SameEach"
	}
	f.function(c.matcher(f, c.method.TypedMatcher(), "%s matches what %s records of just these values.",
		"%s has a matcher for each event that %s records of just these values.", c.typed,
		calling(join(id("return "), f.testing(same)), []expr{c.passed(constructor)})))
}

// expect writes the method of the fake.
func (c tested) expect(f *file) {
	expect := id("return fake.ExpectContains")
	expect.width++ // its lines have always been a column shorter, and generated bytes are an API
	f.function(function{
		doc: sentences("%s expects what %s records.", c.method.Expect(), c.method.Name), receiver: "fake *Fake", name: c.method.Expect(),
		params: c.loose, result: id("bool"),
		body: []jen.Code{
			jen.Id("fake.t.Helper").Call(),
			calling(expect, []expr{id("fake.t"), c.passed(id(c.method.Matcher()))}),
		},
	})
}
