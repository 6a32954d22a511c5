package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/schema"
)

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := schema.All()
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

// check judges a catalog by the schema, as an editor does.
func check(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// read judges a catalog by the reader, and the rules that need no model.
func read(text string) error {
	catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(text))
	findings = append(findings, lint.Run(lint.Input{Catalogs: catalogs})...)
	for _, f := range findings {
		if f.Severity.String() == "error" {
			return &os.PathError{Op: f.Message, Path: f.Pos.String(), Err: os.ErrInvalid}
		}
	}
	return nil
}

const head = "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n"

// start is a spec without events.
const start = head + "  go: {package: a}\n  reportingController: a\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n"

// event is a catalog of one event.
func event(text string) string { return start + "  events:\n  - " + text + "\n" }

func with(keys string) string { return event(`{reason: A, message: "a", ` + keys + "}") }

// Schema and reader agree on each of these.
func TestAgreement(t *testing.T) {
	s := compiled(t)
	for _, tt := range []struct {
		name, text string
		good       bool
	}{
		{"the least", event(`{reason: A, message: "a"}`), true},
		{"no events", start + "  events: []\n", true},
		{"all short forms", with(`regarding: [Pod], related: Pod, params: [a int32, b string(20), "c  error"], doc: "x"`), true},
		{"all long forms", with(`regarding: {object: Pod, container: a}, related: {object: Pod, optional: true}, params: [{name: a, type: string, maxBytes: 3}], doc: {summary: x}`), true},
		{"a closed set", with(`regarding: {anyOf: [Pod]}`), true},
		{"variants", event(`{name: A, message: "a", params: [a enum], select: a, variants: {B: , C: {reason: D}}, other: {reason: E}}`), true},
		{"durations", with(`correlation: {window: 1h30m, budget: {every: 1.5s, burst: 3}}`), true},
		{"a message block", event("message: |-\n      a\n    reason: A"), true},

		{"no spec", "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\n", false},
		{"another version", strings.Replace(event(`{reason: A, message: "a"}`), "v1alpha1", "v1", 1), false},
		{"another kind", strings.Replace(event(`{reason: A, message: "a"}`), "EventCatalog", "Catalog", 1), false},
		{"no go", head + "  events: []\n", false},
		{"no package", head + "  go: {}\n  events: []\n", false},
		{"no events key", start, false},
		{"an unknown key in spec", start + "  color: red\n  events: []\n", false},
		{"an unknown key in an event", with("mesage: x"), false},
		{"an unknown key below", with("lifecycle: {until: x}"), false},
		{"no message", event("{reason: A}"), false},
		{"no reason", event(`{message: "a"}`), false},
		{"events as a mapping", start + "  events: {a: b}\n", false},
		{"a number for text", event(`{reason: 1, message: "a"}`), false},
		{"text for a number", with(`correlation: {threshold: "1"}`), false},
		{"a negative number", with("correlation: {threshold: -1}"), false},
		{"text for a boolean", with(`related: {object: Pod, optional: "yes"}`), false},
		{"no duration", with("correlation: {window: soon}"), false},
		{"a number for a duration", with("correlation: {window: 10}"), false},
		{"an unknown type", with("type: Error"), false},
		{"an unknown scope", strings.Replace(event(`{reason: A, message: "a"}`), "v1}", "{type: any, scope: Global}}", 1), false},
		{"args neither positional nor struct", strings.Replace(event(`{reason: A, message: "a"}`), "package: a", "package: a, args: map", 1), false},
		{"no short param", with(`params: ["a b c"]`), false},
		{"a param without name", with("params: [{type: string}]"), false},
		{"anyOf with object", with("regarding: {anyOf: [Pod], object: Pod}"), false},
		{"a container without object", with("regarding: {container: a}"), false},
		{"related without object", with("related: {optional: true}"), false},
		{"select without variants", event(`{name: A, message: "a", params: [a enum], select: a}`), false},
		{"variants without other", event(`{name: A, message: "a", params: [a enum], select: a, variants: {B: {}}}`), false},
		{"variants and a reason", event(`{name: A, reason: A, message: "a", params: [a enum], select: a, variants: {B: {}}, other: {reason: C}}`), false},
		{"a message with braces", event(`{reason: A, message: "{{a}} {a}{regarding.name}", params: [a int]}`), true},
		{"a param by its name, in full", start + "  params: {x: int}\n  events: [{reason: A, message: \"{x}\", params: [{name: x, goName: \"\"}]}]\n", true},
		{"an open brace", event(`{reason: A, message: "a {b"}`), false},
		{"a placeholder with a format", event(`{reason: A, message: "{a:d}", params: [a int]}`), false},
		{"a variant with a brace", event(`{name: A, message: "a", params: [a enum], select: a, variants: {B: {message: "}"}}, other: {reason: C}}`), false},
		{"a vocabulary without type", start + "  params: {x: {maxBytes: 5}}\n  events: []\n", false},
		{"an empty closed set", with("regarding: {anyOf: []}"), false},
		{"a param that is nothing", with("params: [null]"), false},
		{"a suppression without a rule", with(`lint: {ignore: [{reason: "x"}]}`), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := read(tt.text); (err == nil) != tt.good {
				t.Errorf("the reader says %v\n%s", err, tt.text)
			}
			if err := check(t, s, tt.text); (err == nil) != tt.good {
				t.Errorf("the schema says %v\n%s", err, tt.text)
			}
		})
	}
}

// The schema accepts every catalog of the repository that generates.
func TestAcceptsCatalogs(t *testing.T) {
	s := compiled(t)
	var paths []string
	for _, pattern := range []string{"../../../examples/*.yaml", "../../../examples/*/catalog.yaml", "../../output/emit/testdata/golden/*/catalog.yaml", "../testdata/full.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 && !strings.Contains(pattern, "*/") {
			t.Fatal(pattern, err)
		}
		paths = append(paths, found...)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			if err := check(t, s, document); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

// An editor shows what a key is for.
func TestDescriptions(t *testing.T) {
	text, err := schema.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"The Go method; the reason by default."`, `"$schema"`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the schema has no %s", want)
		}
	}
}

// The schema judges configurations as the reader does, and knows every key that the reader knows.
func TestConfiguration(t *testing.T) {
	const head = "apiVersion: event-gen.github.io/v1alpha1\nkind: Configuration\n"
	s := compiled(t)
	for text, good := range map[string]bool{
		"catalogs: [a, b/c.yaml]\n": true,
		"catalogs: []\nlint: {failOn: warning, severities: {EV109: info}, ignore: [{rule: EV401, reason: x}]}\n":        true,
		"catalogs: []\ngenerate: {headerFile: a}\ncalls: {strict: true, early: false, allow: [{path: a, reason: b}]}\n": true,
		"": false, "catalogs: a\n": false, "catalogs: []\ncolour: red\n": false, "catalogs: []\nlint: {failOn: never}\n": false,
		"catalogs: []\nlint: {severities: {EV109: bad}}\n": false, "catalogs: []\nlint: {ignore: [{rule: EV401}]}\n": false,
		"catalogs: []\ngenerate: {headerfile: a}\n": false, "catalogs: []\ncalls: {strict: maybe}\n": false,
		"catalogs: []\ncalls: {allow: [{path: a}]}\n": false, "catalogs: []\nspec: {}\n": false,
	} {
		_, findings := catalog.ReadConfiguration("event-gen.yaml", strings.NewReader(head+text))
		if (len(findings) == 0) != good {
			t.Errorf("the reader says %v\n%s", findings, text)
		}
		if err := check(t, s, head+text); (err == nil) != good {
			t.Errorf("the schema says %v\n%s", err, text)
		}
	}
	_, findings := catalog.ReadConfiguration("event-gen.yaml", strings.NewReader(head+"catalogs: []\ncolour: red\n"))
	_, keys, _ := strings.Cut(findings[0].Message, "it can have ")
	text, err := schema.All()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	for key := range strings.SplitSeq(keys, ", ") {
		if document.Defs["Configuration"].Properties[key] == nil {
			t.Errorf("the schema of a configuration has no key %q", key)
		}
	}
}
