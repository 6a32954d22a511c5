package main

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/breaking"
	"github.com/event-gen/event-gen/internal/catalog/fix"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/docs"
	"github.com/event-gen/event-gen/internal/output/emit"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

// For any catalog, all readers end without a panic, and all findings have positions. A catalog
// without errors is generated as Go that parses. The catalogs are those that once uncovered a bug,
// and real ones in which nodes, not bytes, have changed, so that the YAML reader accepts most.
func TestMutatedCatalogs(t *testing.T) {
	s := seed.Of(t)
	rnd := rand.New(rand.NewPCG(s, s))
	texts := seedCatalogs(t)
	for _, text := range texts {
		if problem := judgeMutation(t.Context(), text); problem != "" {
			t.Errorf("%s\n%s", problem, text)
		}
	}
	keys := keysOf(t, texts)
	for range 300 {
		text := mutated(t, rnd, texts[rnd.IntN(len(texts))], keys)
		if problem := judgeMutation(t.Context(), text); problem != "" {
			t.Fatalf("%s\n%s", problem, text)
		}
	}
}

// seedCatalogs returns the catalogs that are mutated.
func seedCatalogs(t *testing.T) (texts [][]byte) {
	for _, pattern := range []string{"testdata/found/*.yaml", "../../examples/catalog.yaml", "../../examples/*/catalog.yaml",
		"../../internal/catalog/testdata/full.yaml", "../../internal/output/emit/testdata/golden/*/catalog.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		}
	}
	return texts
}

// keysOf returns the keys of all mappings.
func keysOf(t *testing.T, texts [][]byte) (keys []*yaml.Node) {
	for _, text := range texts {
		for _, n := range nodesOf(t, text) {
			for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
				keys = append(keys, n.Content[i])
			}
		}
	}
	return keys
}

// oddScalars are values at the edge of what a key takes.
var oddScalars = []string{
	"null", "~", `""`, "0", "-1", "2147483647", "2147483648", "99999999999999999999", "1.5", "1e9", ".nan", ".inf", "true", "no", "Off",
	"string", "error", "enum", "int32", "float64", "duration", "time", "strings", "object", "any", "string(0)", "string(5)", "string(99999)",
	"Pod", "v1", "batch/v1", "Warning", "Normal", "Deleted", "{cause}", "{regarding.name}", "{related.name}", "{", "}}", "%s %d %!",
	"2006-01-02", "5s", "-5s", "10m", "9999999h", "0s", "https://example.com", "a b", " ", "a\tb", "é", "日本語", "\u200b", "\U0001F600",
	"x.Y", ".X", "X.", "..", "a/b", "../x", "/", "*", "&a b", "!!str x", "<<", "type", "func", "_", "regarding", "related", "Recorder",
	"NewRecorder", "example.com/m/v2", "C", "unsafe", "x\x07", strings.Repeat("x", 300), "RFC3339", "2006", "ns", "struct", "positional",
}

// nodesOf returns the nodes of a document, its root first.
func nodesOf(t *testing.T, text []byte) (nodes []*yaml.Node) {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	nodes = append(nodes, &document)
	for i := 0; i < len(nodes); i++ {
		nodes = append(nodes, nodes[i].Content...)
	}
	return nodes
}

// mutated changes 1 to 4 nodes of a document into something that nobody would write.
func mutated(t *testing.T, rnd *rand.Rand, text []byte, keys []*yaml.Node) []byte {
	nodes := nodesOf(t, text)
	any := func(list []*yaml.Node) *yaml.Node { copied := *list[rnd.IntN(len(list))]; return &copied }
	scalar := func() *yaml.Node {
		return &yaml.Node{Kind: yaml.ScalarNode, Value: oddScalars[rnd.IntN(len(oddScalars))], Style: []yaml.Style{0, yaml.DoubleQuotedStyle}[rnd.IntN(2)]}
	}
	for range 1 + rnd.IntN(4) {
		switch n := nodes[1+rnd.IntN(len(nodes)-1)]; rnd.IntN(8) {
		case 0:
			*n = *scalar()
		case 1:
			*n = *any(nodes[1:])
		case 2:
			*n = yaml.Node{Kind: yaml.SequenceNode, Content: []*yaml.Node{any([]*yaml.Node{n})}}
		case 3:
			*n = yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{any(keys), any([]*yaml.Node{n})}}
		case 4: // an entry or item goes
			if width := map[bool]int{true: 2, false: 1}[n.Kind == yaml.MappingNode]; len(n.Content) > 0 {
				i := rnd.IntN(len(n.Content)/width) * width
				n.Content = slices.Concat(n.Content[:i], n.Content[i+width:])
			}
		case 5: // or comes, often a duplicate
			for range 1 + rnd.IntN(20) {
				if n.Kind == yaml.MappingNode {
					n.Content = append(n.Content, any(keys))
				}
				n.Content = append(n.Content, scalar())
			}
		case 6: // a few characters of a scalar
			i := rnd.IntN(len(n.Value) + 1)
			n.Value, n.Tag = strings.ToValidUTF8(n.Value[:i]+scalar().Value+n.Value[i:], "?"), ""
		case 7:
			n.Style, n.LineComment = []yaml.Style{0, yaml.SingleQuotedStyle, yaml.LiteralStyle, yaml.FoldedStyle, yaml.FlowStyle}[rnd.IntN(5)], "# why"
		}
	}
	return written(nodes[0], text)
}

// written returns a document's text, or another one: the library panics on some nodes that have no
// text, and a node may stand below itself.
func written(document *yaml.Node, otherwise []byte) (text []byte) {
	defer func() {
		if r := recover(); r != nil {
			text = otherwise
		}
	}()
	var b bytes.Buffer
	if deep(document, 0) || yaml.NewEncoder(&b).Encode(document) != nil {
		return otherwise
	}
	return b.Bytes()
}

func deep(n *yaml.Node, depth int) bool {
	return depth > 40 || slices.ContainsFunc(n.Content, func(child *yaml.Node) bool { return deep(child, depth+1) })
}

// judgeMutation runs everything that the command does with a catalog, and returns the problem, if
// there is one.
func judgeMutation(ctx context.Context, text []byte) (problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	catalogs, found := catalog.Read("catalog.yaml", bytes.NewReader(text))
	set, findings := model.Build(ctx, catalog.Complete(catalogs), model.Options{Dir: "/nowhere", Resolve: model.ResolveNever})
	findings = lint.Run(lint.Input{Catalogs: catalogs, Set: set, Found: append(found, findings...)})
	lines := bytes.Count(text, []byte("\n")) + 1
	for _, f := range findings {
		if f.Pos.File != "catalog.yaml" || f.Pos.Line < 1 || f.Pos.Column < 1 || f.Pos.Line > lines || strings.ContainsAny(f.Message, "\n\r\x00") {
			return fmt.Sprintf("a finding of %s without position, or of several lines\n%+v", f.Rule, f)
		}
	}
	if _, ok := fix.Parse(text); ok {
		if _, ok := fix.Parse(fix.Ordered(fix.All(text, findings))); !ok {
			return "what is fixed can't be read"
		}
	}
	for _, name := range format.Names {
		report := &format.Report{Tool: "event-gen", Findings: findings, Rules: lintRules(), Source: func(string) []byte { return text }}
		if err := format.Write(io.Discard, name, report); err != nil {
			return fmt.Sprintf("format %s\n%v", name, err)
		}
	}
	breaking.Compare(breaking.Baseline{Set: set, Label: "main"}, set, breaking.Options{})
	if findings.HasErrors() || len(catalogs) == 0 {
		return ""
	}
	return generated(set)
}

// generated writes what a valid catalog generates.
func generated(set *model.Set) string {
	for _, p := range set.Packages {
		for name, write := range map[string]func(io.Writer, *model.Package) error{"package": emit.Go, "fake": emit.Fake} {
			var b bytes.Buffer
			err := write(&b, p)
			if err == nil {
				_, err = parser.ParseFile(token.NewFileSet(), name, b.Bytes(), 0)
			}
			if err != nil {
				return fmt.Sprintf("%s\n%v", name, err)
			}
		}
		if err := emit.Role(io.Discard, p, emit.GroupsAuto); err != nil {
			return fmt.Sprintf("role\n%v", err)
		}
	}
	for _, write := range []func(io.Writer, *model.Set) error{docs.Markdown, docs.HTML} {
		if err := write(io.Discard, set); err != nil {
			return fmt.Sprintf("docs\n%v", err)
		}
	}
	return ""
}

// Absurdly large catalogs are refused or read in reasonable time.
func TestFloods(t *testing.T) {
	const many = 20_000
	repeat := func(format, separator string) string {
		items := make([]string, many)
		for i := range items {
			items[i] = strings.ReplaceAll(format, "#", fmt.Sprint(i))
		}
		return strings.Join(items, separator)
	}
	start := "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: p}\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n"
	for name, tt := range map[string]struct{ text, want string }{
		"params":     {"  events: [{reason: A, message: \"a\", params: [" + repeat("p# int", ", ") + "]}]\n", "EV211"},
		"used":       {"  events: [{reason: A, message: \"" + repeat("{p#}", " ") + "\", params: [" + repeat("p# int", ", ") + "]}]\n", "EV211"},
		"vocabulary": {"  params: {" + repeat("p#: int", ", ") + "}\n  events: [{reason: A, message: \"a\", params: [zz]}]\n", "EV108"},
		"enum":       {"  events: [{reason: A, message: \"{e}\", params: [{name: e, type: enum, values: [" + repeat("V#", ", ") + "]}]}]\n", "EV001"},
		"names":      {"  events:\n" + repeat("  - {reason: A, message: \"a\"}", "\n") + "\n", "EV105"},
	} {
		t.Run(name, func(t *testing.T) {
			catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(start+tt.text))
			_, found := model.Build(t.Context(), catalog.Complete(catalogs), model.Options{Dir: "/nowhere", Resolve: model.ResolveNever})
			findings = append(findings, found...)
			if !slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Rule == tt.want }) {
				t.Errorf("no finding of %s", tt.want)
			}
		})
	}
}
