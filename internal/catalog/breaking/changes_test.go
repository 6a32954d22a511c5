package breaking

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Changes that were judged wrongly once: breaks that no finding told, and findings about nothing. Each has exactly the rules
// that it breaks, at the line that changed.
func TestChanges(t *testing.T) {
	const enum = `params: [m enum], select: m, variants: {A: , B: {reason: Beta}}, other: {reason: Other}, name: E, message: "m"`
	const open = `params: [m string], select: m, variants: {A: }, other: {reason: Other}, name: E, message: "m"`
	const shared, beside = `name: E, reason: Shared, message: "a {p}", params: [p string]`, "}\n  - {name: F, reason: Shared, message: \"b {p}\", params: [p string]"
	for _, tt := range []struct {
		name, was, is string
		rules         []string // none: nothing breaks
		says          string
	}{
		{"two params of one type swapped", `reason: E, message: "{a} {b}", params: [a string(9), b string(9)]`, `reason: E, message: "{a} {b}", params: [b string(9), a string(9)]`,
			[]string{"BG02"}, "b"},
		{"positional arguments shown in another order", `reason: E, message: "{a} {b}", params: [a string(9), b string(9)]`, `reason: E, message: "{b} {a}", params: [a string(9), b string(9)]`,
			[]string{"BW06"}, "{b} {a}"},
		{"the text of an enum value", `reason: E, message: "{m}", params: [{name: m, type: enum, values: [Won, Lost]}]`,
			`reason: E, message: "{m}", params: [{name: m, type: enum, values: [won, Lost]}]`, []string{"BW06"}, `"won"`},
		{"a related object becomes required", `reason: E, message: "a", related: {object: Node, optional: true}`,
			`reason: E, message: "a", related: Node`, []string{"BG03"}, "optional"},
		{"a variant added where a string selects", open, strings.Replace(open, "{A: }", "{A: , B: {reason: Beta}}", 1), []string{"BW01"}, "for B, reason Other is now Beta"},
		{"the container removed", `reason: E, message: "a {c}", regarding: {object: Pod, container: c}, params: [c string]`,
			`reason: E, message: "a {c}", regarding: Pod, params: [c string]`, []string{"BW03"}, "container"},
		{"the value of an annotation", `reason: E, message: "a", annotations: {example.com/a: "x"}`, `reason: E, message: "a", annotations: {example.com/a: "y"}`,
			[]string{"BW04"}, "example.com/a"},
		{"a longer value, which pushes out the end of an annotation", `reason: E, message: "a", annotations: {example.com/a: "x {p} of {regarding.name}"}, params: [p string(60)]`,
			`reason: E, message: "a", annotations: {example.com/a: "x {p} of {regarding.name}"}, params: [p string]`, []string{"BW04"}, "the end of the annotation example.com/a"},
		{"a longer value, of which an annotation has room for all", `reason: E, message: "a", annotations: {example.com/a: "x {p} of {regarding.name}"}, params: [p string(60)]`,
			`reason: E, message: "a", annotations: {example.com/a: "x {p} of {regarding.name}"}, params: [p string(700)]`, nil, ""},
		{"a longer value at the end of an annotation", `reason: E, message: "a", annotations: {example.com/a: "{regarding.name}: {p}"}, params: [p string(60)]`,
			`reason: E, message: "a", annotations: {example.com/a: "{regarding.name}: {p}"}, params: [p string]`, nil, ""},
		{"a shorter message, which leaves a param more", `reason: E, message: "a {p} and more", annotations: {example.com/a: "{p} of {regarding.kind} {regarding.name}"}, params: [p string]`,
			`reason: E, message: "a {p}", annotations: {example.com/a: "{p} of {regarding.kind} {regarding.name}"}, params: [p string]`, []string{"BW04", "BW06"}, "and more"},
		{"a prefix", `reason: E, message: "a{p}", params: [{name: p, type: string, optional: true, prefix: ": "}]`,
			`reason: E, message: "a{p}", params: [{name: p, type: string, optional: true, prefix: " - "}]`, []string{"BW06"}, "prefix"},
		{"a unit", `reason: E, message: "{p}", params: [{name: p, type: duration, unit: s}]`, `reason: E, message: "{p}", params: [{name: p, type: duration, unit: ms}]`,
			[]string{"BW06"}, "unit"},
		{"a layout", `reason: E, message: "{p}", params: [{name: p, type: time, layout: RFC3339}]`, `reason: E, message: "{p}", params: [{name: p, type: time, layout: RFC1123}]`,
			[]string{"BW06"}, "layout"},
		{"a precision", `reason: E, message: "{p}", params: [{name: p, type: float64, precision: 1}]`,
			`reason: E, message: "{p}", params: [{name: p, type: float64, precision: 3}]`, []string{"BW06"}, "precision"},
		{"a namespaced name becomes optional", `reason: E, message: "a {p}", params: [p namespacedName]`,
			`reason: E, message: "a {p}", params: [{name: p, type: namespacedName, optional: true}]`, []string{"BW06"}, "optional"},
		{"a bound of a float", `reason: E, message: "{p}", params: [{name: p, type: float64, precision: 2}]`,
			`reason: E, message: "{p}", params: [{name: p, type: float64, precision: 2, maxBytes: 20}]`, []string{"BW06"}, "scientific"},
		{"a wider bound of a float", `reason: E, message: "{p}", params: [{name: p, type: float64, maxBytes: 12}]`,
			`reason: E, message: "{p}", params: [{name: p, type: float64}]`, []string{"BW06"}, "more than 24 bytes"},
		{"a bound that no float reaches", `reason: E, message: "{p}", params: [{name: p, type: float64, precision: 0}]`,
			`reason: E, message: "{p}", params: [{name: p, type: float64, precision: 0, maxBytes: 310}]`, nil, ""},
		{"a bound that all floats exceed", `reason: E, message: "{p}", params: [{name: p, type: float64, precision: 9, maxBytes: 7}]`,
			`reason: E, message: "{p}", params: [{name: p, type: float64, precision: 9, maxBytes: 8}]`, nil, ""},
		{"quotes", `reason: E, message: "{p}", params: [p string]`, `reason: E, message: "{p}", params: [{name: p, type: string, quote: true}]`, []string{"BW06"}, "quote"},
		{"a separator", `reason: E, message: "{p}", params: [p strings]`, `reason: E, message: "{p}", params: [{name: p, type: strings, separator: "; "}]`,
			[]string{"BW06"}, "separator"},
		{"a value becomes sensitive", `reason: E, message: "{p}", params: [p string]`, `reason: E, message: "{p}", params: [{name: p, type: string, sensitive: true}]`,
			[]string{"BW05", "BW06"}, "sensitive"},
		{"an optional bool becomes sensitive", `reason: E, message: "a{p}", params: [{name: p, type: bool, optional: true, prefix: ": "}]`,
			`reason: E, message: "a{p}", params: [{name: p, type: bool, optional: true, prefix: ": ", sensitive: true}]`, []string{"BW06"}, "sensitive"},
		{"placeholders swapped", `reason: E, message: "{a} to {b}", params: [a int, b int]`, `reason: E, message: "{b} to {a}", params: [a int, b int]`,
			[]string{"BW06"}, "{b} to {a}"},
		{"a placeholder replaced", `reason: E, message: "{a}", params: [a int]`, `reason: E, message: "{regarding.name}", params: [a int]`, []string{"BW06"}, "{regarding.name}"},

		{"a further object", `reason: E, message: "a"`, `reason: E, message: "a", alsoOn: [Node]`, []string{"BG03"}, "the further objects were none and are *k8s.io/api/core/v1.Node"},
		{"no further object", `reason: E, message: "a", alsoOn: [Node]`, `reason: E, message: "a"`, []string{"BG03", "BW03"}, "no longer about v1 Node"},
		{"another further object", `reason: E, message: "a", alsoOn: [Node]`, `reason: E, message: "a", alsoOn: [Thing]`, []string{"BG03"}, "further objects"},
		{"another kind of a further object beside any", `reason: E, message: "a", regarding: Thing, alsoOn: [Widget]`, `reason: E, message: "a", regarding: Thing, alsoOn: [Gadget]`,
			[]string{"BW03"}, "no longer about example.com/v1 Widget"},
		{"objects of one Go type that change places", `reason: E, message: "a", regarding: Widget, alsoOn: [Gadget]`, `reason: E, message: "a", regarding: Gadget, alsoOn: [Widget]`,
			[]string{"BG03"}, "objects changed places: callers that compile give (example.com/v1 Widget, example.com/v1 Gadget) for (example.com/v1 Gadget, example.com/v1 Widget)"},
		{"a closed set in another order", `reason: E, message: "a", regarding: {anyOf: [Pod, Node]}, alsoOn: [Widget]`, `reason: E, message: "a", regarding: {anyOf: [Node, Pod]}, alsoOn: [Widget]`, nil, ""},
		{"a lower limit that only events on a further object reach", `reason: E, message: "a {b}", params: [b bool], alsoOn: [Node], correlation: {threshold: 3}`,
			`reason: E, message: "a {b}", params: [b bool], alsoOn: [Node], correlation: {threshold: 1}`, []string{"BW07"}, "threshold"},
		{"a lower limit that several places in a further object of any kind reach", `reason: E, message: "a", regarding: [Pod, Node], alsoOn: [Thing], correlation: {key: [], threshold: 3}`,
			`reason: E, message: "a", regarding: [Pod, Node], alsoOn: [Thing], correlation: {key: [], threshold: 1}`, []string{"BW07"}, "threshold"},
		{"a lower limit that two methods do not reach, because they say the same of a further object", `reason: E, message: "a", regarding: [Pod, Node], alsoOn: [Widget], correlation: {key: [], threshold: 3}`,
			`reason: E, message: "a", regarding: [Pod, Node], alsoOn: [Widget], correlation: {key: [], threshold: 1}`, nil, ""},
		{"a budget that earns more slowly than two events spend it in a day", `reason: E, message: "a {b}", params: [b bool]`,
			`reason: E, message: "a {b}", params: [b bool], correlation: {budget: {every: 50m}}`, []string{"BW07"}, "budget.every"},
		{"a budget that earns as fast as one event spends it", `reason: E, message: "a"`, `reason: E, message: "a", correlation: {budget: {every: 50m}}`, nil, ""},
		{"a shorter window, whose event takes tokens that another one had", shared + `, correlation: {window: 30m}` + beside, shared + beside, nil, ""},
		{"a closed set becomes any", `reason: E, message: "a", regarding: {anyOf: [Pod, Node]}`, `reason: E, message: "a", regarding: Thing`, nil, ""},
		{"a positional param renamed", `reason: E, message: "{a}", params: [a int]`, `reason: E, message: "{b}", params: [b int]`, nil, ""},
		{"a reason renamed, and the name kept", `reason: Old, name: E, message: "a {p}", params: [p int]`, `reason: New, name: E, message: "a {p}", params: [p int]`,
			[]string{"BG01", "BW01"}, "reason Old is now New"},
		{"an event renamed", `reason: Old, message: "a {p} of everything", params: [p int]`, `reason: New, message: "a {p} of everything", params: [p int]`,
			[]string{"BG01", "BW01"}, "Old"},
		{"the latest note, where a variant shows what selects it", strings.Replace(enum, "{A: ,", `{A: {message: "a {m}"},`, 1) + `, correlation: {key: []}`,
			strings.Replace(enum, "{A: ,", `{A: {message: "a {m}"},`, 1) + `, correlation: {key: [], note: latest}`, nil, ""},
		{"the latest note, where the other variant shows what selects it", strings.Replace(enum, "reason: Other", `reason: Other, message: "o {m}"`, 1) + `, correlation: {key: []}`,
			strings.Replace(enum, "reason: Other", `reason: Other, message: "o {m}"`, 1) + `, correlation: {key: [], note: latest}`, []string{"BW06"}, "latest"},
		{"the reason of a variant renamed", enum, strings.Replace(enum, "Beta", "Gamma", 1), []string{"BG01", "BW01"}, "reason Beta is now Gamma"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			old, now := changed(t, tt.was, dir), changed(t, tt.is, dir)
			var rules []string
			findings := Compare(Baseline{Set: old, Label: "v1.0.0"}, now, Options{})
			if len(findings) > 1 {
				t.Errorf("%d findings of one change", len(findings))
			}
			for _, f := range findings {
				t.Log(f)
				rules = append(rules, f.Change.Rules...)
				if f.Pos.Line != changedLine {
					t.Errorf("%s is not at the entry that changed, line %d", f, changedLine)
				}
				if !strings.Contains(f.Message, tt.says) {
					t.Errorf("%s does not say %s", f, tt.says)
				}
			}
			slices.Sort(rules)
			if rules = slices.Compact(rules); !slices.Equal(rules, tt.rules) {
				t.Errorf("rules %q, not %q", rules, tt.rules)
			}
			if back := Compare(Baseline{Set: now}, now, Options{}); len(back) > 0 {
				t.Errorf("it breaks itself: %v", back)
			}
		})
	}
}

// changedLine is where the entry of a changed catalog stands.
const changedLine = 10

func changed(t *testing.T, entry, dir string) *model.Set {
	t.Helper()
	return set(t, "spec:\n  go: {package: p}\n  reportingController: example.com/c\n  objects: {Pod: v1, Node: v1, Thing: {type: any}, "+
		"Widget: {type: metav1.PartialObjectMetadata, apiVersion: example.com/v1, kind: Widget}, Gadget: {type: metav1.PartialObjectMetadata, apiVersion: example.com/v1, kind: Gadget}}\n"+
		"  defaults: {regarding: Pod}\n  events:\n  - {reason: Before, message: \"before\"}\n  - {"+entry+"}\n", dir)
}

// Another output folder is another import path.
func TestOutputMoved(t *testing.T) {
	const catalog = "spec:\n  go: {package: p, output: %s}\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n  events:\n  - {reason: E, message: \"e\"}\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	old, now := set(t, fmt.Sprintf(catalog, "a/p/zz.go"), dir), set(t, fmt.Sprintf(catalog, "b/p/zz.go"), dir)
	findings := Compare(Baseline{Set: old}, now, Options{})
	if len(findings) != 1 || !slices.Equal(findings[0].Change.Rules, []string{"BG04"}) || findings[0].Pos.Line != 4 {
		t.Errorf("%v", findings)
	}
	if same := Compare(Baseline{Set: old}, set(t, fmt.Sprintf(catalog, "a/p/zz_other.go"), dir), Options{}); len(same) > 0 {
		t.Errorf("another file of the same package: %v", same)
	}
}
