package catalog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/seed"
)

var oneIn = flag.Int("schema.oneof", 10, "judge one of so many changes, at random; 1: each")

// passedOver: rates are read by the model, with which the schema is not compared. Rules look at
// params of the vocabulary where an event refers to them, and none refers to hint.
func passedOver(at string) bool {
	return strings.HasPrefix(at, ".spec.params.hint.") || strings.HasPrefix(at, ".spec.limits.") && strings.HasSuffix(at, ".rate")
}

// wrong lists the values that replace each value of a document.
var wrong = []any{nil, "", "x y", "x", "{", "a..b/c", 0, -1, 1.5, 3000000000, true, "10m", []any{}, []any{nil}, []any{"x"}, []any{map[string]any{}}, map[string]any{}, map[string]any{"unknown": 1},
	"Über", "1x", "func", "0", "-5m", "example.com/x", "v1", "Error", "{regarding.name}", "{}", "x (y)", "x string", strings.Repeat("x", 1100), "a\nb"}

const configuration = `apiVersion: event-gen.github.io/v1alpha1
kind: Configuration
catalogs: [a, b/c.yaml]
lint: {failOn: warning, severities: {EV109: info}, ignore: [{rule: EV401, reason: x}]}
breaking: {acknowledged: [{rule: BG01, event: A, reason: x, since: v1.0.0}]}
generate: {headerFile: a}
docs: {into: a}
calls: {strict: true, allow: [{path: a, reason: b}]}
`

// An independent validator and the reader agree on changes of a document that has all keys: each
// value is replaced by many others, each key is removed, and an unknown key is added. beyondSchema
// lists the exceptions.
func TestSchemaMutations(t *testing.T) {
	full, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"catalog": strings.ReplaceAll(string(full), "ScaleRefused", "Moved"), "configuration": configuration} {
		t.Run(name, func(t *testing.T) { compareMutations(t, text) })
	}
}

func compareMutations(t *testing.T, text string) {
	s := compiled(t)
	var start any
	if err := yaml.Unmarshal([]byte(text), &start); err != nil {
		t.Fatal(err)
	}
	tried, rejected := 0, 0
	beyond := map[string]int{}
	random := rand.New(rand.NewPCG(seed.Of(t), 1))
	mutate(start, "", func(at, how string) {
		if random.IntN(*oneIn) > 0 {
			return
		}
		tried++
		changed, err := json.Marshal(start)
		if err != nil {
			t.Fatal(err)
		}
		refused := validate(t, s, changed)
		errs := readErrors(changed, strings.Contains(text, "kind: Configuration"))
		switch {
		case len(errs) > 0 && refused == nil:
			if i := slices.IndexFunc(beyondSchema, func(e exemption) bool { return e.covers(errs) }); i >= 0 {
				beyond[beyondSchema[i].why]++
				return
			}
			t.Errorf("%s %s: only the reader rejects it: %s", at, how, errs[0])
		case passedOver(at):
		case len(errs) == 0 && refused != nil:
			t.Errorf("%s %s: only the schema rejects it: %v", at, how, refused)
		case refused != nil:
			rejected++
		}
	})
	t.Logf("%d documents: both reject %d; beyond a schema: %v", tried, rejected, beyond)
	if rejected < tried/3 {
		t.Errorf("both reject only %d of %d", rejected, tried)
	}
}

// exemption is the reason why the schema can't express a check of the reader.
type exemption struct {
	why   string
	rules []string
	says  string // a part of the reader's message; empty: any message
}

func (e exemption) covers(errs diag.Findings) bool {
	return !slices.ContainsFunc(errs, func(f diag.Finding) bool {
		return !slices.Contains(e.rules, f.Rule) || !strings.Contains(f.Message, e.says)
	})
}

var beyondSchema = []exemption{
	{"the name of another event", []string{"EV403"}, "replacedBy names no event"},
	{"whether the message shows an optional param", []string{"EV209"}, "is optional and has no prefix"},
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := catalog.Schema()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("catalog.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// readErrors returns the errors of the reader and of the rules that need no model.
func readErrors(data []byte, isConfiguration bool) (errs diag.Findings) {
	if isConfiguration {
		_, findings := catalog.ReadConfiguration("event-gen.yaml", bytes.NewReader(data))
		return findings
	}
	catalogs, findings := catalog.Read("catalog.yaml", bytes.NewReader(data))
	for _, f := range append(findings, lint.Run(lint.Input{Catalogs: catalogs})...) {
		if f.Severity == diag.Error {
			errs = append(errs, f)
		}
	}
	return errs
}

// mutate makes each change in place, calls yield, and reverts the change.
func mutate(v any, at string, yield func(at, how string)) {
	replace := func(at string, old any, set func(any)) {
		for _, w := range wrong {
			set(w)
			shown, _ := json.Marshal(w)
			yield(at, "= "+string(shown))
		}
		set(old)
		mutate(old, at, yield)
	}
	switch v := v.(type) {
	case map[string]any:
		v["unknown"] = "x"
		yield(at, "has an unknown key")
		delete(v, "unknown")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			old := v[key]
			delete(v, key)
			yield(at+"."+key, "is gone")
			replace(at+"."+key, old, func(w any) { v[key] = w })
		}
	case []any:
		for i, old := range v {
			replace(fmt.Sprintf("%s[%d]", at, i), old, func(w any) { v[i] = w })
		}
	}
}

// The schema accepts every valid catalog of the repository, and every document of testdata without
// a mistake in its YAML.
func TestSchemaAcceptsCatalogs(t *testing.T) {
	s := compiled(t)
	for _, pattern := range []string{"../../examples/*.yaml", "../../examples/*/catalog.yaml", "../output/emit/testdata/golden/*/catalog.yaml", "testdata/full.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for document := range strings.SplitSeq(string(text), "\n---\n") {
				var value any
				if err := yaml.Unmarshal([]byte(document), &value); err != nil {
					t.Fatal(err)
				}
				data, err := json.Marshal(value)
				if err != nil {
					t.Fatal(err)
				}
				if err := validate(t, s, data); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
	}
}

// Every key has a description, which editors show.
func TestDescriptions(t *testing.T) {
	text, err := catalog.Schema()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"the Go method, unique in the package; default: the reason"`, `"further objects on which each call records an event"`, `"$schema"`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the schema has no %s", want)
		}
	}
}
