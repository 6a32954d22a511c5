package explain_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/explain"
)

const text = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: testevents}
  reportingController: test-controller
  objects: {Pod: v1, Node: v1, Job: batch/v1}
  defaults: {regarding: Pod}
  events:
  - {reason: Failed, type: Warning, message: "{cause}", params: [cause error]}
  - {reason: FailedCreate, type: Warning, message: "Error creating {regarding.name}: {cause}", params: [cause error]}
  - reason: Scaled
    regarding: [Pod, Job]
    related: {object: Node, optional: true, prefix: " on "}
    message: "Scaled from {from} to {to}{related.name}{hint}"
    params: [from int32, to int32, {name: hint, type: string, maxBytes: 80, optional: true, prefix: "; hint: "}]
  - name: Ended
    message: "It ended: {text} after {took}"
    params: [{name: outcome, type: enum, values: [Good, Bad, Odd]}, text string, took duration]
    select: outcome
    variants: {Good: {}, Bad: {type: Warning, message: "Bad ({secret}): {text}"}}
    other: {reason: Unknown}
  - {reason: Blocked, message: "Blocked by {what}", params: [what string], correlation: {key: [], note: latest}}
  - {reason: Up, message: "{regarding.kind} {regarding.name} is up"}
  - {reason: Counted, message: "{count}", params: [count int]}
  - {reason: Hinted, message: "{hint}", params: [{name: hint, type: string, maxBytes: 80, optional: true, prefix: "hint: "}]}
  - {reason: Quoted, message: "say {what}", params: [{name: what, type: string, quote: true}]}
`

func entries(t testing.TB) *explain.Entries {
	t.Helper()
	source := strings.Replace(text, "took duration]", "took duration, {name: secret, type: string, sensitive: true}]", 1)
	catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(source))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	s, findings := model.Build(t.Context(), catalogs, model.Options{Dir: t.TempDir(), Resolve: model.ResolveNever})
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	return explain.NewEntries(s)
}

func TestReadings(t *testing.T) {
	s := entries(t)
	tests := []struct {
		name, input string
		want        []string // the best reading: event, reason, values
	}{
		{"a message with a value at its end", "Error creating web-0: quota: exceeded", []string{"FailedCreate", "FailedCreate", "regarding.name=web-0", "cause=quota: exceeded"}},
		{"numbers", "Scaled from -3 to 20", []string{"Scaled", "Scaled", "from=-3", "to=20"}},
		{"optional parts", "Scaled from 3 to 20 on node-1; hint: wait", []string{"Scaled", "Scaled", "from=3", "to=20", "related.name=node-1", "hint=wait"}},
		{"an optional part alone", "Scaled from 3 to 20; hint: wait on me", []string{"Scaled", "Scaled", "from=3", "to=20", "hint=wait on me"}},
		{"a combined one", "(combined from similar events): Scaled from 1 to 2", []string{"Scaled", "Scaled", "from=1", "to=2", "aggregate"}},
		{"an aggregate in events.k8s.io, whose note never changes", `{"reason": "Scaled", "note": "(combined from similar events): Scaled from 1 to 2",
			"metadata": {"annotations": {"event-gen.github.io/last-message": "Scaled from 8 to 9"}}}`,
			[]string{"Scaled", "Scaled", "from=1", "to=2", "latest from=8", "latest to=9", "aggregate"}},
		{"a variant by its message", "Bad (<redacted>): no", []string{"Ended", "Bad", "secret=<redacted>", "text=no"}},
		{"a variant by its reason", `{"reason": "Unknown", "message": "It ended: ok after 1m30s"}`, []string{"Ended", "Unknown", "text=ok", "took=1m30s"}},
		{"quoted text", `say "a \"b\""`, []string{"Quoted", "Quoted", `what="a \"b\""`}},
		{"a kind in lower case, as get events prints it", "5s   Normal   Up   pod/web-0   Pod web-0 is up", []string{"Up", "Up", "regarding.kind=Pod", "regarding.name=web-0"}},
		{"nothing but a value", "whatever", []string{"Failed", "Failed", "cause=whatever"}},
		{"an event of the core group", `{"kind": "Event", "reason": "FailedCreate", "type": "Warning", "message": "Error creating a: b: c",
			"involvedObject": {"kind": "Pod", "name": "a: b"}, "source": {"component": "test-controller"}}`, []string{"FailedCreate", "FailedCreate", "regarding.name=a: b", "cause=c"}},
		{"an event of events.k8s.io", `{"reason": "Scaled", "note": "Scaled from 1 to 2", "regarding": {"kind": "Job"}, "reportingController": "test-controller"}`,
			[]string{"Scaled", "Scaled", "from=1", "to=2"}},
		{"a note that follows the occurrences", `{"reason": "Blocked", "note": "Blocked by a", "metadata": {"annotations": {"event-gen.github.io/latest-note": "Blocked by b"}}}`,
			[]string{"Blocked", "Blocked", "what=a", "latest what=b"}},
		{"a latest note of another entry", `{"reason": "Scaled", "note": "Scaled from 1 to 2", "metadata": {"annotations": {"event-gen.github.io/latest-note": "Scaled from 1 to 3"}}}`,
			[]string{"Scaled", "Scaled", "from=1", "to=2"}},
		{"another controller's", `{"reason": "Scaled", "note": "Scaled from 1 to 2", "reportingController": "other"}`, nil},
		{"another kind", `{"reason": "Scaled", "note": "Scaled from 1 to 2", "regarding": {"kind": "Secret"}}`, nil},
		{"a message that the reason does not have", `{"reason": "Scaled", "message": "Scaled from one to 2"}`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			stored, err := explain.Parse(tt.input)
			if err != nil || len(stored) != 1 {
				t.Fatal(stored, err)
			}
			var got []string
			if readings := s.Readings(stored[0]); len(readings) > 0 {
				got = show(readings[0])
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("the best reading differs (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAnythingIsLast: an entry whose message is one placeholder for any text is the last candidate,
// wherever it stands in the catalog.
func TestAnythingIsLast(t *testing.T) {
	s := entries(t)
	for message, want := range map[string]string{
		"7": "Counted Failed", "hint: wait": "Hinted Failed", "Scaled from 3 to 20": "Scaled Failed",
		"Blocked by a": "Blocked Failed",
	} {
		var got []string
		for _, r := range s.Readings(explain.Stored{Message: message}) {
			got = append(got, r.Event.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("the candidates of %q are %v, want %s", message, got, want)
		}
	}
}

func show(r explain.Reading) []string {
	parts := []string{r.Event.Name, r.Definition.Runtime.Reason}
	for _, v := range r.Values {
		parts = append(parts, v.Name+"="+v.Text)
	}
	for _, v := range r.Latest {
		parts = append(parts, "latest "+v.Name+"="+v.Text)
	}
	if r.Aggregate {
		parts = append(parts, "aggregate")
	}
	return parts
}

func TestParse(t *testing.T) {
	list, err := explain.Parse(`{"kind": "List", "items": [{"message": "a"}, {"note": "b"}]}`)
	if err != nil || len(list) != 2 || list[0].Message != "a" || list[1].Message != "b" {
		t.Errorf("a list is %v, %v", list, err)
	}
	if brace, err := explain.Parse("{x} is no JSON"); err != nil || brace[0].Message != "{x} is no JSON" {
		t.Errorf("a message with a brace is %v, %v", brace, err)
	}
	for _, bad := range []string{"", " \n", `{"kind": "Pod"}`} {
		if _, err := explain.Parse(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
