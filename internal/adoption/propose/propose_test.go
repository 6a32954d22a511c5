package propose

import (
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// TestParamName holds that a param has its expression's name where there is one.
func TestParamName(t *testing.T) {
	for expr, want := range map[string]string{
		"err":                             "err",
		"job.Name":                        "name",
		"job.ObjectMeta.Name":             "name",
		"job.GetName()":                   "name",
		"len(pods)":                       "podsCount",
		"*d.Spec.Replicas":                "replicas",
		"x.URLPath":                       "urlPath",
		"node.UID":                        "uid",
		"err.Error()":                     "err",
		"strings.Join(names, \" \")":      "names",
		"getTarget(es)":                   "target",
		"items[0]":                        "items",
		"a + b":                           "a",
		"type_":                           "typeValue",
		"x.Type":                          "xType",
		"regarding":                       "regardingValue",
		"func() string { return \"\" }()": "value",
	} {
		x, err := parser.ParseExpr(expr)
		if err != nil {
			t.Fatal(err)
		}
		if got := paramName(x, nil); got != want {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}

func TestIdentifier(t *testing.T) {
	for reason, want := range map[string]string{
		"Created": "Created", "cert-manager.io": "CertManagerIo", "scale failed": "ScaleFailed", "3Strikes": "Event3Strikes", "äö": "Event",
	} {
		if got := identifier(reason); got != want {
			t.Errorf("%s: %s, want %s", reason, got, want)
		}
	}
}

// TestFits compares the proposed bounds with the generator's sum: the longest message, with the
// least number of bytes for the one param without a bound, fits into a note.
func TestFits(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
		e := &Event{}
		var b strings.Builder
		for i := range rapid.IntRange(0, mostParams).Draw(t, "params") {
			p := &Param{
				Name: fmt.Sprintf("p%d", i), Precision: -1,
				Type: rapid.SampledFrom([]string{"string", "error", "name", "namespace", "int", "bool", "namespacedName", "uid"}).Draw(t, "type"),
			}
			e.Params = append(e.Params, p)
			for range rapid.IntRange(0, 2).Draw(t, "uses") {
				b.WriteString(rapid.StringMatching(`[a-z ]{0,200}`).Draw(t, "literal") + "{" + p.Name + "}")
			}
		}
		e.Message = b.String() + rapid.SampledFrom([]string{"", "{regarding.name}", "{related.namespace}"}).Draw(t, "object")
		if !e.fit() {
			return
		}
		total, open := 0, 0
		for i, text := range strings.Split(strings.ReplaceAll(e.Message, "}", "{"), "{") {
			if i%2 == 0 {
				total += len(text)
				continue
			}
			if _, part, ok := strings.Cut(text, "."); ok {
				total += objectParts["."+part]
				continue
			}
			p := e.Params[slices.IndexFunc(e.Params, func(p *Param) bool { return p.Name == text })]
			switch {
			case p.MaxBytes > 0:
				total += p.MaxBytes
			case fixed[p.Type] > 0:
				total += fixed[p.Type]
			default:
				total += leastRest
				open++
			}
		}
		if total > mostNote || open > 1 {
			t.Fatalf("%s takes %d bytes, with %d params without bound", e.Message, total, open)
		}
	})
}

// TestNamesAreTaken holds that no two events get one method, kinds included.
func TestNamesAreTaken(t *testing.T) {
	c := &Catalog{}
	for _, regarding := range [][]string{{"A"}, {"A", "B"}, {"B"}, {"A"}} {
		for _, message := range []string{"done", "done {x}", "Ready"} {
			c.Events = append(c.Events, &Event{Reason: "Ready", Regarding: regarding, Message: message})
		}
	}
	c.Events = append(c.Events, &Event{Reason: "ReadyOnA", Regarding: []string{"A"}}, &Event{Reason: "Emit", Regarding: []string{"A"}})
	c.name()
	seen := map[string]bool{}
	for _, e := range c.Events {
		names := []string{e.Name}
		if len(e.Regarding) > 1 {
			names = []string{e.Name + "On" + e.Regarding[0], e.Name + "On" + e.Regarding[1]}
		}
		for _, n := range names {
			if seen[n] || n == "Emit" || !ast.IsExported(n) {
				t.Errorf("%s is taken, or can't be", n)
			}
			seen[n] = true
		}
	}
}

// TestScalar: a text that YAML would take for something else is quoted.
func TestScalar(t *testing.T) {
	for text, want := range map[string]string{
		"Ready": "Ready", "No": `"No"`, "y": `"y"`, "a b": `"a b"`, "1.10": `"1.10"`, "x: y": `"x: y"`, "": `""`, "<a>": `"<a>"`, "\"": `"\""`,
	} {
		if got := scalar(text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestReportingController: the catalog names the controller if all recorders name the same.
// Otherwise it has a marked gap, because lint would refuse a name that is not qualified.
func TestReportingController(t *testing.T) {
	const qualified, gap = "  reportingController: ", "  # TODO: reportingController: "
	for names, want := range map[string]string{
		"":                      gap + "the code does not say the name that its recorders report as.\n",
		"widgets":               qualified + "widgets\n",
		"example.com/widgets":   qualified + "example.com/widgets\n",
		"widgets,widgets":       qualified + "widgets\n",
		"true":                  qualified + "\"true\"\n",
		"the widgets":           gap + "the recorders report as \"the widgets\", which is no qualified name.\n",
		"a/b/c":                 gap + "the recorders report as \"a/b/c\", which is no qualified name.\n",
		strings.Repeat("a", 64): gap + "the recorders report as \"" + strings.Repeat("a", 64) + "\", which is no qualified name.\n",
		"widgets,gadgets":       "  # The program's recorders report as widgets, gadgets: each gives its name, rec.WithReportingController(…).\n",
	} {
		r := &scan.Result{}
		for _, name := range strings.FieldsFunc(names, func(c rune) bool { return c == ',' }) {
			r.Controllers = append(r.Controllers, scan.Controller{Name: name})
		}
		var b strings.Builder
		From(r, Options{}).writeController(&b)
		if b.String() != want {
			t.Errorf("%s: %q, want %q", names, b.String(), want)
		}
	}
}
