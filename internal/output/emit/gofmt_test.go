package emit

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Text that is written in gofmt's form is what gofmt makes of it, whatever the catalog says.
func TestGofmtChangesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		text := randomCatalog(t)
		catalogs, findings := catalog.Read(filepath.Join(dir, "catalog.yaml"), strings.NewReader(text))
		if findings.HasErrors() {
			t.Fatalf("%v\n%s", findings, text)
		}
		set, findings := model.Build(t.Context(), catalogs, model.Options{Dir: dir, Resolve: model.ResolveNever})
		if findings.HasErrors() {
			return // such as two methods of one name
		}
		made++
		body, err := goBody(set.Packages[0])
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		formatted, err := format.Source(body)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(body, formatted) {
			t.Fatalf("gofmt would change it (-is +gofmt):\n%s\nof\n%s", cmp.Diff(string(body), string(formatted)), text)
		}
	})
	if made < 10 {
		t.Errorf("only %d catalogs could be generated from", made)
	}
}

// texts are words that gofmt, or the comments of Go, take for something else than words.
var texts = []string{
	"volume", "of", "{braces}}", "``quoted''", "[Link]", "[x]: https://example.com", "# Heading", "#", "-", "*", "1.", "Deprecated:", "//go:build",
	"https://example.com/a?b=c", "世界", "é", "`code`", `"`, `\`, "\t", "=", "/*", "*/", "TODO(x):", "Go", "a_b", "_", "(s)", "%d", "//", "line",
}

func words(t *rapid.T, label string, most int) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(texts), 1, most).Draw(t, label), " ")
}

func camel(t *rapid.T, label string) string {
	return rapid.StringMatching(`[A-Z][a-z]{1,12}([A-Z][a-z]{2,9}){0,3}`).Draw(t, label)
}

// paramTypes are types of params, with options in the form of a mapping.
var paramTypes = []string{
	"type: string", "type: string, maxBytes: 40, quote: true", "type: error", "type: int32", "type: int64, optional: true, prefix: \"; n: \"",
	"type: float64, precision: 2", "type: duration, round: 100ms", "type: duration, unit: s", "type: time, layout: DateOnly", "type: bool",
	"type: uid", "type: name", "type: strings, separator: \"/\"", "type: namespacedName", "type: object", "type: quantity, maxBytes: 20",
	"type: string, sensitive: true",
}

// randomCatalog is a catalog of some events, in YAML.
func randomCatalog(t *rapid.T) string {
	var b strings.Builder
	args := rapid.SampledFrom([]string{"positional", "struct"}).Draw(t, "args")
	fmt.Fprintf(&b, "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: randomevents, args: %s}\n", args)
	if rapid.Bool().Draw(t, "controller") {
		b.WriteString("  reportingController: example.com/random\n")
	}
	b.WriteString("  objects: {Job: batch/v1, Node: v1, Pod: v1, PersistentVolumeClaim: v1, PersistentVolume: v1}\n  limits: {slow: {rate: 5/s, burst: 10, wait: 20m}}\n  events:\n")
	for n := range rapid.IntRange(1, 5).Draw(t, "events") {
		randomEvent(t, &b, n)
	}
	return b.String()
}

func randomEvent(t *rapid.T, b *strings.Builder, n int) {
	selects := rapid.Bool().Draw(t, "select")
	key := "reason"
	if selects {
		key = "name"
	}
	fmt.Fprintf(b, "  - %s: %s%d\n", key, camel(t, "reason"), n)
	option := func(label, format string, values ...string) {
		if i := rapid.IntRange(-len(values), len(values)-1).Draw(t, label); i >= 0 {
			fmt.Fprintf(b, "    "+format+"\n", values[i])
		}
	}
	fmt.Fprintf(b, "    regarding: %s\n", rapid.SampledFrom([]string{"Job", "Pod", "[Job, Pod]", "{anyOf: [Pod, Node]}"}).Draw(t, "regarding"))
	option("also", "alsoOn: %s", "[PersistentVolumeClaim]", "[PersistentVolumeClaim, PersistentVolume]")
	option("related", "related: %s", "Node", `{object: Node, optional: true, prefix: " on "}`)
	option("type", "type: %s", "Warning", "Normal")
	option("action", "action: %q", camel(t, "action"))
	option("summary", "doc: %q", words(t, "summary", 30), strings.ReplaceAll(words(t, "summary", 12), " ", "\n\n"), strings.ReplaceAll(words(t, "summary", 12), " ", "\n"))
	option("deprecated", "lifecycle: {deprecated: {reason: %q}}", words(t, "why", 12))
	params := rapid.SliceOfN(rapid.SampledFrom(paramTypes), 0, 6).Draw(t, "params")
	message := words(t, "message", 3)
	if selects {
		fmt.Fprintf(b, "    select: pick\n    variants:\n      One%d: {}\n      Two%d: {reason: %q}\n", n, n, camel(t, "variant"))
		option("variant", "  Three: {message: %q, type: Normal}", escaped.Replace(words(t, "message", 3)))
		fmt.Fprintf(b, "    other: {reason: %q}\n", camel(t, "other"))
	}
	if selects || len(params) > 0 {
		b.WriteString("    params:\n")
	}
	if selects {
		b.WriteString("    - {name: pick, type: enum}\n")
	}
	for i, p := range params {
		name := rapid.StringMatching(`[a-z]{2,12}`).Draw(t, "param") + fmt.Sprint(i)
		fmt.Fprintf(b, "    - {name: %s, %s}\n", name, p)
		message += "{" + name + "}" + strings.Repeat(words(t, "text", 3)+" ", rapid.IntRange(0, 4).Draw(t, "times"))
	}
	fmt.Fprintf(b, "    message: %q\n", escaped.Replace(message))
	option("correlation", "correlation: %s", "{window: 10m}", "{window: 90s, threshold: 5, budget: {burst: 3, every: 1h}}", "{key: [], note: latest, interval: 15m}",
		"{limit: slow}", "{aggregate: false}")
	if len(params) > 0 {
		option("annotations", "annotations: {example.com/a: %q, example.com/bcd: \"yes\"}", escaped.Replace(words(t, "annotation", 1)))
	}
}

// escaped makes braces of words none of placeholders.
var escaped = strings.NewReplacer("{braces}}", "{{braces}}", "\t", " ")
