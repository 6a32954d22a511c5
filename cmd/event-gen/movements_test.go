package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// movements writes a program with random functions, which compute texts, do something else, and
// record the texts: movements FILE COUNT. The program prints the recorded events.
func movements(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: movements FILE COUNT")
	}
	g := &mover{Rand: rand.New(rand.NewPCG(scriptSeed, 0))}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(g.program(number(ts, args[1]))), 0o644))
}

// moved fails unless a file has the verdicts of at least COUNT rewritten sites with literal text:
// moved FILE COUNT.
func moved(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: moved FILE COUNT")
	}
	var verdicts struct {
		Summary struct{ Placeholders, Rewritten, Left int } `json:"summary"`
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &verdicts))
	ts.Logf("%+v", verdicts.Summary)
	if got := verdicts.Summary.Placeholders; got < number(ts, args[1]) {
		ts.Fatalf("%d sites have literal text, want at least %s: nothing is shown", got, args[1])
	}
}

// mover writes random functions.
type mover struct {
	*rand.Rand
	next int
}

const moverHead = `package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type recorder struct{}

func (recorder) Eventf(object runtime.Object, eventtype, reason, format string, args ...any) {
	fmt.Printf("%s %q\n", reason, fmt.Sprintf(format, args...))
}

type Box struct {
	N  int
	S  string
	In *Box
}

func (b *Box) GetN() int      { return b.N }
func (b *Box) String() string { return "box " + b.S + strconv.Itoa(b.N) }
func (b *Box) Bump()          { b.N++ }
func (b *Box) Set(n int)      { b.set(n) }
func (b *Box) set(n int)      { b.N = n }

// holder holds a box that its callers do not name.
type holder struct{ box *Box }

func (h holder) touch()    { h.box.Bump() }
func (h holder) look() int { return h.box.N }

var (
	global = 1
	kept   = &Box{}
)

func setGlobal()           { global++ }
func touch()               { kept.N++; kept.S += "k" }
func bump(b *Box)          { b.N += 10 }
func look(b *Box) int      { return b.N }
func add(n int) int        { return n + 1 }
func fill(l []string)      { l[0] += "f" }
func put(m map[string]int) { m["k"]++ }
func extend(s *string)     { *s += "!" }
func rename(p *corev1.Pod) { p.Name += "r" }

func use(...any) {}
`

// program returns the whole program.
func (g *mover) program(count int) string {
	var b, calls strings.Builder
	b.WriteString(moverHead)
	for n := range count {
		fmt.Fprintf(&b, "\nfunc f%d(r recorder, pod *corev1.Pod, a, b int, s string, p, q *Box, list []string, m map[string]int, err error, h holder) {\n%s}\n",
			n, g.function(fmt.Sprintf("F%d", n)))
		fmt.Fprintf(&calls, "\trun(f%d)\n", n)
	}
	b.WriteString(`
func run(f func(r recorder, pod *corev1.Pod, a, b int, s string, p, q *Box, list []string, m map[string]int, err error, h holder)) {
	for _, alias := range []bool{false, true} {
		pod := &corev1.Pod{}
		pod.Name, pod.Namespace, pod.Labels, global = "pod", "ns", map[string]string{"x": "label"}, 1
		p, q := &Box{1, "p", &Box{2, "pin", nil}}, &Box{3, "q", &Box{4, "qin", nil}}
		if alias {
			q = p
		}
		kept = p
		f(recorder{}, pod, 1, 2, "s", p, q, []string{"one", "two"}, map[string]int{"k": 1}, errors.New("no"), holder{p})
	}
}

func main() {
	use(strings.ToUpper, strconv.Itoa)
` + calls.String() + "}\n")
	return b.String()
}

// function returns the body of a function that records a text.
func (g *mover) function(reason string) string {
	var b strings.Builder
	b.WriteString("\tx, y := 1, \"y\"\n\tbox := Box{5, \"local\", &Box{6, \"lin\", nil}}\n\tptr, alias := &x, p\n\tuse(x, y, ptr, alias, &box)\n")
	b.WriteString(g.statements(2))
	define, record := g.text(), g.record(reason)
	between := g.statements(3)
	switch g.IntN(8) {
	case 0: // text and call in a loop
		fmt.Fprintf(&b, "\tfor range 2 {\n%s%s%s%s\t}\n", define, between, record, g.statements(2))
	case 1: // the call in a loop; statements after it affect the next iteration
		fmt.Fprintf(&b, "%s\tfor range 2 {\n%s%s\t}\n", define, record, between)
	case 2:
		fmt.Fprintf(&b, "%s\tif a < 100 {\n%s%s\t}\n", define, between, record)
	case 3:
		fmt.Fprintf(&b, "%s\tfunc() {\n%s%s\t}()\n", define, between, record)
	case 4:
		fmt.Fprintf(&b, "%s%s\tdefer %s%s", define, between, strings.TrimSpace(record)+"\n", g.statements(2))
	default:
		b.WriteString(define + between + record + g.statements(1))
	}
	return b.String()
}

func (g *mover) pick(list ...string) string { return list[g.IntN(len(list))] }

// text returns the statements that compute the text.
func (g *mover) text() string {
	var format, args []string
	for range 1 + g.IntN(3) {
		verb, expr, _ := strings.Cut(g.argument(), " ")
		format, args = append(format, verb), append(args, expr)
	}
	text := fmt.Sprintf("fmt.Sprintf(%q, %s)", "text "+strings.Join(format, " and "), strings.Join(args, ", "))
	switch g.IntN(6) {
	case 0:
		return "\tpart := " + text + "\n" + g.statements(1) + "\tmsg := \"from \" + part\n"
	case 1:
		return "\tmsg := " + text + "\n\tif b > 2 {\n\t\tmsg += \" more\"\n\t}\n"
	case 2:
		return "\tvar msg string\n\tmsg = " + text + "\n"
	}
	return "\tmsg := " + text + "\n"
}

// record returns the call.
func (g *mover) record(reason string) string {
	text := g.pick(`"%s", msg`, `"%s", msg`, `"also %s", msg`, `"%s at %d", msg, a`)
	return fmt.Sprintf("\tr.Eventf(pod, \"Normal\", %q, %s)\n", reason, text)
}

// argument returns a verb and an expression.
func (g *mover) argument() string {
	return g.pick(
		"%d a", "%d b", "%v x", "%d a+b", "%s s", "%q s", "%v y", "%d p.N", "%s p.S", "%s q.S", "%d p.In.N", "%d box.N", "%s box.S", "%d box.In.N",
		"%d *ptr", "%d global", "%d p.GetN()", "%s p", "%v q", "%s p.String()", "%s &box", "%d len(list)", "%s list[0]", "%v list", "%s strings.Join(list, \"+\")",
		"%d m[\"k\"]", "%v m", "%s strings.ToUpper(s)", "%s strconv.Itoa(x)", "%d add(a)", "%d look(p)", "%v err", "%s err.Error()", "%s pod.Name", "%s pod.GetName()",
		"%s pod.Namespace", "%s pod.Labels[\"x\"]", "%d h.look()", "%d h.box.N", "%d alias.N", "%t a<b", "%5d a", "%d kept.N", "%s fmt.Sprint(a)",
	)
}

// statements returns up to most statements. Declarations use names of their own.
func (g *mover) statements(most int) string {
	var b strings.Builder
	for range g.IntN(most + 1) {
		b.WriteString("\t" + g.statement() + "\n")
	}
	return b.String()
}

func (g *mover) statement() string {
	g.next++
	s := g.pick(
		"a++", "a = b + 1", "b += 2", "x = 7", `s = "t" + s`, `y += "z"`, "p.N = 7", "q.N += 3", `p.S = "w"`, "p.In.N++", "p = q", "p, q = q, p", "p.In = q.In", "p = &Box{9, \"new\", &Box{}}",
		"box.N++", `box.S = "b"`, "box = Box{8, \"other\", &Box{}}", "*ptr = 11", "ptr = &a", "setGlobal()", "global = 4", "touch()", "bump(p)", "bump(q)", "bump(&box)", "use(look(p))",
		"p.Bump()", "p.In.Set(5)", "box.Bump()", "h.touch()", "use(h.look())", "alias.N = 12", "alias.Bump()", "bump(alias)", `list[0] = "zero"`, `list = append(list, "three")`, "fill(list)",
		`m["k"] = 5`, "put(m)", `delete(m, "k")`, "clear(m)", "copy(list, []string{\"c\"})", "extend(&s)", "extend(&p.S)", "extend(&y)", `err = errors.New("other")`, `pod.Name = "renamed"`, "rename(pod)",
		`pod.Labels["x"] = "z"`, "pod = pod.DeepCopy()", "use(a, s, p)", "fmt.Sprint(p)", "NAME := func() { a++ }; NAME()", "NAME := func() { p.Bump() }; NAME()", "NAME := p; NAME.N++",
		"NAME := &a; *NAME++", "NAME := &p.N; *NAME++", "NAME := []*Box{p}; NAME[0].N++", "NAME := list[:1]; NAME[0] = \"n\"", "NAME := m; NAME[\"k\"]++", "NAME := p.Bump; NAME()",
		"for NAME := range 2 { a += NAME }", "if b > 1 { a = 20 }", "switch a { case 1: s = \"one\" }", "for _, NAME := range []*Box{p, q} { NAME.N++ }", "h = holder{q}", "kept = q",
		"func() { s = \"in\" }()", "NAME := *p; NAME.N++; use(NAME)", "*p = Box{13, \"star\", &Box{}}", "NAME := &list[0]; *NAME = \"e\"", "NAME := make(chan int, 1); NAME <- 3; a = <-NAME",
	)
	return strings.ReplaceAll(s, "NAME", fmt.Sprintf("n%d", g.next))
}
