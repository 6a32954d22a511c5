package broadcaster_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

// TestWhatIsForbiddenNamesTheRuleToAdd holds an operator's log line to the rule that RBAC needs.
func TestWhatIsForbiddenNamesTheRuleToAdd(t *testing.T) {
	synctest.Test(t, testForbidden)
}

// roundTrip calls a handler without a network, which has no simulated time.
type roundTrip http.HandlerFunc

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	f(w, r)
	return w.Result(), nil
}

func testForbidden(t *testing.T) {
	config := &rest.Config{Host: "http://server", Transport: roundTrip(forbid)}
	const (
		core   = `apiGroups: [""], resources: ["events"], verbs: ["create", "patch"]`
		events = `apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]`
	)
	tests := []struct {
		name string
		sink *kube.Sink
		want []string
	}{
		{"events.k8s.io/v1", kube.EventsV1(config), []string{events}},
		{"v1", kube.CoreV1(config), []string{core}},
		{"either", kube.Auto(config), []string{events, core}},
	}
	for _, tt := range tests {
		b, log := start(t, broadcaster.Options{Sink: tt.sink})
		b.Publish(createdEvent("job", 1))
		b.Publish(createdEvent("other", 2))
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := log.all()
		if len(got) != 1 {
			t.Fatalf("%s: logged %q, expected one line", tt.name, got)
		}
		for _, want := range append(tt.want, `namespace "prod"`, "Events are lost because a right is missing") {
			if !strings.Contains(strings.ReplaceAll(got[0], `\"`, `"`), want) {
				t.Errorf("%s: the line lacks %q: %s", tt.name, want, got[0])
			}
		}
		if lost := b.Stats().Lost.Refused; lost != 2 {
			t.Errorf("%s: %d refused", tt.name, lost)
		}
	}
}

// forbid answers like an API server whose authorizer denies the request.
func forbid(w http.ResponseWriter, r *http.Request) {
	group := ""
	if strings.HasPrefix(r.URL.Path, "/apis/events.k8s.io/") {
		group = "events.k8s.io"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusForbidden)
	_ = json.NewEncoder(w).Encode(metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure,
		Code:     http.StatusForbidden,
		Reason:   metav1.StatusReasonForbidden,
		Message:  `events is forbidden: User "widgets" cannot create resource "events" in API group "` + group + `" in the namespace "prod"`,
		Details:  &metav1.StatusDetails{Group: group, Kind: "events"},
	})
}
