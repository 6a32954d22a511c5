package eventrt_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

func webReference() *corev1.ObjectReference {
	return &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web"}
}

func forward(obj k8sruntime.Object, eventType, reason, action, message string) *eventrt.Event {
	sent := &publishedEvents{}
	eventrt.NewRecorder(sent).Forward(obj, eventType, reason, action, message)
	return sent.last()
}

func TestForwardPassesOnWhatOthersDecided(t *testing.T) {
	long := strings.Repeat("r", 200)
	cut := strings.Repeat("r", 125) + "…"
	tests := []struct {
		name                               string
		eventType, reason, action, message string
		want                               string
	}{
		{"all said", "Warning", "BackOff", "Restart", "back-off 10s", "Warning BackOff Restart: back-off 10s"},
		{"no action", "Normal", "Pulled", "", "pulled", "Normal Pulled Pulled: pulled"},
		{"the message is no format", "Normal", "Full", "Fill", "100%d of %s %!v(MISSING)", "Normal Full Fill: 100%d of %s %!v(MISSING)"},
		{"no message", "Normal", "Full", "Fill", "", "Normal Full Fill: "},
		{"hostile text", "Normal", "a\nb", "c\xff", "d\x00e", "Normal a b c\uFFFD: d e"},
		{"long reason and action", "Normal", long, long + "x", "m", "Normal " + cut + " " + cut + ": m"},
		{"long message", "Normal", "Full", "Fill", strings.Repeat("m", 2000), "Normal Full Fill: " + strings.Repeat("m", 989) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := forward(webReference(), tt.eventType, tt.reason, tt.action, tt.message)
			got := fmt.Sprintf("%s %s %s: %s", e.Type(), e.Reason(), e.Action(), e.Message())
			if got != tt.want || e.Problem() != eventrt.NoProblem || !e.Definition().Forwarded {
				t.Errorf("%q (%v)\nwant %q", got, e.Problem(), tt.want)
			}
		})
	}
}

// unknown, other and withoutKind are objects whose kinds only a scheme can tell.
type (
	unknown     struct{ corev1.Pod }
	other       struct{ corev1.Pod }
	withoutKind struct{ corev1.Pod }
)

func TestForwardOfNothingIsRejected(t *testing.T) {
	var nilPod *corev1.Pod
	tests := []struct {
		name   string
		obj    k8sruntime.Object
		reason string
		want   eventrt.Problem
	}{
		{"nil object", nil, "Reason", problems.NilRegarding},
		{"nil pod", nilPod, "Reason", problems.NilRegarding},
		{"untold kind", &unknown{*pod()}, "Reason", problems.UnknownKind},
		{"no name", &corev1.ObjectReference{Kind: "Node"}, "Reason", eventrt.NoProblem},
		{"no namespace", &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Name: "web"}, "Reason", problems.NoNamespace},
		{"no reason", webReference(), "", problems.NoReason},
	}
	for _, eventType := range []string{"", "Error", "warning", "ADD"} {
		e := forward(webReference(), eventType, "Pulled", "Pull", "pulled")
		if want := fmt.Sprintf("the event type is neither Normal nor Warning: %q", eventType); e.Problem() != problems.BadType || e.ProblemText() != want {
			t.Errorf("%s, want %s", e.ProblemText(), want)
		}
	}
	for _, tt := range tests {
		if got := forward(tt.obj, "Normal", tt.reason, "", "m").Problem(); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestForwardedDefinitions: equal events share a definition, up to a bound, and none keeps a large
// text.
func TestForwardedDefinitions(t *testing.T) {
	eventrt.ForgetForwardedDefinitions()
	def := func(reason string) *eventrt.Definition {
		return forward(webReference(), "Normal", reason, "Action", "m").Definition()
	}
	long := strings.Repeat("r", 1<<20)
	first, again := def("Reason"), def("Reason")
	if first != again || def(long+"a") != def(long+"b") || def("Reason") == def("Other") {
		t.Error("equal events have definitions of their own, or others share one")
	}
	defs := map[*eventrt.Definition]bool{}
	for i := range 3000 {
		defs[def(fmt.Sprint("Reason", i))] = true
	}
	if n := eventrt.ForwardedDefinitions(); len(defs) != 3000 || n != eventrt.MaxForwardedDefinitions {
		t.Errorf("%d definitions, %d are kept", len(defs), n)
	}
	eventrt.ForgetForwardedDefinitions()
}
