package kube

import (
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

// TestContentType: the type of the caller's config is sent, protobuf if there is none. Behind a
// proxy that takes only JSON, a refused create goes again as JSON at once, and everything after it
// goes as JSON.
func TestContentType(t *testing.T) {
	const protobuf = "application/vnd.kubernetes.protobuf"
	jsonOnly := func(refusal func(http.ResponseWriter, received)) func(http.ResponseWriter, received) {
		return func(w http.ResponseWriter, r received) {
			if strings.Contains(r.header.Get("Content-Type"), "json") {
				stored("1")(w, r)
				return
			}
			refusal(w, r)
		}
	}
	for name, c := range map[string]struct {
		configured string
		answer     func(http.ResponseWriter, received)
		sent       string
	}{
		"nothing configured":                 {"", stored("1"), protobuf + " " + protobuf},
		"protobuf configured":                {protobuf, stored("1"), protobuf + " " + protobuf},
		"JSON configured":                    {"application/json", stored("1"), "application/json application/json"},
		"JSON configured, a JSON-only proxy": {"application/json", jsonOnly(text(http.StatusUnsupportedMediaType, "")), "application/json application/json"},
		"415 of a proxy":                     {"", jsonOnly(text(http.StatusUnsupportedMediaType, "no")), protobuf + " application/json application/json"},
		"415 of the server": {"", jsonOnly(answered(metav1.Status{Code: 415, Reason: metav1.StatusReasonUnsupportedMediaType,
			Message: "the body of the request was in an unknown format - accepted media types include: application/json"})),
			protobuf + " application/json application/json"},
		"400 about the type": {"", jsonOnly(text(http.StatusBadRequest, "invalid character 'k' looking for beginning of value")),
			protobuf + " application/json application/json"},
		"400 about something else": {"", answered(metav1.Status{Code: 400, Reason: metav1.StatusReasonBadRequest, Message: "no"}), protobuf + " " + protobuf},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, c.answer)
			cfg := s.config()
			cfg.ContentType = c.configured
			target := EventsV1(cfg)
			first, second := target.Write(t.Context(), newCreate()), target.Write(t.Context(), newCreate())
			t.Logf("%v (%v), then %v (%v)", first.Outcome, first.Err, second.Outcome, second.Err)
			var sent []string
			for _, r := range s.got() {
				sent = append(sent, r.header.Get("Content-Type"))
			}
			if got := strings.Join(sent, " "); got != c.sent {
				t.Errorf("sent %s, want %s", got, c.sent)
			}
			if last := s.got()[len(s.got())-1]; strings.Contains(last.header.Get("Content-Type"), "json") {
				if accept := last.header.Get("Accept"); strings.Contains(accept, "protobuf") {
					t.Errorf("accepts %s", accept)
				}
				if !strings.HasPrefix(string(last.body), `{"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"web.1","namespace":"shop"`) {
					t.Errorf("body %s", last.body)
				}
			}
			if want := name != "400 about something else"; (first.Outcome == sink.Done && second.Outcome == sink.Done) != want {
				t.Errorf("answers %+v and %+v", first, second)
			}
		})
	}
}
