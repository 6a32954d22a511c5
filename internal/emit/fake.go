package emit

import (
	"fmt"
	"io"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/model"
)

// defaultSeparator is what eventtest joins lists with.
const defaultSeparator = ", "

// singles writes a literal on one line.
var singles = jen.Options{Open: "{", Close: "}", Separator: ","}

// Fake writes the Go file of the package for tests.
func Fake(w io.Writer, p *model.Package) error {
	m := p.Fake()
	f := fake{p: p, m: m}
	t := target{name: m.Name, path: m.Path, imports: m.Imports, p: p, doc: fakeDoc(p)}
	body, err := t.body([]section{f.declarations, f.matchers, f.helpers})
	if err != nil {
		return err
	}
	return writeGo(w, p, m.Source, body)
}

func fakeDoc(p *model.Package) []string {
	text := fmt.Sprintf("Package %stest holds a fake for tests of code that records the events of package %s.", p.Name, p.Name)
	return commentLines(paragraph(text))
}

// fake writes the parts of the file.
type fake struct {
	p *model.Package
	m *model.Fake
}

func (k fake) eventtest(name string) *jen.Statement {
	return jen.Qual("github.com/event-gen/event-gen/runtime/eventtest", name)
}

func (k fake) declarations(f *file) {
	f.Comment("Any matches every argument.")
	f.Var().Id("Any").Op("=").Add(k.eventtest("Any"))

	text := "Fake keeps every event that is recorded into it. Each of its own Expect methods reports all differences to the test " +
		"unless such an event was recorded, whatever others were. For what must have been recorded and nothing else, give the " +
		"Match functions, which take Any for what does not matter, or the Is functions, whose parameters have the types of the " +
		"recorder's, to Expect or ExpectInOrder of the embedded fake."
	comment(f, commentLines(paragraph(text)))
	f.Type().Id("Fake").Struct(jen.Op("*").Add(k.eventtest("Fake")), jen.Id("t").Add(k.eventtest("TB")))

	f.Comment("New returns an empty fake that reports to t.")
	f.Func().Id("New").Params(jen.Id("t").Add(k.eventtest("TB"))).Op("*").Id("Fake").Block(
		jen.Return(jen.Op("&").Id("Fake").Custom(singles, jen.Id("Fake").Op(":").Add(k.eventtest("NewFake")).Call(), jen.Id("t").Op(":").Id("t"))),
	)

	f.Comment("Recorder returns a recorder that records into the fake.")
	f.Func().Params(jen.Id("fake").Op("*").Id("Fake")).Id("Recorder").Params().Qual(k.p.Path, k.p.Recorder).Block(
		jen.Return(jen.Qual(k.p.Path, k.p.NewRecorder).Call(jen.Id("fake").Dot("Fake").Dot("Recorder").Call())),
	)
}

// matchers writes a matcher and an Expect method for each method of the recorder.
func (k fake) matchers(f *file) {
	for _, e := range k.p.Events {
		if e.ArgsType != "" {
			f.Commentf("%s are the expected params of event %s; nil matches any.", e.FakeArgsType(), e.Name)
			f.Type().Id(e.FakeArgsType()).StructFunc(func(g *jen.Group) {
				for _, p := range e.Params {
					g.Id(p.Field).Any()
				}
			})
		}
		for _, m := range e.Methods {
			k.method(f, e, m)
		}
	}
}

// signature is the parameters of a matcher, and their names to pass them on.
type signature struct {
	params, names      []jen.Code
	regarding, related string
	also               []string   // of alsoOn
	values             []jen.Code // an expression for each param
}

func (k fake) signature(e *model.Event, m *model.Method) signature {
	var s signature
	used := map[string]bool{}
	add := func(name string, t jen.Code) string {
		name = k.m.Param(name, used)
		s.params = append(s.params, jen.Id(name).Add(t))
		s.names = append(s.names, jen.Id(name))
		return name
	}
	s.regarding = add(m.RegardingName, regardingType(m))
	for i, a := range e.Also {
		s.also = append(s.also, add(m.AlsoNames[i], goType(a.Object.GoType)))
	}
	if e.Related != nil {
		s.related = add(m.RelatedName, goType(e.Related.Object.GoType))
	}
	if e.ArgsType != "" {
		args := add(m.ArgsName, jen.Id(e.FakeArgsType()))
		for _, p := range e.Params {
			s.values = append(s.values, expected(p, jen.Id("orAny").Call(jen.Id(args).Dot(p.Field))))
		}
		return s
	}
	for i, p := range e.Params {
		t := jen.Null()
		if i == len(e.Params)-1 {
			t = jen.Any() // of those before it, too
		}
		s.values = append(s.values, expected(p, jen.Id(add(p.GoName, t))))
	}
	return s
}

// expected is a value as eventtest compares it: it can't know the separator of a list, nor take an address.
func expected(p *model.Param, value *jen.Statement) *jen.Statement {
	switch {
	case p.Extra != nil && *p.Extra != defaultSeparator:
		return jen.Id("joined").Call(value, jen.Lit(*p.Extra))
	case p.ByAddress:
		return jen.Id("byAddress").Types(goType(p.GoType)).Call(value)
	}
	return value
}

func (k fake) method(f *file, e *model.Event, m *model.Method) {
	s := k.signature(e, m)
	if len(e.Also) > 0 {
		k.several(f, e, m, s)
		return
	}
	f.Commentf("%s matches what %s records. A nil object matches any.", m.Matcher(), m.Name)
	f.Func().Id(m.Matcher()).Params(s.params...).Add(k.eventtest("Matcher")).BlockFunc(func(g *jen.Group) {
		g.Id("want").Op(":=").Add(k.eventtest("Event")).Custom(singles, jen.Id("Name").Op(":").Lit(e.Name))
		k.about(g, s.regarding, m.Regarding)
		if e.Related != nil {
			k.object(g, "Related", s.related, e.Related.Object)
		}
		if len(s.values) == 0 {
			g.Return(jen.Id("want"))
			return
		}
		g.Return(k.eventtest("All").Call(jen.Id("want"), k.eventtest("Args").Call(s.values...)))
	})
	k.typed(f, e, m)
	k.expect(f, m, s)
}

// expect writes the method of the fake.
func (k fake) expect(f *file, m *model.Method, s signature, spread ...jen.Code) {
	f.Commentf("%s expects what %s records.", m.Expect(), m.Name)
	f.Func().Params(jen.Id("fake").Op("*").Id("Fake")).Id(m.Expect()).Params(s.params...).Bool().Block(
		jen.Id("fake").Dot("t").Dot("Helper").Call(),
		jen.Return(jen.Id("fake").Dot("ExpectContains").Call(jen.Id("fake").Dot("t"), jen.Id(m.Matcher()).Call(s.names...).Add(spread...))),
	)
}

// typed writes the matcher whose parameters are those of the method.
func (k fake) typed(f *file, e *model.Event, m *model.Method) {
	used := map[string]bool{}
	var params, names []jen.Code
	add := func(name string, t jen.Code) {
		name = k.m.Param(name, used)
		params = append(params, jen.Id(name).Add(t))
		names = append(names, jen.Id(name))
	}
	add(m.RegardingName, regardingType(m))
	for i, a := range e.Also {
		add(m.AlsoNames[i], goType(a.Object.GoType))
	}
	if e.Related != nil {
		add(m.RelatedName, goType(e.Related.Object.GoType))
	}
	if e.ArgsType != "" {
		add(m.ArgsName, jen.Qual(k.p.Path, e.ArgsType))
	} else {
		for _, p := range e.Params {
			add(p.GoName, goType(p.GoType))
		}
	}
	made := jen.Qual(k.p.Path, m.Constructor).Call(names...)
	if len(e.Also) > 0 {
		f.Commentf("%s has a matcher for each event that %s records of just these values.", m.TypedMatcher(), m.Name)
		f.Func().Id(m.TypedMatcher()).Params(params...).Index().Add(k.eventtest("Matcher")).Block(jen.Return(k.eventtest("SameEach").Call(made.Op("..."))))
		return
	}
	f.Commentf("%s matches what %s records of just these values.", m.TypedMatcher(), m.Name)
	f.Func().Id(m.TypedMatcher()).Params(params...).Add(k.eventtest("Matcher")).Block(jen.Return(k.eventtest("Same").Call(made)))
}

// about expects the object that an event is about.
func (k fake) about(g *jen.Group, name string, o *model.Object) {
	k.object(g, "Regarding", name, o)
	if o != nil && !o.Any {
		kind := o.Kind // one of several, maybe, that an event is about
		g.Id("want").Dot("Regarding").Dot("APIVersion").Op("=").Lit(kind.APIVersion)
		g.Id("want").Dot("Regarding").Dot("Kind").Op("=").Lit(kind.Kind)
	}
}

// several writes the functions for a method that records on several objects.
func (k fake) several(f *file, e *model.Event, m *model.Method, s signature) {
	f.Commentf("%s has a matcher for each event that %s records: one for each object that is not nil. If all objects are nil, its only matcher "+
		"matches such an event about any object.", m.Matcher(), m.Name)
	f.Func().Id(m.Matcher()).Params(s.params...).Index().Add(k.eventtest("Matcher")).BlockFunc(func(g *jen.Group) {
		g.Id("want").Op(":=").Add(k.eventtest("Event")).Custom(singles, jen.Id("Name").Op(":").Lit(e.Name))
		if e.Related != nil {
			k.object(g, "Related", s.related, e.Related.Object)
		}
		args := jen.Nil()
		if len(s.values) > 0 {
			args = k.eventtest("Args").Call(s.values...)
		}
		refs := []jen.Code{k.reference(s.regarding, m.Regarding)}
		for i, a := range e.Also {
			refs = append(refs, k.reference(s.also[i], a.Object))
		}
		g.Return(k.eventtest("OnEach").Call(append([]jen.Code{jen.Id("want"), args}, refs...)...))
	})
	k.typed(f, e, m)
	k.expect(f, m, s, jen.Op("..."))
}

// object expects a reference to an object; o is nil for a closed set of kinds.
func (k fake) object(g *jen.Group, field, name string, o *model.Object) {
	want := jen.Id("want").Dot(field)
	if o == nil || o.Any {
		g.Add(want).Op("=").Id("reference").Call(jen.Id(name)).Dot("Reference").Call()
		return
	}
	g.Add(want).Op("=").Add(k.eventtest("Ref")).Call(jen.Id(name))
}

// reference is a reference to an object and its kind; o is nil for a closed set of kinds.
func (k fake) reference(name string, o *model.Object) jen.Code {
	if o == nil || o.Any {
		return jen.Id("reference").Call(jen.Id(name)).Dot("Reference").Call()
	}
	return k.eventtest("RefAs").Call(jen.Id(name), jen.Lit(o.Kind.APIVersion), jen.Lit(o.Kind.Kind))
}

// helpers writes the functions that the matchers of this package need.
func (k fake) helpers(f *file) {
	if k.anyEvent(func(e *model.Event) bool { return e.ArgsType != "" }) {
		f.Comment("orAny is Any for nil.")
		f.Func().Id("orAny").Params(jen.Id("value").Any()).Any().Block(
			jen.If(jen.Id("value").Op("==").Nil()).Block(jen.Return(jen.Id("Any"))),
			jen.Return(jen.Id("value")),
		)
	}
	if k.anyEvent(hasAnyObject) {
		f.Comment("reference refers to an object of whatever kind, and whatever version of it.")
		f.Func().Id("reference").Params(jen.Id("obj").Add(runtimeObject())).Op("*").Add(rt("ObjectRef")).Block(
			jen.Id("o").Op(":=").Add(rt("AnyObject")).Call(jen.Id("obj")),
			jen.Id("o").Dot("ResourceVersion").Op("=").Lit(""),
			jen.Return(jen.Op("&").Id("o")),
		)
	}
	if k.anyParam(func(p *model.Param) bool { return p.Extra != nil && *p.Extra != defaultSeparator }) {
		f.Comment("joined is a list as its event holds it.")
		f.Func().Id("joined").Params(jen.Id("value").Any(), jen.Id("separator").String()).Any().Block(
			jen.If(jen.List(jen.Id("list"), jen.Id("ok")).Op(":=").Id("value").Assert(jen.Index().String()), jen.Id("ok")).Block(
				jen.Return(rt("Strings").Call(jen.Id("list"), jen.Id("separator")))),
			jen.Return(jen.Id("value")),
		)
	}
	if k.anyParam(func(p *model.Param) bool { return p.ByAddress }) {
		k.byAddress(f)
	}
}

func (k fake) byAddress(f *file) {
	f.Comment("byAddress is a value whose pointer has the String method, as its event holds it.")
	stringer := jen.InterfaceFunc(func(g *jen.Group) {
		g.Op("*").Id("T")
		g.Id("String").Params().String()
	})
	f.Func().Id("byAddress").Types(jen.Id("T").Any(), jen.Id("P").Add(stringer)).Params(jen.Id("value").Any()).Any().Block(
		jen.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Id("value").Assert(jen.Id("T")), jen.Id("ok")).Block(
			jen.Return(rt("Stringer").Call(jen.Id("P").Call(jen.Op("&").Id("v"))))),
		jen.Return(jen.Id("value")),
	)
}

func (k fake) anyEvent(has func(*model.Event) bool) bool { return slices.ContainsFunc(k.p.Events, has) }

func (k fake) anyParam(has func(*model.Param) bool) bool {
	return k.anyEvent(func(e *model.Event) bool { return slices.ContainsFunc(e.Params, has) })
}

func hasAnyObject(e *model.Event) bool {
	isAny := func(o *model.Object) bool { return o.Any }
	return e.Regarding.AnyOf || slices.ContainsFunc(e.Objects(), isAny) || e.Related != nil && e.Related.Object.Any
}

func regardingType(m *model.Method) *jen.Statement {
	if m.Regarding == nil {
		return runtimeObject()
	}
	return goType(m.Regarding.GoType)
}
