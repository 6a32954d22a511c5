package model_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// conditions are specs at the edge of one finding each. want is the finding without its file, or
// nothing.
var conditions = map[string]struct {
	spec     string
	files    map[string]string
	complete bool // parts that the reader rejected are left out
	opts     model.Options
	want     string
}{
	"an enum with the same values": {spec: "  events:\n" +
		"  - {reason: A, message: \"{m}\", params: [{name: m, type: enum, goName: Mode, values: [On, Off]}]}\n" +
		"  - {reason: B, message: \"{m}\", params: [{name: m, type: enum, goName: Mode, values: [On, Off]}]}\n"},
	"an enum with one other value": {spec: "  events:\n" +
		"  - {reason: A, message: \"{m}\", params: [{name: m, type: enum, goName: Mode, values: [On, Off]}]}\n" +
		"  - {reason: B, message: \"{m}\", params: [{name: m, type: enum, goName: Mode, values: [Up, Down]}]}\n",
		want: "9:87: enum Mode has other values at catalog.yaml:8:42; give it another goName, or both the same values [EV105]"},
	"an empty reason": {spec: "  events: [{reason: \"\", message: \"a\"}]\n"},
	"no struct without params": {spec: "  go: {package: p, args: struct}\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n  events:\n" +
		"  - {reason: A, message: \"a\"}\n" +
		"  - {reason: B, message: \"{m}\", params: [{name: m, type: enum, goName: AArgs, values: [On]}]}\n"},
	"an empty name of variants": {spec: "  events: [{name: \"\", message: \"{v}\", params: [v string(9)], select: v, variants: {X: {}}, other: {reason: O}}]\n",
		want: "7:12: the event has neither name nor reason; give its reason [EV001]"},
	"a reason not read":  {spec: "  events: [{reason: [A], message: \"a\"}]\n"},
	"a message not read": {spec: "  events: [{reason: A, message: [a]}]\n"},
	"no regarding object": {spec: "  go: {package: p}\n  events: [{reason: A, message: \"a\"}]\n",
		want: "5:12: event A names no regarding object, and spec.defaults has none; give regarding [EV001]"},
	"a regarding object not read": {spec: "  go: {package: p}\n  events: [{reason: A, regarding: {object: [Pod]}, message: \"a\"}]\n"},
	"an unknown object": {spec: "  events: [{name: A, regarding: Nowhere, message: \"{v}\", params: [v int], select: v, variants: {X: {}}, other: {reason: O}}]\n",
		want: "7:33: object Nowhere is not in spec.objects; known are Pod [EV108]"},
	"select alone": {spec: "  events: [{name: A, message: \"{v}\", params: [{name: v, type: enum, values: [X]}], select: v}]\n"},
	"a name without a kind": {spec: "  objects: {Pod: v1, Any: {type: any}}\n  defaults: {regarding: Pod}\n  events: [{reason: A, message: \"a\", related: {object: Any, byName: true}}]\n",
		want: "8:69: an object that is given by its name needs a kind, and Any has any [EV108]"},
	"the UID of a name": {spec: "  events: [{reason: A, message: \"{related.uid}\", related: {object: Pod, byName: true}}]\n",
		want: "7:34: {related.uid} is not known for an object that is given by its name [EV202]"},
	"a closed enum": {spec: "  events: [{name: A, message: \"{v}\", params: [v enum], select: v, variants: {X: {}}}]\n"},
	"other of a closed enum": {spec: "  events: [{name: A, message: \"{v}\", params: [v enum], select: v, variants: {X: {}}, other: {reason: O}}]\n",
		want: "7:93: \"other\" is for values without a variant, but every value of enum v has one; remove it, or list further values: {name: v, type: enum, values: [X, Other]} [EV001]"},
	"values without a variant": {spec: "  events: [{name: A, message: \"{v}\", params: [{name: v, type: enum, values: [X, Y, Z]}], select: v, variants: {X: {}}}]\n",
		want: "7:98: these values of enum v have no variant: Y, Z; give them variants, or give the key \"other\" [EV001]"},
	"a string without other": {spec: "  events: [{name: A, message: \"{v}\", params: [v string(9)], select: v, variants: {X: {}}}]\n",
		want: "7:69: v is a string, so an event that selects it needs the key \"other\", the variant for all other values [EV001]"},
	"select without variants":       {spec: "  events: [{name: A, message: \"{v}\", params: [v string(9)], select: v, other: {reason: O}}]\n"},
	"select with variants not read": {spec: "  events: [{name: A, message: \"{v}\", params: [v string(9)], select: v, variants: [X], other: {reason: O}}]\n"},
	"select with all":               {spec: "  events: [{name: A, message: \"{v}\", params: [v string(9)], select: v, variants: {X: {}}, other: {reason: O}}]\n"},
	"select of what is sensitive":   {spec: "  events: [{name: A, message: \"{v}\", params: [{name: v, type: string, sensitive: true}], select: v, variants: {X: {}}, other: {reason: O}}]\n", want: "7:98: select needs an enum, or a param of a string type that is not sensitive; v is string [EV001]"},
	"select of a number":            {spec: "  events: [{name: A, message: \"{v}\", params: [v int], select: v, variants: {X: {}}, other: {reason: O}}]\n", want: "7:63: select needs an enum, or a param of a string type that is not sensitive; v is int [EV001]"},
	"select of an error":            {spec: "  events: [{name: A, message: \"{v}\", params: [v error], select: v, variants: {X: {}}, other: {reason: O}}]\n", want: "7:65: select needs an enum, or a param of a string type that is not sensitive; v is error [EV001]"},
	"variants without select":       {spec: "  events: [{name: A, message: \"{v}\", params: [v int], variants: {X: {}}, other: {reason: O}}]\n"},
	"select not read":               {spec: "  events: [{name: A, message: \"{v}\", params: [v string(9)], select: [v], variants: {X: {}}, other: {reason: O}}]\n"},
	"a blank alias":                 {spec: "  imports: {_: example.com/a}\n" + oneEvent, want: "7:13: import alias \"_\" is no Go name, or hides a predeclared one [EV105]"},
	"no alias":                      {spec: "  imports: {a-b: example.com/a}\n" + oneEvent, want: "7:13: import alias \"a-b\" is no Go name, or hides a predeclared one [EV105]"},
	"a predeclared alias":           {spec: "  imports: {len: example.com/a}\n" + oneEvent, want: "7:13: import alias \"len\" is no Go name, or hides a predeclared one [EV105]"},
	"an unused import":              {spec: "  imports: {a: example.com/a}\n" + oneEvent, want: "7:13: nothing uses import a; leave it out [EV203]"},
	"unused for what?":              {spec: "  imports: {a: example.com/a}\n  objects: [x]\n" + oneEvent},
	"unused for which event?":       {spec: "  imports: {a: example.com/a}\n  events: [{reason: A, message: [a]}]\n", complete: true},
	"unused for an error": {spec: "  imports: {a: example.com/a}\n  events: [{reason: A, message: \"{x}\"}]\n",
		want: "8:34: no param or object declares {x}; known are regarding.kind, regarding.name, regarding.namespace, regarding.uid [EV202]"},
	"the module's parent": {spec: "  go: {package: p, output: ../p.go}\n  objects: {Pod: v1}\n" + oneEvent, files: module,
		want: "4:28: spec.go.output \"../p.go\" leaves the catalog's module; nothing outside of it is written [EV001]"},
	"another package there": {spec: "  go: {package: p, output: q/p.go}\n  objects: {Pod: v1}\n" + oneEvent, files: module,
		want: "4:17: the folder of the output holds package q, so package p can't be generated there [EV105]"},
	"another package, compared": {spec: "  go: {package: p, output: q/p.go}\n  objects: {Pod: v1}\n" + oneEvent, files: module, opts: model.Options{Baseline: true}},
	"the same package there":    {spec: "  go: {package: q, output: q/p.go}\n  objects: {Pod: v1}\n" + oneEvent, files: module},
	"a package not read":        {spec: "  go: {package: [p]}\n  objects: {Pod: v1}\n" + oneEvent},
	"a type with a generated name": {spec: "  go: {package: q}\n  objects: {T: {type: Recorder, apiVersion: v1}}\n  events: [{reason: A, regarding: T, message: \"a\"}]\n",
		files: module, want: "5:23: type Recorder of package q has the Go name of the recorder (catalog.yaml:4:17); choose another name there [EV105]"},
	"a type of the package": {spec: "  go: {package: q}\n  objects: {T: {type: Thing, apiVersion: v1}}\n  events: [{reason: A, regarding: T, message: \"a\"}]\n",
		files: module},
}

const (
	oneEvent = "  events: [{reason: A, regarding: Pod, message: \"a\"}]\n"
	ordinary = "  go: {package: p}\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n"
)

// module has a package q.
var module = map[string]string{"go.mod": "module example.com/m\n", "q/q.go": "package q\n\ntype Thing struct{}\n"}

// withHead completes a spec that does not say what to generate.
func withHead(spec string) string {
	if strings.HasPrefix(spec, "  go:") {
		return spec
	}
	if strings.Contains(spec, "  objects:") {
		return strings.ReplaceAll(ordinary, "  objects: {Pod: v1}\n", "") + spec
	}
	return ordinary + spec
}

func TestConditions(t *testing.T) {
	for name, c := range conditions {
		t.Run(name, func(t *testing.T) {
			c.opts.Dir, c.opts.Resolve = t.TempDir(), model.ResolveNever
			for file, text := range c.files {
				path := filepath.Join(c.opts.Dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			catalogs, _ := catalog.Read("catalog.yaml", strings.NewReader(head+"spec:\n"+withHead(c.spec)))
			if c.complete {
				catalogs = catalog.Complete(catalogs)
			}
			_, findings := model.Build(t.Context(), catalogs, c.opts)
			if got := strings.TrimSpace(strings.ReplaceAll("\n"+lines(findings), "\ncatalog.yaml:", "\n")); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
