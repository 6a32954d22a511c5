package emit

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

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
	body, err := t.body([]section{k.declarations, k.events})
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
func (f *file) testing(name string) string { return f.name(model.EventtestPath, name) }

func (k fake) declarations(f *file) {
	f.doc([]string{"// Any matches every argument."})
	f.write("var Any = %s\n\n", f.testing("Any"))

	f.doc(sentences("Fake keeps every event that is recorded into it. Its own Expect methods each report all differences to the test " +
		"unless such an event was recorded, and ignore other events. To expect some events and no others, give matchers to Expect or " +
		"ExpectInOrder of the embedded fake. The Match functions take Any for an argument that does not matter; the parameters of the " +
		"Is functions have the types of the recorder's."))
	f.write("type Fake struct {\n\t*%s\n\tt %s\n}\n\n", f.testing("Fake"), f.testing("TB"))

	f.doc([]string{"// New returns an empty fake that reports to t."})
	f.write("func New(t %s) *Fake {\n\treturn &Fake{Fake: %s(), t: t}\n}\n\n", f.testing("TB"), f.testing("NewFake"))

	f.doc([]string{"// Recorder returns a recorder that records into the fake."})
	f.write("func (fake *Fake) Recorder() %s {\n\treturn %s(fake.Fake.Recorder())\n}\n",
		f.name(k.tested.Path, k.tested.Recorder), f.name(k.tested.Path, k.tested.NewRecorder))
}

// events writes two matchers and an Expect method for each method of the recorder.
func (k fake) events(f *file) {
	for _, e := range k.tested.Events {
		if e.ArgsType != "" {
			f.doc(sentences("%s are the expected params of event %s; nil matches any.", e.FakeArgsType(), oneLine(e.Name)))
			f.structOf(e.FakeArgsType(), e, func(*model.Param) string { return "any" })
		}
		for _, m := range e.Methods {
			c := k.call(f, e, m)
			c.match(f)
			c.is(f, f.name(k.tested.Path, m.Constructor))
			c.expect(f)
		}
	}
}

// call is a call of a method of the recorder, as the fake's functions take it.
type call struct {
	event  *model.Event
	method *model.Method
	// typed are the method's parameters. The loose ones take Any in place of a value. Neither hide a name of the file.
	typed, loose []parameter
	// objects are references to the event's objects. related and args are empty if it has none.
	objects       []string
	related, args string
}

func (k fake) call(f *file, e *model.Event, m *model.Method) call {
	typed, used := f.parameters(e, m), map[string]bool{}
	for i := range typed {
		typed[i].name = k.m.Param(typed[i].name, used)
	}
	c := call{event: e, method: m, typed: typed, loose: slices.Clone(typed), objects: []string{f.reference(m.Regarding, typed[0].name)}}
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
		typed[n].goType, values[0].goType = f.name(k.tested.Path, e.ArgsType), e.FakeArgsType()
		c.args = f.expected("ArgsOrAny", e.Params, func(i int) string { return values[0].name + "." + e.Params[i].Field })
	case len(values) > 0:
		for i := range values {
			values[i].goType = "any"
		}
		c.args = f.expected("Args", e.Params, func(i int) string { return values[i].name })
	}
	return c
}

// reference refers to an object that an event is about. Its kind may be one of several, so a nil object has it too. o is nil for a closed
// set of kinds.
func (f *file) reference(o *model.Object, name string) string {
	if o == nil || o.Any {
		return f.testing("RefAny") + "(" + name + ")"
	}
	return fmt.Sprintf("%s(%s, %q, %q)", f.testing("RefAs"), name, o.Kind.APIVersion, o.Kind.Kind)
}

func (f *file) relatedReference(o *model.Object, name string) string {
	if o.Any {
		return f.reference(o, name)
	}
	return f.testing("Ref") + "(" + name + ")"
}

// expected returns a matcher of an event's arguments.
func (f *file) expected(function string, params []*model.Param, value func(i int) string) string {
	values := make([]string, len(params))
	for i, p := range params {
		values[i] = value(i)
		if p.Extra != nil && *p.Extra != defaultSeparator {
			values[i] = fmt.Sprintf("%s(%s, %q)", f.testing("Joined"), values[i], *p.Extra)
		}
	}
	return f.testing(function) + "(" + strings.Join(values, ", ") + ")"
}

// passed returns a call with the parameters as its arguments.
func (c call) passed(function string) string {
	names := make([]string, len(c.typed))
	for i, p := range c.typed {
		names[i] = p.name
	}
	return function + "(" + strings.Join(names, ", ") + ")"
}

// match writes the function that makes a matcher of values and Any.
func (c call) match(f *file) {
	if len(c.event.Also) > 0 {
		c.matchEach(f)
		return
	}
	want := []line{{items: []string{"Name: " + strconv.Quote(c.event.Name)}}, {items: []string{"Regarding: " + c.objects[0]}}}
	if c.related != "" {
		want = append(want, line{items: []string{"Related: " + c.related}})
	}
	open, end := "", ""
	if c.args != "" {
		open, end = f.testing("All")+"(", ", "+c.args+")"
	}
	f.doc(sentences("%s matches what %s records. A nil object matches any.", c.method.Matcher(), c.method.Name))
	f.signature("func "+c.method.Matcher(), declared(c.loose), " "+f.testing("Matcher"))
	f.write("\treturn %s%s{\n", open, f.testing("Event"))
	f.keyed(want, 2)
	f.write("\t}%s\n}\n\n", end)
}

// matchEach is match for a method that records on several objects.
func (c call) matchEach(f *file) {
	want := fields{"Name: " + strconv.Quote(c.event.Name)}
	want.add("Related", c.related != "", c.related)
	args := append([]string{f.testing("Event") + want.literal(), cmp.Or(c.args, "nil")}, c.objects...)
	f.doc(sentences("%s has a matcher for each event that %s records: one for each object that is not nil. If all objects are nil, "+
		"its only matcher matches such an event about any object.", c.method.Matcher(), c.method.Name))
	f.function("func "+c.method.Matcher(), declared(c.loose), " []"+f.testing("Matcher"), "return "+f.testing("OnEach")+"(", args)
}

// is writes the matcher whose parameters are those of the method.
func (c call) is(f *file, constructor string) {
	text, result, same, made := "%s matches what %s records of just these values.", " ", "Same(", c.passed(constructor)
	if len(c.event.Also) > 0 {
		text, result, same, made = "%s has a matcher for each event that %s records of just these values.", " []", "SameEach(", made+"..."
	}
	f.doc(sentences(text, c.method.TypedMatcher(), c.method.Name))
	f.function("func "+c.method.TypedMatcher(), declared(c.typed), result+f.testing("Matcher"), "return "+f.testing(same), []string{made})
}

// expect writes the method of the fake.
func (c call) expect(f *file) {
	want := c.passed(c.method.Matcher())
	if len(c.event.Also) > 0 {
		want += "..."
	}
	f.doc(sentences("%s expects what %s records.", c.method.Expect(), c.method.Name))
	f.function("func (fake *Fake) "+c.method.Expect(), declared(c.loose), " bool",
		"fake.t.Helper()\n\treturn fake.ExpectContains(", []string{"fake.t", want})
}
