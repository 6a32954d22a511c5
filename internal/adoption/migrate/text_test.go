package migrate

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// drawnHead stands before drawn calls.
const drawnHead = `package drawn

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

const named, verb = "Scaled", "Scaled %s"

type row struct{ a, b string }

var recorder record.EventRecorder

var newer events.EventRecorder

func format(pod *corev1.Pod, reason, format string, args ...any) {
	recorder.Eventf(pod, "Warning", reason, format, args...)
}

func sprintf(pod *corev1.Pod, reason, format string, args ...any) {
	recorder.Event(pod, "Warning", reason, fmt.Sprintf(format, args...))
}

func f(pod *corev1.Pod, text string, n int, err error, args []any) {
	local, verbs, same, joined := "Scaled", "Scaled %s", text, "Scaled " + text
	made, percents, first, second := fmt.Sprintf("Made %s of %d", text, n), fmt.Sprintf("%d%% of %s", n, text), "Other " + text, "Scaled " + text
	if n != 7 {
		second = "Other " + text
	} else {
		first = "Scaled " + text
	}
	table, gone, pair, rows := map[string]string{"x": "Up"}, map[string]string{"x": "Up"}, [2]string{"Up"}, []row{{"Up", "Down"}, {b: "Down"}}
	delete(gone, "x")
	_, _, _, _, _, _, _, _, _, _, _, _ = local, verbs, same, joined, made, percents, first, second, table, gone, pair, rows
`

// drawnImports are the types of what drawnHead imports, read once.
var drawnImports = sync.OnceValues(func() (map[string]*types.Package, error) {
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile},
		"fmt", "k8s.io/api/core/v1", "k8s.io/client-go/tools/events", "k8s.io/client-go/tools/record")
	byPath := map[string]*types.Package{}
	for _, l := range loaded {
		byPath[l.PkgPath] = l.Types
	}
	return byPath, err
})

type drawnImporter map[string]*types.Package

func (i drawnImporter) Import(path string) (*types.Package, error) { return i[path], nil }

// The expressions of drawn calls: formats, and arguments.
var (
	drawnFormats = []string{
		"pod.Name", "text", "same", "joined", `pod.Name + ": %s"`, `"Scaled " + text`, `fmt.Sprintf("%s-driver", text)`, "fmt.Sprintf(text, n)", "err.Error()",
		"made", "percents", "first", "second", "named", "verb", "local", "verbs", "table[text]", "rows[1].a", `"Scaled"`, `"Scaled %s"`, `"%d of %s"`, `named + ": %s"`, `"%s"`,
	}
	drawnArguments = []string{"table[text]", `gone["x"]`, "pair[1]", "rows[1].a", "text", "n", "err", `"Up"`, "3", "pod.Name", "verbs", `fmt.Sprintf("Scaled", text)`, "fmt.Sprintf(text, n)", `fmt.Sprintf("%s", text)`}
	drawnCalls     = []string{
		`recorder.Eventf(pod, "Warning", "Failed", CALL)`, `newer.Eventf(pod, nil, "Warning", "Failed", "Act", CALL)`,
		`recorder.Event(pod, "Warning", "Failed", fmt.Sprintf(CALL))`, `format(pod, "Failed", CALL)`, `sprintf(pod, "Failed", CALL)`,
		`recorder.Eventf(pod, "Warning", "Failed", "No: %s", fmt.Sprintf(CALL))`,
	}
)

// drawnCall is a call of a recorder or a helper, and the text that it stores.
type drawnCall struct {
	code   string
	values map[string]any
	stored string
}

// drawCall draws a call whose format has no arguments, up to three, or a slice.
func drawCall(t *rapid.T) drawnCall {
	name, text := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"), rapid.SampledFrom([]string{"x", "%d", "y %s"}).Draw(t, "text")
	err := errors.New("broken")
	list := []any{"one", 2}[:rapid.IntRange(0, 2).Draw(t, "length")]
	c := drawnCall{values: map[string]any{
		"pod.Name": name, "text": text, "n": 7, "err": err, "err.Error()": "broken", "args": list, "named": "Scaled", "verb": "Scaled %s", "local": "Scaled",
		"made": "Made " + text + " of 7", "percents": "7% of " + text, "first": "Scaled " + text, "second": "Scaled " + text,
		"verbs": "Scaled %s", "same": text, "joined": "Scaled " + text, `pod.Name + ": %s"`: name + ": %s", `"Scaled " + text`: "Scaled " + text,
		`fmt.Sprintf("%s-driver", text)`: text + "-driver", "fmt.Sprintf(text, n)": fmt.Sprintf(text, 7), `named + ": %s"`: "Scaled: %s",
		"table[text]": map[string]string{"x": "Up"}[text], `gone["x"]`: "", "pair[1]": "", "rows[1].a": "",
		`fmt.Sprintf("Scaled", text)`: "Scaled%!(EXTRA string=" + text + ")", `fmt.Sprintf("%s", text)`: text, "3": 3,
	}}
	format := rapid.SampledFrom(drawnFormats).Draw(t, "format")
	passed, args := format, []any{}
	switch n := rapid.IntRange(0, 4).Draw(t, "arguments"); n {
	case 4:
		passed, args = passed+", args...", list
	default:
		for range n {
			x := rapid.SampledFrom(drawnArguments).Draw(t, "argument")
			passed, args = passed+", "+x, append(args, c.value(t, x))
		}
	}
	c.values["fmt.Sprintf("+passed+")"] = fmt.Sprintf(c.value(t, format).(string), args...)
	call := rapid.SampledFrom(drawnCalls).Draw(t, "call")
	c.code, c.stored = strings.Replace(call, "CALL", passed, 1), c.values["fmt.Sprintf("+passed+")"].(string)
	if strings.Contains(call, "No: ") {
		c.stored = "No: " + c.stored
	}
	return c
}

func (c drawnCall) value(t *rapid.T, text string) any {
	if unquoted, err := strconv.Unquote(text); err == nil {
		return unquoted
	}
	value, ok := c.values[text]
	if !ok {
		t.Fatalf("no value of %s", text)
	}
	return value
}

// scanned returns scan's result for a file.
func scanned(t rapid.TB, source string) *scan.Result {
	byPath, err := drawnImports()
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "drawn.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg := &scan.Package{Path: "example.com/drawn", Name: "drawn", Syntax: []*ast.File{file}, Info: scan.NewInfo()}
	conf := types.Config{Importer: drawnImporter(byPath), GoVersion: "go1.26"}
	if pkg.Types, err = conf.Check(pkg.Path, fset, pkg.Syntax, pkg.Info); err != nil {
		t.Fatal(err)
	}
	return scan.Scan(context.Background(), &scan.Program{Fset: fset, Packages: []*scan.Package{pkg}})
}

// drawnSites returns the sites that scan and migrate find in drawn calls.
func drawnSites(t *rapid.T, calls []drawnCall) []*proof.RawCall {
	source := drawnHead
	for _, c := range calls {
		source += "\t" + c.code + "\n"
	}
	m := &matcher{result: scanned(t, source+"}\n")}
	var sites []*proof.RawCall
	for _, s := range m.result.Sites {
		switch {
		case s.Func.Name.Name != "f":
		case s.Scope == scan.ThroughWrapper:
			site, why := m.derived(s)
			if why != "" {
				t.Fatal(why)
			}
			sites = append(sites, site)
		default:
			sites = append(sites, m.raw(s))
		}
	}
	if len(sites) != len(calls) {
		t.Fatalf("%d sites of %d calls", len(sites), len(calls))
	}
	return sites
}

// entryOf returns an entry for the text of a site, with a param for each argument.
func entryOf(t *rapid.T, text []proof.Part) *model.Event {
	message, params := "", []string{}
	for _, p := range text {
		if p.Expr == nil {
			message += strings.NewReplacer("{", "{{", "}", "}}").Replace(p.Literal)
			continue
		}
		name := fmt.Sprintf("p%d", len(params))
		message, params = message+"{"+name+"}", append(params, "{name: "+name+", type: string, maxBytes: 150}")
	}
	const header = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  reportingController: example.com/test
  go: {package: testevents}
  objects: {Pod: v1}
  events:
`
	source := fmt.Sprintf("%s  - {reason: Failed, type: Warning, regarding: Pod, action: Act, params: [%s], message: %q}\n", header, strings.Join(params, ", "), message)
	catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(source))
	set, more := model.Build(context.Background(), catalogs, model.Options{Resolve: model.ResolveNever, Baseline: true})
	if findings = append(findings, more...); findings.HasErrors() {
		t.Fatalf("%v\n%s", findings, source)
	}
	return set.Packages[0].Events[0]
}

// typed returns the text that the typed call of a verdict stores.
func (c drawnCall) typed(t *rapid.T, v *proof.Verdict) string {
	var b strings.Builder
	for _, s := range v.Method.Definitions[0].Runtime.Message {
		b.WriteString(s.Text)
		if s.Value != 0 {
			b.WriteString(c.argument(t, v.Args[s.Param]))
		}
	}
	return b.String()
}

func (c drawnCall) argument(t *rapid.T, a proof.Argument) string {
	switch a.How {
	case proof.Constant:
		return a.Text
	case proof.Call:
		return c.value(t, types.ExprString(a.Expr)+"."+a.Method+"()").(string)
	case proof.Sprintf:
		format := a.Format
		if format == "" {
			format = c.value(t, types.ExprString(a.Expr)).(string)
		}
		var args []any
		for i, x := range a.Args {
			value := c.value(t, types.ExprString(x))
			if list, ok := value.([]any); ok && a.Spread && i == len(a.Args)-1 {
				args = append(args, list...)
			} else {
				args = append(args, value)
			}
		}
		return fmt.Sprintf(format, args...)
	}
	return fmt.Sprint(c.value(t, types.ExprString(a.Expr)))
}

// compare compares the stored text of a call with the stored texts of typed calls, and counts the
// typed calls.
func (c drawnCall) compare(t *rapid.T, site *proof.RawCall) (typed int) {
	for _, e := range []*model.Event{entryOf(t, site.Text), entryOf(t, []proof.Part{{Expr: &ast.Ident{}}})} {
		v := proof.Prove(site, e)
		percent := slices.ContainsFunc(v.Causes, func(cause proof.Cause) bool { return cause.ID == proof.Percent })
		if v.Outcome(proof.Action) > proof.EqualExcept || percent && strings.Contains(c.stored, "%") {
			continue
		}
		typed++
		if got := c.typed(t, &v); got != c.stored {
			t.Fatalf("%s\nstores %q\nand as %s %q: %v", c.code, c.stored, v.Method.Definitions[0].Message, got, v.Causes)
		}
	}
	return typed
}

// TestTextIsWhatIsStored draws calls in source text. There is an entry for the text that scan shows
// the proof, and one for the whole text. Each stores fmt's text of the call, unless the verdict
// names the difference.
func TestTextIsWhatIsStored(t *testing.T) {
	rewritten := 0
	seed.Check(t, func(rt *rapid.T) {
		var calls []drawnCall
		for range 5 {
			calls = append(calls, drawCall(rt))
		}
		for i, site := range drawnSites(rt, calls) {
			rewritten += calls[i].compare(rt, site)
		}
	})
	if t.Logf("%d typed calls", rewritten); rewritten == 0 {
		t.Error("no call could be rewritten")
	}
}
