package breaking

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/fields"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// selectable are the labels that the API server takes in a field selector for events of the core
// group, which kubectl get events asks for (kubernetes pkg/apis/core/v1/conversion.go,
// AddFieldLabelConversionsForEvent; the values are those of pkg/registry/core/event/strategy.go,
// ToSelectableFields).
var selectable = []string{
	"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "involvedObject.apiVersion",
	"involvedObject.resourceVersion", "involvedObject.fieldPath", "reason", "reportingComponent", "source", "type",
	"metadata.namespace", "metadata.name",
}

// stored returns the fields by which the server selects an event of a definition. If it can have
// several kinds, the last one is used.
func stored(s *model.Definition, controller string) fields.Set {
	set := fields.Set{"reason": s.Runtime.Reason, "type": s.Runtime.Type, "reportingComponent": controller, "involvedObject.kind": "Other"}
	if kinds := definitionKinds(s); len(kinds) > 0 {
		set["involvedObject.kind"] = kinds[len(kinds)-1]
	}
	if s.Runtime.ReportingController != "" {
		set["reportingComponent"] = s.Runtime.ReportingController
	}
	return set
}

const differing = `spec:
  go: {package: p}
  objects: {Pod: v1, Node: v1, Target: {type: any}}
  reportingController: c
  defaults: {regarding: Pod}
  events:
  - {reason: Started, message: "a"}
  - {name: OfNode, reason: Started, regarding: Node, message: "a"}
  - {name: OfOther, reason: Started, reportingController: example.com/d, message: "a"}
  - {name: Warned, reason: Started, type: Warning, message: "a"}
  - {name: Separators, reason: "a,reason=b\\c", message: "a"}
  - {name: Either, reason: Chosen, regarding: {anyOf: [Pod, Node]}, message: "a"}
  - {name: Whatever, reason: Targeted, regarding: Target, message: "a"}
  - {name: Varied, params: [{name: v, type: enum, values: [One, Two, Three]}], select: v, message: "a", variants: {One: , Two: {type: Warning}}, other: {reason: Third}}
`

// The API server accepts every selector. It selects the event for which it is printed, and no
// other.
func TestFieldSelectorsSelect(t *testing.T) {
	var defs []*model.Definition
	for _, e := range set(t, differing, t.TempDir()).Packages[0].Events {
		defs = append(defs, definitionsOf(e)...)
	}
	if len(defs) != 10 {
		t.Fatalf("%d specs", len(defs))
	}
	for _, s := range defs {
		selector, err := fields.ParseSelector(fieldSelector(s))
		if err != nil {
			t.Errorf("%s: %v", fieldSelector(s), err)
			continue
		}
		for _, r := range selector.Requirements() {
			if !slices.Contains(selectable, r.Field) {
				t.Errorf("%s: the API server selects no events by %s", fieldSelector(s), r.Field)
			}
		}
		for _, other := range defs {
			if got := selector.Matches(stored(other, "of the host")); got != (other == s) {
				t.Errorf("%s: matches %v: %t", selector, stored(other, "of the host"), got)
			}
		}
	}
}

// A selector leaves out a controller that is set at run time.
func TestFieldSelectorWithoutController(t *testing.T) {
	const text = `spec:
  go: {package: p}
  objects: {Pod: v1}
  events: [{reason: Started, regarding: Pod, message: "a"}]
`
	got := fieldSelector(definitionsOf(set(t, text, t.TempDir()).Packages[0].Events[0])[0])
	if want := "involvedObject.kind=Pod,reason=Started,type=Normal"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
