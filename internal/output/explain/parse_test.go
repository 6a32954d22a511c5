package explain_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/event-gen/event-gen/internal/output/explain"
)

var (
	created = explain.Stored{Type: "Warning", Reason: "FailedCreate", Message: "Error creating web-0: no  quota", Controller: "test-controller", Count: 1,
		Regarding: explain.Reference{Kind: "Pod", Namespace: "shop", Name: "web-0"}}
	scaled = explain.Stored{Type: "Normal", Reason: "Scaled", Message: "Scaled from 1 to 2", Count: 1}
)

const (
	createdJSON = `{"apiVersion": "v1", "kind": "Event", "type": "Warning", "reason": "FailedCreate", "message": "Error creating web-0: no  quota",
  "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "web-0"}, "source": {"component": "test-controller"}}`
	scaledJSON  = `{"type": "Normal", "reason": "Scaled", "note": "Scaled from 1 to 2"}`
	createdYAML = `apiVersion: v1
involvedObject:
  kind: Pod
  name: web-0
  namespace: shop
kind: Event
message: 'Error creating web-0: no  quota'
reason: FailedCreate
reportingComponent: test-controller
type: Warning
`
	scaledYAML = "apiVersion: events.k8s.io/v1\nkind: Event\nnote: Scaled from 1 to 2\nreason: Scaled\ntype: Normal\n"
)

// bare is an event with only the fields that a line has.
func bare(s explain.Stored, regarding explain.Reference, controller string) explain.Stored {
	s.Regarding, s.Controller, s.Count = regarding, controller, 0
	return s
}

func aged(s explain.Stored, age string) explain.Stored {
	s.Age = age
	return s
}

// Parse reads events in all forms in which kubectl prints them.
func TestParseKubectl(t *testing.T) {
	pod := explain.Reference{Kind: "pod", Name: "web-0"}
	both := []explain.Stored{created, scaled}
	none := []explain.Stored{}
	for name, c := range map[string]struct {
		text string
		want []explain.Stored
	}{
		"a list":                 {`{"kind": "List", "items": [` + createdJSON + "," + scaledJSON + "]}", both},
		"an empty list":          {`{"apiVersion": "v1", "items": [], "kind": "List"}`, none},
		"a list of null":         {`{"kind": "EventList", "items": null}`, none},
		"an array":               {"[" + createdJSON + "," + scaledJSON + "]", both},
		"an empty array":         {"[]", none},
		"a stream":               {createdJSON + "\n" + scaledJSON + "\n", both},
		"a watch with its types": {`{"type": "ADDED", "object": ` + createdJSON + "}\n" + `{"type": "MODIFIED", "object": ` + scaledJSON + "}", both},
		"YAML":                   {createdYAML, both[:1]},
		"YAML of a watch":        {createdYAML + "---\n" + scaledYAML, both},
		"YAML from a separator":  {"---\n" + createdYAML, both[:1]},
		"a YAML list":            {"apiVersion: v1\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(createdYAML), "\n", "\n  ") + "\nkind: List\n", both[:1]},
		"an empty YAML list":     {"apiVersion: v1\nitems: []\nkind: List\nmetadata:\n  resourceVersion: \"\"\n", none},
		"get events": {`LAST SEEN   TYPE      REASON         OBJECT      MESSAGE
5m          Warning   FailedCreate   pod/web-0   Error creating web-0: no  quota
`, []explain.Stored{aged(bare(created, pod, ""), "5m")}},
		"get events -A": {`NAMESPACE   LAST SEEN           TYPE      REASON         OBJECT      MESSAGE
shop        5m (x3 over 10m)    Warning   FailedCreate   pod/web-0   Error creating web-0: no  quota
`, []explain.Stored{aged(bare(created, explain.Reference{Kind: "pod", Namespace: "shop", Name: "web-0"}, ""), "5m (x3 over 10m)")}},
		"get events --no-headers": {"5m    Warning   FailedCreate   pod/web-0   Error creating web-0: no  quota", []explain.Stored{bare(created, pod, "")}},
		"get events -o wide": {`LAST SEEN   TYPE      REASON         OBJECT      SUBOBJECT   SOURCE            MESSAGE                           FIRST SEEN   COUNT   NAME
5m          Warning   FailedCreate   pod/web-0               test-controller   Error creating web-0: no  quota   5m           1       web-0.17
`, []explain.Stored{aged(bare(created, pod, "test-controller"), "5m")}},
		"a line of a watch beside the header": {`LAST SEEN   TYPE      REASON   OBJECT      MESSAGE
0s          Warning   FailedCreate   pod/web-0   Error creating web-0: no  quota
`, []explain.Stored{bare(created, pod, "")}},
		"describe": {`Name:             web-0
Namespace:        shop
Events:
  Type     Reason        Age                From             Message
  ----     ------        ----               ----             -------
  Warning  FailedCreate  2m (x5 over 10m)   test-controller  Error creating web-0: no  quota
`, []explain.Stored{aged(bare(created, explain.Reference{Namespace: "shop", Name: "web-0"}, "test-controller"), "2m (x5 over 10m)")}},
		"a line of describe": {"  Warning  FailedCreate  2m1s (x5 over 10m)  test-controller, node-1  Error creating web-0: no  quota",
			[]explain.Stored{bare(created, explain.Reference{}, "test-controller")}},
		"describe without events": {"Name:  web-0\nEvents:  <none>\n", nil},
		"no resources":            {"No resources found in default namespace.\n", nil},
		"no header but no line":   {"LAST SEEN   TYPE   REASON   OBJECT   MESSAGE\n", nil},
		"a message":               {"Warning signs of pod/web-0 in sight", []explain.Stored{{Message: "Warning signs of pod/web-0 in sight"}}},
		"a message of two lines":  {"it says:\n  no", []explain.Stored{{Message: "it says:\n  no"}}},
		"a message with a colon":  {"error: no quota", []explain.Stored{{Message: "error: no quota"}}},
	} {
		got, err := explain.Parse(c.text)
		if diff := cmp.Diff(c.want, got, cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
}

// Parse reports input that is no event.
func TestParseOthers(t *testing.T) {
	for text, want := range map[string]string{
		`{"kind": "Pod"}`: "found kind Pod",
		`{"kind": "List", "items": [{"kind": "Status"}]}`:       "found kind Status",
		`{"kind": "PodList", "items": []}`:                      "found kind PodList",
		"kind: Pod\n":                                           "found kind Pod",
		"kind: Event\n\tx: y\n":                                 "the YAML can't be read",
		createdJSON + "\n{broken":                               "the text after the first 1 event is not JSON",
		`{"items": [` + createdJSON + `, {"message": 5}]}`:      "the text after the first 1 event is not JSON of events",
		"apiVersion: v1\nitems:\n- kind: Event\n  message: a\n": "the YAML is cut off",
		"- a\n": "",
	} {
		_, err := explain.Parse(text)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// JSON that ends early is an error wherever it ends, also in one of several values.
func TestCutOff(t *testing.T) {
	list := `{"apiVersion": "v1", "items": [` + createdJSON + ", " + scaledJSON + `], "kind": "List", "metadata": {"resourceVersion": ""}}`
	watch := createdJSON + "\n" + `{"type": "MODIFIED", "object": ` + scaledJSON + "}"
	for _, text := range []string{list, "[" + createdJSON + "]", watch} {
		for cut := range len(text) {
			// between the values of a watch
			if text == watch && (cut == len(createdJSON) || cut == len(createdJSON)+1) {
				continue
			}
			err := explain.ReadJSON(strings.NewReader(text[:cut]), func(explain.Stored) error { return nil })
			if cut == 0 && !errors.Is(err, explain.ErrEmpty) || cut > 0 && (err == nil || !strings.Contains(err.Error(), "cut off")) {
				t.Fatalf("cut off after %q: %v", text[:cut], err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{createdJSON, createdYAML, scaledYAML, "LAST SEEN  TYPE  REASON  OBJECT  MESSAGE\n1  Normal  A  b/c  d", "[{}]", "{}{}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if list, err := explain.Parse(text); err == nil && len(list) > len(text) {
			t.Errorf("%d events of %d bytes", len(list), len(text))
		}
	})
}
