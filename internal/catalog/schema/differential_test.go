package schema_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var oneOf = flag.Int("schema.oneof", 10, "judge one of so many changes, at random; 1: each")

// passedOver: a document whose version or kind is null is none of the reader's, while the schema is that of catalogs. Rates are read by
// the model, which the schema is not compared with. Rules look at params of the vocabulary where an event refers to them, and none refers
// to hint.
func passedOver(at string) bool {
	return at == ".apiVersion" || at == ".kind" || strings.HasPrefix(at, ".spec.params.hint.") || strings.HasPrefix(at, ".spec.limits.") && strings.HasSuffix(at, ".rate")
}

// wrong are what each value of a catalog is replaced with.
var wrong = []any{nil, "", "x y", "x", "{", "a..b/c", 0, -1, 1.5, 3000000000, true, "10m", []any{}, []any{nil}, []any{"x"}, []any{map[string]any{}}, map[string]any{}, map[string]any{"unknown": 1},
	"Über", "1x", "func", "0", "-5m", "example.com/x", "v1", "Error", "{regarding.name}", "{}", "x (y)", "x string", strings.Repeat("x", 1100), "a\nb"}

// TestMutations changes each value of a catalog that has all keys to each of many others, takes each key out, and adds one that is
// unknown. Schema and reader must agree on every such catalog, but for what beyondSchema lists.
func TestMutations(t *testing.T) {
	s := compiled(t)
	text, err := os.ReadFile("../testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	var start any
	data = bytes.ReplaceAll(data, []byte("ScaleRefused"), []byte("Moved"))
	if err := json.Unmarshal(data, &start); err != nil {
		t.Fatal(err)
	}
	tried, rejected := 0, 0
	beyond := map[string]int{}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	mutate(start, "", func(at, how string) {
		if random.IntN(*oneOf) > 0 {
			return
		}
		tried++
		changed, err := json.Marshal(start)
		if err != nil {
			t.Fatal(err)
		}
		refused := judgeSchema(t, s, changed)
		errs := readErrors(changed)
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
	t.Logf("%d catalogs: both reject %d; beyond a schema: %v", tried, rejected, beyond)
	if rejected < tried/3 {
		t.Errorf("both reject only %d of %d", rejected, tried)
	}
	for _, e := range beyondSchema {
		if *oneOf == 1 && beyond[e.why] == 0 {
			t.Errorf("no catalog needs the exemption %q", e.why)
		}
	}
}

// exemption is why a schema can't say what the reader says.
type exemption struct {
	why   string
	rules []string
	says  string // a part of the message; empty: whatever it says
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

func judgeSchema(t *testing.T, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc)
}

// readErrors are what the reader, and the rules that need no model, call errors.
func readErrors(data []byte) (errs diag.Findings) {
	catalogs, findings := catalog.Read("catalog.yaml", bytes.NewReader(data))
	for _, f := range append(findings, lint.Run(lint.Input{Catalogs: catalogs})...) {
		if f.Severity == diag.Error {
			errs = append(errs, f)
		}
	}
	return errs
}

// mutate makes each change in place, calls yield, and takes the change back.
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
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
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
