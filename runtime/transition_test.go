package eventrt_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/seed"
)

// heard is a publisher that keeps reasons and messages.
type heard struct{ lines []string }

func (h *heard) Publish(e eventrt.Event) {
	h.lines = append(h.lines, strings.TrimSpace(e.Reason()+" "+e.Message()))
}

func (h *heard) take() (line string) {
	line = strings.Join(h.lines, ", ")
	h.lines = nil
	return line
}

func transition(event, condition, status, reason, from string) eventrt.Transition {
	return eventrt.Transition{
		Definition: &eventrt.Definition{Reason: event, Type: eventrt.Normal, Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}}},
		Condition:  condition, Status: status, Reason: reason, From: from,
	}
}

var somePod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}}

// TestTransitionsByHand are the cases of the documentation.
func TestTransitionsByHand(t *testing.T) {
	rules := []eventrt.Transition{
		transition("NotReady", "Ready", "False", "", ""),
		transition("ScaleFailed", "Ready", "False", "ScaleFailed", ""),
		transition("Recovered", "Ready", "True", "", "False"),
		transition("Ready", "Ready", "True", "", ""),
		transition("NoReplicas", "Ready", "False", "NoReplicas", "True"),
	}
	rules[1].Definition.Params = []eventrt.Param{{Name: "conditionMessage"}, {Name: "conditionReason"}}
	rules[1].Definition.Message = []eventrt.Segment{{Text: "why: ", Value: eventrt.ParamValue}, {Text: " by ", Value: eventrt.ParamValue, Param: 1}}
	for _, c := range []struct{ before, after, want string }{
		{"", "", ""},
		{"", "Ready=True/AllUp", "Ready"},
		{"", "Ready=False/NoQuota", "NotReady"},
		{"", "Ready=Unknown/X", ""},
		{"Ready=True/AllUp", "Ready=True/AllUp", ""},
		{"Ready=True/AllUp", "Ready=True/Other", ""},
		{"Ready=True/AllUp", "Ready=False/ScaleFailed", "ScaleFailed why: text by ScaleFailed"},
		{"Ready=True/AllUp", "Ready=False/NoQuota", "NotReady"},
		{"Ready=False/NoQuota", "Ready=False/NoImage", ""},
		{"Ready=False/NoQuota", "Ready=False/ScaleFailed", "ScaleFailed why: text by ScaleFailed"},
		{"Ready=False/ScaleFailed", "Ready=False/NoQuota", "NotReady"},
		{"Ready=False/NoQuota", "Ready=True/AllUp", "Recovered"},
		{"Ready=Unknown/X", "Ready=True/AllUp", "Ready"},
		{"Ready=True/AllUp", "Ready=False/NoReplicas", "NoReplicas"},
		{"Ready=False/NoReplicas", "Ready=False/NoQuota", "NotReady"},
		{"Ready=False/NoQuota", "Ready=False/NoReplicas", ""},
		{"Ready=True/AllUp", "", ""},
		{"Ready=True/AllUp", "Other=False/ScaleFailed", ""},
		{"Other=True/X Ready=True/Y", "Ready=False/NoQuota Other=False/NoQuota", "NotReady"},
	} {
		var h heard
		tr := eventrt.NewRecorder(&h).Transitions(rules, conditions(c.before))
		tr.Record(somePod, conditions(c.after))
		if got := h.take(); got != c.want {
			t.Errorf("%s → %s: recorded %q, want %q", c.before, c.after, got, c.want)
		}
		tr.Record(somePod, conditions(c.after))
		if got := h.take(); got != "" {
			t.Errorf("%s → %s: recorded again %q", c.before, c.after, got)
		}
	}
	// the zero recorder is silent
	(*eventrt.Recorder)(nil).Transitions(rules, nil).Record(somePod, conditions("Ready=True/X"))
}

// conditions reads conditions such as Ready=True/AllUp.
func conditions(text string) (list []eventrt.Condition) {
	for _, word := range strings.Fields(text) {
		name, rest, _ := strings.Cut(word, "=")
		status, reason, _ := strings.Cut(rest, "/")
		list = append(list, eventrt.Condition{Type: name, Status: status, Reason: reason, Message: "text"})
	}
	return list
}

// TestEachStateBelongsToOneEvent draws rules of which no two are equal, and a life of a condition.
// Without former statuses an event is recorded exactly when the condition enters one of its states,
// which a table of all states tells.
func TestEachStateBelongsToOneEvent(t *testing.T) {
	statuses, reasons := []string{"True", "False", "Unknown"}, []string{"A", "B", "C"}
	seed.Check(t, func(r *rapid.T) {
		owner := map[string]string{} // of each state
		var rules []eventrt.Transition
		for _, status := range statuses {
			for _, reason := range append([]string{""}, reasons...) { // the general one first
				if rapid.Bool().Draw(r, "rule") {
					event := "On" + status + reason
					rules = append(rules, transition(event, "Ready", status, reason, ""))
					for _, each := range reasons {
						if reason == "" || reason == each {
							owner[status+"/"+each] = event
						}
					}
				}
			}
		}
		rules = rapid.Permutation(rules).Draw(r, "order")
		var h heard
		tr := eventrt.NewRecorder(&h).Transitions(rules, nil)
		last := ""
		for range rapid.IntRange(1, 20).Draw(r, "changes") {
			state := fmt.Sprintf("%s/%s", rapid.SampledFrom(statuses).Draw(r, "status"), rapid.SampledFrom(reasons).Draw(r, "reason"))
			tr.Record(somePod, conditions("Other=True/A Ready="+state))
			want := owner[state]
			if want == last {
				want = ""
			}
			if got := h.take(); got != want {
				r.Fatalf("to %s, recorded %q, want %q by %v", state, got, want, owner)
			}
			last = owner[state]
		}
	})
}

// TestAnUnchangedConditionIsNoTransition draws rules with and without former statuses.
func TestAnUnchangedConditionIsNoTransition(t *testing.T) {
	statuses, reasons := []string{"True", "False", "Unknown"}, []string{"", "A", "B"}
	seed.Check(t, func(r *rapid.T) {
		var rules []eventrt.Transition
		for n := range rapid.IntRange(1, 6).Draw(r, "rules") {
			rules = append(rules, transition(fmt.Sprint("Event", n), "Ready", rapid.SampledFrom(statuses).Draw(r, "status"),
				rapid.SampledFrom(reasons).Draw(r, "reason"), rapid.SampledFrom(append(statuses, "")).Draw(r, "from")))
		}
		state := fmt.Sprintf("Ready=%s/%s", rapid.SampledFrom(statuses).Draw(r, "is"), rapid.SampledFrom(reasons[1:]).Draw(r, "because"))
		var h heard
		eventrt.NewRecorder(&h).Transitions(rules, conditions(state)).Record(somePod, conditions(state))
		if got := h.take(); got != "" {
			r.Fatalf("%s is unchanged, recorded %q", state, got)
		}
	})
}
