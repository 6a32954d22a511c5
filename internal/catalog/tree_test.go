package catalog

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

func full(t *testing.T) *Catalog {
	t.Helper()
	const path = "testdata/full.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	catalogs, findings := Read(path, bytes.NewReader(text))
	if len(findings) > 0 || len(catalogs) != 1 {
		t.Fatalf("%d catalogs, findings:\n%s", len(catalogs), lines(findings))
	}
	return catalogs[0]
}

// Every scalar of the tree is in the file at its position.
func TestPositions(t *testing.T) {
	text, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	count := 0
	eachScalar(reflect.ValueOf(full(t)), func(s Scalar) {
		count++
		at := strings.TrimLeft(lines[s.Pos.Line-1][s.Pos.Column-1:], `"'`)
		if s.Pos.File != "testdata/full.yaml" || !strings.HasPrefix(at, s.Value) {
			t.Errorf("%s: want %q, found %q", s.Pos, s.Value, at)
		}
	})
	if count < 112 {
		t.Errorf("only %d scalars were found", count)
	}
}

func eachScalar(v reflect.Value, visit func(Scalar)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachScalar(v.Elem(), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachScalar(v.Index(i), visit)
		}
	case reflect.Struct:
		if s, ok := v.Interface().(Scalar); ok {
			if s.Set() {
				visit(s)
			}
			return
		}
		for i := range v.NumField() {
			eachScalar(v.Field(i), visit)
		}
	}
}

// show writes a part of the tree without positions.
func show(v any) string {
	var b strings.Builder
	eachScalar(reflect.ValueOf(v), func(s Scalar) { fmt.Fprintf(&b, "%s|", s.Value) })
	return b.String()
}

func TestForms(t *testing.T) {
	c := full(t)
	for _, part := range []struct {
		name, got, want string
	}{
		{"go", show(c.Go), "widgetevents|Recorder|zz_generated.events.go|positional|"},
		{"imports", show(c.Imports), "widgetv1|example.com/widget/api/v1|"},
		{"objects", show(c.Objects), "Deployment|apps/v1|Widget|widgetv1.Widget|example.com/v1|Widget|Cluster|Target|any|"},
		{"vocabulary", show(c.Params), "cause|error|job|name|63|hint|string|80|true|; hint: |"},
		{"limits", show(c.Limits), "slow|5/s|10|20m|"},
		{"params", show(c.Events[0].Params), "from|int32|to|int32|cause|hint|string|80|true|; hint: |"},
		{"related", show(c.Events[0].Related), "Node|true| on |false|"},
		{"related, short", show(c.Events[1].Related), "Target|"},
		{"list", show(c.Events[1].Regarding), "Deployment|Widget|"},
		{"closed set", show(c.Events[2].Regarding), "Deployment|Widget|"},
		{"container", show(c.Events[3].Regarding), "Pod|name|"},
		{"short param", show(c.Events[2].Params), "schedule|string|200|"},
		{"doc", show(c.Events[1].Doc), "It moved.|https://example.com/moved|"},
		{"doc, short", show(c.Events[0].Doc), "A quota is full.|"},
		{"lifecycle", show(c.Events[0].Lifecycle), "v1.2.0|ScaleRefused|a better name|v1.6.0|"},
		{"correlation", show(c.Events[0].Correlation), "to|latest|slow|15m|10m|10|25|5m|true|"},
		{"ignore", show(c.Events[0].Ignore), "EV301|it is bounded|"},
		{"variants", show(c.Events[4].Variants), "Complete|Completed|Finish|It is done.|BackoffLimitExceeded|Warning|Unknown|"},
		{"other", show(c.Events[4].Other), "Failed|Warning|"},
	} {
		if part.got != part.want {
			t.Errorf("%s: got %s, want %s", part.name, part.got, part.want)
		}
	}
	if !c.Events[2].Regarding.AnyOf || c.Events[1].Regarding.AnyOf || c.Events[3].Regarding.AnyOf {
		t.Error("AnyOf is not what the file says")
	}
	if got := c.Events[4].Variants[0].Message.Text; got != "done" {
		t.Errorf("the variant's message is %q", got)
	}
}

func TestSegmentPositions(t *testing.T) {
	at := func(column int) diag.Pos { return diag.Pos{File: "testdata/full.yaml", Line: 36, Column: column} }
	want := &Message{
		Pos:  at(14),
		Text: "It's {regarding.name}: {{{elapsed}}}",
		Segments: []Segment{
			{Pos: at(15), Text: "It's "},
			{Pos: at(21), Placeholder: "regarding.name"},
			{Pos: at(37), Text: ": {"},
			{Pos: at(41), Placeholder: "elapsed"},
			{Pos: at(50), Text: "}"},
		},
	}
	if diff := cmp.Diff(want, full(t).Events[1].Message); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
}

// A part that can't be read makes its event incomplete. If all events depend on the part, it makes
// the catalog incomplete.
func TestComplete(t *testing.T) {
	text := head + "  - {reason: A, message: {a}}\n  - {reason: B, message: \"b\"}\n  - {reason: C, message: c}\n---\n" +
		strings.Replace(head, "events", "params: [a]\n  events", 1) + "  - {reason: D, message: \"d\"}\n"
	catalogs, _ := Read("f.yaml", strings.NewReader(text))
	complete := Complete(catalogs)
	if len(catalogs) != 2 || len(catalogs[0].Events) != 3 || len(complete) != 1 {
		t.Fatalf("%d catalogs, %d of them complete", len(catalogs), len(complete))
	}
	if got := show(complete[0].Spec); got != "x|B|C|" {
		t.Errorf("complete: %s", got)
	}
}

func TestIdentities(t *testing.T) {
	c := full(t)
	var got []string
	for i := range c.Events {
		for _, id := range c.Identities(&c.Events[i]) {
			got = append(got, strings.Join([]string{
				id.Reason.Value, id.Action.Value, id.Type.Value, id.Controller.Value, id.Message.Text,
			}, "|"))
		}
	}
	const controller = "example.com/widget-controller"
	want := []string{
		"QuotaExceeded|Scale|Warning|example.com/other|Cannot scale from {from} to {to}: {cause}{hint}",
		"Moved|Moved|Normal|" + controller + "|It's {regarding.name}: {{{elapsed}}}",
		"Closed|Closed|Normal|" + controller + "|{schedule}",
		"InContainer|InContainer|Normal|" + controller + "|started",
		"Completed|Finish|Normal|" + controller + "|done",
		"BackoffLimitExceeded|BackoffLimitExceeded|Warning|" + controller + "|{text}",
		"Unknown|Unknown|Normal|" + controller + "|{text}",
		"Failed|Failed|Warning|" + controller + "|{text}",
		"WentDown|WentDown|Normal|" + controller + "|{condition.reason}: {condition.message}",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("identities (-want +got):\n%s", diff)
	}
}

func TestDeclaration(t *testing.T) {
	c := full(t)
	named := c.Declaration(Param{Name: Scalar{Value: "hint"}, Prefix: Scalar{Value: ": ", Pos: diag.Pos{Line: 1}}})
	if got := named.Type.Value + named.MaxBytes.Value + named.Optional.Value + named.Prefix.Value; got != "string80true: " {
		t.Errorf("the declaration of hint is %s", got)
	}
	if own := c.Events[0].Params[0]; !cmp.Equal(c.Declaration(own), own) {
		t.Error("a param with a type is looked up")
	}
	if unknown := c.Declaration(Param{Name: Scalar{Value: "nobody"}}); unknown.Type.Set() {
		t.Error("an unknown name has a type")
	}
}
