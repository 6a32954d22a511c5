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
// without errors is generated as Go that parses.
func TestMutatedCatalogs(t *testing.T) {
	s := seed.Of(t)
	texts := seedCatalogs(t)
	m := &mutator{Rand: rand.New(rand.NewPCG(s, s)), keys: keysOf(t, texts)}
	for range 300 {
		text := m.mutate(texts[m.IntN(len(texts))])
		if problem := judgeMutation(t.Context(), text); problem != "" {
			t.Fatalf("%s\n%s", problem, text)
		}
	}
}

// Catalogs that once uncovered a bug.
func TestFoundCatalogs(t *testing.T) {
	files, _ := filepath.Glob("testdata/found/*.yaml")
	if len(files) == 0 {
		t.Fatal("no catalogs")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if problem := judgeMutation(t.Context(), text); problem != "" {
			t.Errorf("%s: %s", file, problem)
		}
	}
}

func seedCatalogs(t *testing.T) [][]byte {
	var texts [][]byte
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

// keysOf returns the keys in the seeds.
func keysOf(t *testing.T, texts [][]byte) []string {
	keys := map[string]bool{"<<": true, "quote": true, "precision": true, "separator": true, "sensitive": true, "container": true, "anyOf": true}
	for _, text := range texts {
		var document yaml.Node
		if err := yaml.Unmarshal(text, &document); err != nil {
			t.Fatal(err)
		}
		for _, n := range nodesOf(&document) {
			for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
				keys[n.Content[i].Value] = true
			}
		}
	}
	var sorted []string
	for key := range keys {
		sorted = append(sorted, key)
	}
	slices.Sort(sorted)
	return sorted
}

// judgeMutation runs everything that the command does with a catalog, and returns the problem, if
// there is one.
func judgeMutation(ctx context.Context, text []byte) (problem string) {
	defer func() {
		if r := recover(); r != nil {
			problem = fmt.Sprintf("panic: %v at %s\n%s", r, panickedAt(), debug.Stack())
		}
	}()
	return follow(ctx, text)
}

// panickedAt returns the line of this module that panicked.
func panickedAt() string {
	for line := range strings.Lines(string(debug.Stack())) {
		if strings.Contains(line, "/internal/") && !strings.Contains(line, "/src/") {
			return strings.TrimSpace(strings.Split(line, " +0x")[0])
		}
	}
	return "?"
}

func follow(ctx context.Context, text []byte) string {
	catalogs, found := catalog.Read("catalog.yaml", bytes.NewReader(text))
	set, findings := model.Build(ctx, catalog.Complete(catalogs), model.Options{Dir: "/nowhere", Resolve: model.ResolveNever})
	findings = append(found, findings...)
	findings = lint.Run(lint.Input{Catalogs: catalogs, Set: set, Found: findings})
	lines := bytes.Count(text, []byte("\n")) + 1
	for _, f := range findings {
		if f.Pos.File != "catalog.yaml" || f.Pos.Line < 1 || f.Pos.Column < 1 || f.Pos.Line > lines || strings.ContainsAny(f.Message, "\n\r\x00") {
			return fmt.Sprintf("a finding of %s without position, or of several lines\n%+v", f.Rule, f)
		}
	}
	if problem := mendable(text, findings); problem != "" {
		return problem
	}
	if problem := formatted(text, findings); problem != "" {
		return problem
	}
	breaking.Compare(breaking.Baseline{Set: set, Label: "main"}, set, breaking.Options{})
	if findings.HasErrors() || len(catalogs) == 0 {
		return ""
	}
	return generated(set)
}

func mendable(text []byte, findings diag.Findings) string {
	if _, ok := fix.Parse(text); !ok {
		return ""
	}
	if _, ok := fix.Parse(fix.Ordered(fix.All(text, findings))); !ok {
		return "what is fixed can't be read"
	}
	return ""
}

func formatted(text []byte, findings diag.Findings) string {
	for _, name := range format.Names {
		report := &format.Report{Tool: "event-gen", Findings: findings, Rules: lintRules(), Source: func(string) []byte { return text }}
		if err := format.Write(io.Discard, name, report); err != nil {
			return fmt.Sprintf("format %s\n%v", name, err)
		}
	}
	return ""
}

func generated(set *model.Set) string {
	for _, p := range set.Packages {
		for name, write := range map[string]func(io.Writer, *model.Package) error{"package": emit.Go, "fake": emit.Fake} {
			var b bytes.Buffer
			if err := write(&b, p); err != nil {
				return fmt.Sprintf("%s\n%v", name, err)
			}
			if _, err := parser.ParseFile(token.NewFileSet(), name, b.Bytes(), 0); err != nil {
				return fmt.Sprintf("%s is no Go\n%v", name, err)
			}
		}
		if err := emit.Role(io.Discard, p, emit.GroupsAuto); err != nil {
			return fmt.Sprintf("role\n%v", err)
		}
	}
	if err := docs.Markdown(io.Discard, set); err != nil {
		return fmt.Sprintf("docs\n%v", err)
	}
	if err := docs.HTML(io.Discard, set); err != nil {
		return fmt.Sprintf("docs\n%v", err)
	}
	breaking.Compare(breaking.Baseline{Set: set, Label: "main"}, set, breaking.Options{})
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
