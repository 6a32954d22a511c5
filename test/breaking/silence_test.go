// Package breaking holds the rules of internal/catalog/breaking against generated code: a change
// that code shows has a finding.
package breaking

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/breaking"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/emit"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// base has every key of the format that decides what is generated.
const base = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: pevents, recorder: Events}
  reportingController: example.com/controller
  objects: {Pod: v1, Node: v1, Job: batch/v1, CronJob: batch/v1, Any: {type: any}}
  params:
    mood: {type: enum, values: [calm, angry]}
    text: {type: string, maxBytes: 40}
  limits:
    slow: {rate: 1/m, burst: 2, wait: 5m}
    fast: {rate: 5/s, burst: 9}
  defaults: {regarding: Pod, type: Normal, correlation: {window: 20m}}
  events:
  - {reason: Plain, message: "Plain"}
  - {reason: Warned, type: Warning, action: Warn, message: "Warned of {mood}", params: [mood]}
  - {reason: Other, name: Named, message: "Named {text} {n}", params: [text, n int], reportingController: example.com/other}
  - {reason: Related, message: "On{related.name}", related: {object: Node, optional: true, prefix: " of "}}
  - {reason: ByName, message: "Of {related.name}", related: {object: Node, byName: true}}
  - {reason: Each, message: "Each {text}", regarding: [Job, CronJob], params: [text]}
  - {reason: Set, message: "Set", regarding: {anyOf: [Pod, Node]}}
  - {reason: Held, message: "Held {c}", regarding: {object: Pod, container: c}, params: [c string]}
  - {reason: Both, message: "Both", regarding: CronJob, alsoOn: [Job, Node]}
  - {reason: Thing, message: "Thing {regarding.name}", regarding: Any}
  - {reason: Formed, message: "{a} {b} {c} {d}", params: [{name: a, type: duration, round: 1s}, {name: b, type: float64, precision: 2}, {name: c, type: time, layout: RFC1123}, {name: d, type: strings, separator: "; "}]}
  - {reason: Optional, message: "Maybe{e}{f}", params: [{name: e, type: error, optional: true, prefix: ": "}, {name: f, type: string, maxBytes: 20, quote: true, sensitive: false}]}
  - {reason: Swapped, message: "{x} {y}", params: [x string(30), y string(30)]}
  - {name: Chosen, message: "Chosen {how}", params: [{name: how, type: enum, values: [Fast, Slow, Odd]}], select: how, variants: {Fast: {type: Warning}, Slow: {reason: Slowed, message: "Slow"}}, other: {reason: Unknown}}
  - {name: Closed, message: "Closed {why}", params: [why enum], select: why, variants: {Done: {}, Left: {type: Warning}}}
  - {reason: Keyed, message: "Keyed {k} {v}", params: [k string(20), v string(20)], correlation: {key: [k], note: latest, interval: 10m, threshold: 5, budget: {burst: 4, every: 2m}}}
  - {reason: Limited, message: "Limited", correlation: {limit: slow}}
  - {reason: Hasty, message: "Hasty", correlation: {limit: fast, aggregate: false}}
  - {reason: Noted, message: "Noted", annotations: {example.com/a: "x {regarding.name}", example.com/b: "y"}, labels: {team: storage, zone: a}, copyLabels: [app]}
`

// Any change of a catalog but an addition or a comment that changes generated code has a finding.
// Changes are drawn: a key or an entry is removed, two entries change places, a value becomes
// another one.
func TestNoSilence(t *testing.T) {
	const most, enough = 2000, 50 // drawn, judged
	r := rand.New(rand.NewPCG(seed.Of(t), 1))
	old, oldCode := resolved(t, []byte(base))
	judged := 0
	for range most {
		if judged == enough {
			break
		}
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(base), &document); err != nil {
			t.Fatal(err)
		}
		change(r, &document)
		text, err := yaml.Marshal(&document)
		if err != nil {
			t.Fatal(err)
		}
		now, nowCode := resolved(t, text)
		if now == nil || contains(nowCode, oldCode) {
			continue
		}
		judged++
		if findings := breaking.Compare(breaking.Baseline{Set: old}, now, breaking.Options{}); len(findings) == 0 {
			t.Errorf("no finding of:\n%s", missing(nowCode, oldCode)+string(text))
		}
	}
	if judged < enough {
		t.Errorf("%d of %d changes were judged; the others were no catalogs or changed nothing", judged, most)
	}
}

// resolved returns the model of a catalog, and the declarations of its code; nil if the catalog has
// errors.
func resolved(t *testing.T, text []byte) (*model.Set, map[string]bool) {
	t.Helper()
	catalogs, findings := catalog.Read("catalog.yaml", bytes.NewReader(text))
	set, more := model.Build(t.Context(), catalogs, model.Options{Dir: "/nowhere", Resolve: model.ResolveNever, Baseline: true})
	if append(findings, more...).HasErrors() || len(set.Packages) != 1 {
		return nil, nil
	}
	var code bytes.Buffer
	if err := emit.Go(&code, set.Packages[0]); err != nil {
		t.Fatal(err)
	}
	return set, declarations(t, code.Bytes())
}

// declarations returns the declarations of a file without comments, and its package clause.
// Definitions is left out: it lists what is declared.
func declarations(t *testing.T, code []byte) map[string]bool {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{"package " + file.Name.Name: true}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "Definitions" {
			continue
		}
		nodes := []any{d}
		if group, ok := d.(*ast.GenDecl); ok { // the order of constants does not count
			nodes = nil
			for _, spec := range group.Specs {
				nodes = append(nodes, parts(spec)...)
			}
		}
		for _, n := range nodes {
			var b bytes.Buffer
			if err := format.Node(&b, set, n); err != nil {
				t.Fatal(err)
			}
			out[b.String()] = true
		}
	}
	return out
}

// parts returns the parts of a declaration that stand for themselves: of an enum's constants their
// names, and of its texts each. Their numbers and their order count for nobody.
func parts(spec ast.Spec) (nodes []any) {
	value, ok := spec.(*ast.ValueSpec)
	if _, imported := spec.(*ast.ImportSpec); imported {
		return nil
	}
	if ok && value.Values == nil || ok && isIota(value.Values[0]) {
		return []any{value.Names[0]}
	}
	if ok {
		if texts, ok := value.Values[0].(*ast.CompositeLit); ok && strings.HasSuffix(value.Names[0].Name, "Texts") {
			for _, text := range texts.Elts {
				nodes = append(nodes, text)
			}
			return nodes
		}
	}
	return []any{spec}
}

func isIota(x ast.Expr) bool {
	sum, ok := x.(*ast.BinaryExpr)
	if !ok {
		return false
	}
	id, ok := sum.X.(*ast.Ident)
	return ok && id.Name == "iota"
}

func contains(all, some map[string]bool) bool { return missing(all, some) == "" }

func missing(all, some map[string]bool) string {
	var b strings.Builder
	for d := range some {
		if !all[d] {
			b.WriteString(d + "\n")
		}
	}
	return b.String()
}

// values are what values become.
var values = []string{"Warning", "Normal", "Node", "Pod", "Job", "x", "Fresh", "7", "300", "3m", "15m", "ms", "false", "true", "first", "fast", "New words", "text", "string", "int64", "RFC3339", "example.com/new"}

// change makes one random change below spec.
func change(r *rand.Rand, document *yaml.Node) {
	var nodes []*yaml.Node
	var collect func(*yaml.Node)
	collect = func(n *yaml.Node) {
		nodes = append(nodes, n)
		for i, c := range n.Content {
			// the order of a closed set does not count
			if n.Kind != yaml.MappingNode || i%2 == 1 && n.Content[i-1].Value != "anyOf" {
				collect(c)
			}
		}
	}
	collect(document.Content[0].Content[5])
	n := nodes[r.IntN(len(nodes))]
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	switch entries := len(n.Content) / step; {
	case n.Kind == yaml.ScalarNode:
		n.Value = values[r.IntN(len(values))]
	case entries > 1 && r.IntN(2) == 0: // two entries, or two values of a mapping, change places
		i, j := r.IntN(entries)*step+step-1, r.IntN(entries)*step+step-1
		n.Content[i], n.Content[j] = n.Content[j], n.Content[i]
	case entries > 0:
		i := r.IntN(entries) * step
		n.Content = append(n.Content[:i:i], n.Content[i+step:]...)
	}
}
