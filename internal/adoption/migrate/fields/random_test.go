package fields

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// random writes a random program, and notes what it does with each recorder: the model that expect reads. It has a package lib, a package
// use that imports it, and a function of a test that runs all and prints what fakes got.
type random struct {
	rnd           *rand.Rand
	id            int
	places        []*place
	lib, use, run strings.Builder
	inside        strings.Builder // a test in the package lib
	// forms counts what was written, so that the test can tell that all forms were tried.
	forms map[string]int
	names int
	// libEnd and useEnd are declarations for the ends of the packages.
	libEnd, useEnd string
	// vocabulary are forms to draw from. Each that is drawn is a file of the program.
	t           *testing.T
	vocabulary  []*form
	files       map[string]string
	moves, left []string // places of the forms that are drawn, but for the parameter of Run
}

// place is what the model knows of a field, parameter, result or variable.
type place struct {
	name, kind string
	// group is a number that places share which must have one type.
	group int
	to    []*place
	// catalogs are those whose calls are made on it.
	catalogs []string
	bad      string // a use that holds it
	nil      bool   // it is compared with nil
	// in is what is stored: another place, or "nil", "fake" or "made" for a recorder that is there.
	in []stored
}

type stored struct {
	from *place
	what string
}

const fileHead = `
import (
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
%s)

var _, _ = fmt.Fprint, io.Discard

var _ runtime.Object

var _ *corev1.Pod

var _ record.EventRecorder

`

func newRandom(t *testing.T, seed uint64, id int, forms map[string]int, vocabulary []*form) *random {
	r := &random{
		rnd: rand.New(rand.NewPCG(seed, uint64(id))), id: id, forms: forms, t: t, vocabulary: vocabulary, files: map[string]string{},
	}
	fmt.Fprintf(&r.lib, "package lib%d\n"+fileHead, id, "")
	fmt.Fprintf(&r.use, "package use%d\n"+fileHead, id, fmt.Sprintf("\n\t\"example.com/random/lib%d\"\n", id))
	fmt.Fprintf(&r.inside, "package lib%d\n"+fileHead, id, "")
	fmt.Fprintf(&r.use, "var _ lib%d.Any\n", id)
	fmt.Fprintf(&r.lib, "// Any is used.\ntype Any any\n\nfunc consume(any) {}\n\n")
	fmt.Fprintf(&r.use, "func consume(any) {}\n\n")
	setter := r.rnd.IntN(2) == 0
	if setter {
		p := r.place("parameter", fmt.Sprintf("Set%d r", id))
		p.group = 1
		fmt.Fprintf(&r.lib, "// Setter is implemented below.\ntype Setter interface{ Set%d(r record.EventRecorder) }\n\n", id)
		through := r.place("parameter", fmt.Sprintf("Apply%d r", id))
		flow(through, p)
		fmt.Fprintf(&r.lib, "// Apply%d sets it.\nfunc Apply%d(s Setter, r record.EventRecorder) { s.Set%d(r) }\n\n", id, id, id)
	}
	for i := range 1 + r.rnd.IntN(3) {
		r.structure(&r.lib, fmt.Sprintf("lib%d.", id), i, setter)
	}
	if r.rnd.IntN(2) == 0 {
		r.structure(&r.use, fmt.Sprintf("use%d.", id), 9, false)
	}
	return r
}

func (r *random) name(base string) string {
	r.names++
	return fmt.Sprintf("%s%dx%d", base, r.id, r.names)
}

func (r *random) place(kind, name string) *place {
	p := &place{name: name, kind: kind, group: 100 + len(r.places)}
	r.places = append(r.places, p)
	return p
}

func (r *random) chance(percent int) bool { return r.rnd.IntN(100) < percent }

func flow(from, to *place) {
	from.to = append(from.to, to)
	to.in = append(to.in, stored{from: from})
}

// structure writes a struct that holds a recorder, its methods, and the scenario that runs them.
func (r *random) structure(out *strings.Builder, qualifier string, i int, setter bool) {
	name := fmt.Sprintf("S%dx%d", r.id, i)
	field, written := "Recorder", "Recorder record.EventRecorder"
	switch r.rnd.IntN(4) {
	case 0:
		field, written = "recorder", "recorder record.EventRecorder"
	case 1:
		field, written = "EventRecorder", "record.EventRecorder"
	}
	f := r.place("field", name+"."+field)
	var second *place
	if field == "Recorder" && r.chance(20) { // names of one declaration have one type
		written = "Recorder, Second record.EventRecorder"
		second = r.place("field", name+".Second")
		f.group = 1000 + i
		second.group = f.group
	}
	fmt.Fprintf(out, "// %s holds a recorder.\ntype %s struct {\n\tName string\n\t%s\n}\n\n", name, name, written)
	calls := r.constructor(out, qualifier, name, field, f)
	expr := "s." + field
	embedded := field == "EventRecorder"
	for range 1 + r.rnd.IntN(4) {
		method := r.name("Do")
		fmt.Fprintf(out, "// %s records.\nfunc (s *%s) %s(pod *corev1.Pod) {\n", method, name, method)
		on := expr
		if embedded && r.chance(50) {
			on = "s"
		}
		r.statement(out, f, expr, on)
		fmt.Fprintf(out, "}\n\n")
		calls += fmt.Sprintf("\ts.%s(pod)\n", method)
	}
	if second != nil && r.chance(50) {
		method := r.name("Do")
		fmt.Fprintf(out, "// %s records.\nfunc (s *%s) %s(pod *corev1.Pod) {\n\tif len(s.Name) > 0 {\n", method, name, method)
		r.typed(out, second, "s.Second")
		fmt.Fprintf(out, "\t}\n}\n\n")
	}
	if r.chance(40) {
		method := r.name("Rec")
		p := r.place("result", method)
		flow(f, p)
		fmt.Fprintf(out, "// %s returns it.\nfunc (s *%s) %s() record.EventRecorder { return %s }\n\n", method, name, method, expr)
		user := r.name("user")
		fmt.Fprintf(out, "func %s(s *%s, pod *corev1.Pod) {\n", user, name)
		r.statement(out, p, "s."+method+"()", "s."+method+"()")
		fmt.Fprintf(out, "}\n\nvar _ = %s\n\n", user)
	}
	if setter {
		p := r.place("parameter", fmt.Sprintf("Set%d r", r.id))
		p.group = 1
		fmt.Fprintf(out, "// Set%d sets it.\nfunc (s *%s) Set%d(r record.EventRecorder) {", r.id, name, r.id)
		if r.chance(70) {
			flow(p, f)
			fmt.Fprintf(out, " %s = r ", expr)
		}
		fmt.Fprintf(out, "}\n\n")
	}
	if out == &r.lib && r.chance(40) {
		r.insider(name, field, f)
	}
	r.scenario(name, calls)
}

// insider writes a test of the package itself, which may read its fake.
func (r *random) insider(name, field string, f *place) {
	r.forms["insider"]++
	v := r.place("variable", "inside"+name)
	v.in = append(v.in, stored{what: "fake"})
	flow(v, f)
	fmt.Fprintf(&r.inside, "func inside%s() *%s {\n\t%s := record.NewFakeRecorder(1)\n", name, name, v.name)
	if r.chance(50) {
		v.bad = "channel"
		fmt.Fprintf(&r.inside, "\tconsume(%s.Events)\n", v.name)
	}
	fmt.Fprintf(&r.inside, "\treturn &%s{%s: %s}\n}\n\nvar _ = inside%s\n\n", name, field, v.name, name)
}

// constructor writes how the struct is made, and returns the text that makes it in the test.
func (r *random) constructor(out *strings.Builder, qualifier, name, field string, f *place) string {
	p := r.place("parameter", "New"+name+" r")
	flow(p, f)
	made := fmt.Sprintf("&%s{%s: r}", name, field)
	if r.chance(30) && field != "Recorder" {
		made = fmt.Sprintf("&%s{\"\", r}", name)
	}
	fmt.Fprintf(out, "// New%s makes one.\nfunc New%s(r record.EventRecorder) *%s {\n", name, name, name)
	busy := r.chance(20)
	if busy {
		fmt.Fprintf(out, "\tpod := &corev1.Pod{}\n\tconsume(pod)\n")
		r.statement2(out, p, "r")
	}
	fmt.Fprintf(out, "\treturn %s\n}\n\n", made)
	fake := "fake" + name
	switch r.rnd.IntN(4) {
	case 0: // a fake that nobody reads
		p.in = append(p.in, stored{what: "fake"})
		return fmt.Sprintf("\ts := %sNew%s(record.NewFakeRecorder(100))\n", qualifier, name)
	case 1: // it is in a variable
		v := r.place("variable", fake)
		v.in = append(v.in, stored{what: "fake"})
		flow(v, p)
		return fmt.Sprintf("\t%s := record.NewFakeRecorder(100)\n\ts := %sNew%s(%s)\n", fake, qualifier, name, fake)
	}
	v := r.place("variable", fake)
	v.in = append(v.in, stored{what: "fake"})
	v.bad = "channel"
	flow(v, p)
	text := fmt.Sprintf("\t%s := record.NewFakeRecorder(100)\n\tdefer func() {\n\t\tfor len(%s.Events) > 0 {\n\t\t\tfmt.Println(%q, <-%s.Events)\n\t\t}\n\t}()\n", fake, fake, name, fake)
	if field == "Recorder" && r.chance(40) {
		v.to, p.in = nil, nil
		flow(v, f)
		return text + fmt.Sprintf("\ts := &%s%s{Recorder: %s}\n", qualifier, name, fake)
	}
	if !busy && r.chance(20) {
		p.in = append(p.in, stored{what: "nil"})
		text += fmt.Sprintf("\t_ = %sNew%s(nil)\n", qualifier, name)
	}
	return text + fmt.Sprintf("\ts := %sNew%s(%s)\n", qualifier, name, fake)
}

// scenario is the test of one struct.
func (r *random) scenario(name, calls string) {
	fmt.Fprintf(&r.run, "func run%s(pod *corev1.Pod) {\n%s\tfmt.Println(%q)\n}\n\n", name, calls, name)
}

// typed writes a call that becomes a typed one.
func (r *random) typed(out *strings.Builder, p *place, on string) {
	text := []string{
		`%s.Eventf(pod, corev1.EventTypeNormal, "Scaled", "Scaled to %%d", len(pod.Name))`,
		`%s.Event(pod, corev1.EventTypeWarning, "Failed", "Failed")`,
		`defer %s.Event(pod, corev1.EventTypeWarning, "Failed", "Failed")`,
		`func() { %s.Event(pod, corev1.EventTypeWarning, "Failed", "Failed") }()`,
	}[r.rnd.IntN(4)]
	catalog := "podsevents"
	if r.chance(5) {
		text, catalog = `%s.Event(pod, corev1.EventTypeNormal, "Drained", "Drained")`, "nodesevents"
		r.forms["catalogs"]++
	}
	p.catalogs = append(p.catalogs, catalog)
	if field, found := strings.CutPrefix(on, "s."); found && !strings.Contains(field, "(") && r.chance(20) {
		r.forms["copy"]++
		fmt.Fprintf(out, "\tcopied := *s\n")
		on = "copied." + field
	}
	fmt.Fprintf(out, "\t"+text+"\n", on)
}

// badUses are uses that hold a place, by their form.
var badUses = []struct{ form, text string }{
	{"dynamic", `REC.Event(pod, corev1.EventTypeNormal, pod.Name, "dynamic")`},
	{"method value", `f := REC.Event; f(pod, "Normal", "Scaled", "Scaled to 7")`},
	{"assertion", `_, ok := REC.(*record.FakeRecorder); consume(ok)`},
	{"any", `consume(REC)`},
	{"slice", `list := []record.EventRecorder{REC}; consume(list)`},
	{"map", `m := map[string]record.EventRecorder{"a": REC}; consume(m)`},
	{"channel", `ch := make(chan record.EventRecorder, 1); ch <- REC`},
	{"interface", "var i interface{ Event(object runtime.Object, eventtype, reason, message string) } = REC\n\tconsume(i)"},
	{"literal", `func(r record.EventRecorder) { consume(r) }(REC)`},
	{"closure", `get := func() record.EventRecorder { return REC }; consume(get)`},
	{"switch", "switch REC {\n\tcase nil:\n\t}"},
	{"compared", `consume(REC == record.EventRecorder(nil))`},
}

// statement writes a use of a place. Expr is the place, and on what a method is called on: for an embedded recorder it may be the struct.
func (r *random) statement(out *strings.Builder, p *place, expr, on string) {
	if r.chance(55) {
		r.typed(out, p, on)
		return
	}
	if on == "s" && r.chance(30) {
		p.bad = "struct"
		r.forms["struct"]++
		fmt.Fprintf(out, "\tvar r record.EventRecorder = s\n\tconsume(r)\n")
		return
	}
	r.statement2(out, p, expr)
}

// statement2 writes another use.
func (r *random) statement2(out *strings.Builder, p *place, expr string) {
	switch n := r.rnd.IntN(15); {
	case out == &r.use && r.chance(40):
		r.across(out, p, expr)
	case n < 3:
		use := badUses[r.forms["bad"]%len(badUses)]
		r.forms["bad"]++
		p.bad = use.form
		r.forms[use.form]++
		fmt.Fprintf(out, "\t%s\n", strings.ReplaceAll(use.text, "REC", expr))
	case n < 4:
		p.nil = true
		r.forms["nil"]++
		fmt.Fprintf(out, "\tif %s %s nil {\n\t\tconsume(0)\n\t}\n", expr, []string{"==", "!="}[r.rnd.IntN(2)])
	case n < 6:
		r.forms["local"]++
		v := r.place("variable", r.name("local"))
		flow(p, v)
		declare := []string{"%s := %s", "var %s = %s", "var %s record.EventRecorder = %s"}[r.rnd.IntN(3)]
		fmt.Fprintf(out, "\t"+declare+"\n", v.name, expr)
		r.typed(out, v, v.name)
	case n < 7:
		r.forms["two"]++
		a, b := r.place("variable", r.name("a")), r.place("variable", r.name("b"))
		flow(p, a)
		flow(p, b)
		fmt.Fprintf(out, "\t%s, %s := %s, %s\n", a.name, b.name, expr, expr)
		r.typed(out, a, a.name)
		r.typed(out, b, b.name)
	case n < 10:
		r.forms["function"]++
		r.function(out, p, expr)
	case n < 12:
		r.forms["results"]++
		r.results(out, p, expr)
	default:
		r.drawn(out, p, expr)
	}
}

// drawn hands a place to a form of the vocabulary.
func (r *random) drawn(out *strings.Builder, p *place, expr string) {
	f := r.vocabulary[r.rnd.IntN(len(r.vocabulary))]
	r.forms["vocabulary"]++
	suffix := fmt.Sprintf("Of%dx%d", r.id, r.forms["vocabulary"])
	pkg := "lib"
	if out == &r.use {
		pkg = "use"
	}
	r.files[fmt.Sprintf("%s%d/form%s.go", pkg, r.id, suffix)] = f.source(r.t, "", fmt.Sprintf("%s%d", pkg, r.id), suffix)
	fmt.Fprintf(out, "\tRun%s(%s, pod)\n", suffix, expr)
	v := r.place("parameter", "Run"+suffix+" r")
	flow(p, v)
	v.catalogs = []string{"podsevents"}
	if f.left["Run r"] != "" {
		v.bad = f.name
	}
	for _, place := range f.moves {
		if place != "Run r" {
			r.moves = append(r.moves, f.renamed(r.t, place, suffix))
		}
	}
	for place := range f.left {
		if place != "Run r" {
			r.left = append(r.left, f.renamed(r.t, place, suffix))
		}
	}
}

// drawable are the forms that the model knows enough of: it does not know which of their places are compared with nil.
func drawable(forms []*form) (out []*form) {
	for _, f := range forms {
		if _, left := f.left["Run r"]; f.one() && !strings.Contains(f.files[""], "nil") && (left || slices.Contains(f.moves, "Run r")) {
			out = append(out, f)
		}
	}
	return out
}

// across hands a place of one package to a struct of the other, and records on that struct's field if it is exported.
func (r *random) across(out *strings.Builder, p *place, expr string) {
	r.forms["across"]++
	name := fmt.Sprintf("S%dx0", r.id)
	flow(p, r.named("New"+name+" r"))
	fmt.Fprintf(out, "\tother := lib%d.New%s(%s)\n\tconsume(other.Name)\n", r.id, name, expr)
	for _, field := range []string{"Recorder", "EventRecorder"} {
		if f := r.named(name + "." + field); f != nil {
			r.typed(out, f, "other."+field)
		}
	}
}

func (r *random) named(name string) *place {
	for _, p := range r.places {
		if p.name == name {
			return p
		}
	}
	return nil
}

// function hands a place to a function literal's sibling: a declared function, which may be generic.
func (r *random) function(out *strings.Builder, p *place, expr string) {
	name := r.name("record")
	v := r.place("parameter", name+" r")
	flow(p, v)
	text, arg := "func "+name+"(r record.EventRecorder, pod *corev1.Pod) {\n", ""
	if r.chance(30) {
		text, arg = "func "+name+"[T any](r record.EventRecorder, pod *corev1.Pod, _ T) {\n", ", 1"
	}
	var body strings.Builder
	r.typed(&body, v, "r")
	if r.chance(30) {
		v.nil = true
		body.WriteString("\tif r == nil {\n\t\treturn\n\t}\n")
	}
	fmt.Fprintf(out, "\t%s(%s, pod%s)\n", name, expr, arg)
	r.after(out, text+body.String()+"}\n\n")
}

// results hands a place through a function with two results.
func (r *random) results(out *strings.Builder, p *place, expr string) {
	name := r.name("both")
	v, result, local := r.place("parameter", name+" r"), r.place("result", name), r.place("variable", r.name("got"))
	flow(p, v)
	flow(v, result)
	flow(result, local)
	local.in[0].what = "tuple"
	fmt.Fprintf(out, "\t%s, err := %s(%s)\n\tconsume(err)\n", local.name, name, expr)
	r.typed(out, local, local.name)
	r.after(out, "func "+name+"(r record.EventRecorder) (record.EventRecorder, error) { return r, nil }\n\n")
}

// after keeps a declaration for the end of the package.
func (r *random) after(out *strings.Builder, text string) {
	if out == &r.use {
		r.useEnd += text
	} else {
		r.libEnd += text
	}
}
