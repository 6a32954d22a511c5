package kube

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

// classCase is an answer of a server, and what it means for a create and for an update.
type classCase struct {
	name   string
	answer func(http.ResponseWriter, received)
	create sink.Answer
	update sink.Answer
}

// both has the same meaning for a create and for an update.
func both(name string, answer func(http.ResponseWriter, received), want sink.Answer) classCase {
	return classCase{name, answer, want, want}
}

const html = "<html>\"secret\" note</html>"

// fromServer has the header by which the answers of an API server are known.
var fromServer = []string{"Audit-Id", "0f4c9e5a-5a4e-4a0e-9b63-7c5b8c1d2e3f"}

func classCases() []classCase {
	is := func(o sink.Outcome, s sink.Scope) sink.Answer { return sink.Answer{Outcome: o, Scope: s} }
	refused := is(sink.Refused, sink.ScopeWrite)
	gone := is(sink.Gone, sink.ScopeObject)
	away := is(sink.Retry, sink.ScopeServer)
	limited := sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Limited: true}
	after := func(a sink.Answer, d time.Duration) sink.Answer { a.RetryAfter = d; return a }
	conflict := sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeObject, Conflict: true}
	notServed := is(sink.Refused, sink.ScopeGroup)
	return []classCase{
		{"namespace not found", answered(status(404, metav1.StatusReasonNotFound, "namespaces")),
			is(sink.RefusedQuietly, sink.ScopeNamespace), gone},
		{"event not found", answered(status(404, metav1.StatusReasonNotFound, "events")), is(sink.Refused, sink.ScopeObject), gone},
		both("path not found", text(404, "404 page not found", fromServer...), notServed),
		both("path not found at a proxy", text(404, "404 page not found"), away),
		{"exists", answered(status(409, metav1.StatusReasonAlreadyExists, "events")), is(sink.Exists, sink.ScopeObject), conflict},
		{"conflict", answered(status(409, metav1.StatusReasonConflict, "events")), is(sink.Retry, sink.ScopeObject), conflict},
		both("conflict of a proxy", text(409, "no"), away), // client-go makes AlreadyExists of it
		both("RBAC", answered(rbac("events.k8s.io", "web.1")), is(sink.Forbidden, sink.ScopeNamespace)),
		both("unsupported media type", answered(status(415, metav1.StatusReasonUnsupportedMediaType, "")), refused),
		both("429 of priority and fairness", text(429, "Too many requests, please try again later.",
			append(fromServer, "Retry-After", "7", "X-Kubernetes-PF-FlowSchema-UID", "u")...), after(limited, 7*time.Second)),
		both("429 while stopping", text(429, "The apiserver is shutting down, please try again later.",
			append(fromServer, "Retry-After", "5", "Connection", "close")...), after(away, 5*time.Second)),
		both("429 with a date", text(429, "wait", "Retry-After", "Wed, 04 Mar 2026 05:06:07 GMT"), limited),
		both("authorizer away", text(500, `Internal Server Error: "/apis/events.k8s.io/v1/namespaces/shop/events": Post "https://a": EOF`,
			fromServer...), away),
		both("502 of a proxy", text(502, html), maybeSent),
		both("503 while stopping", text(503, "apiserver is shutting down", append(fromServer, "Retry-After", "2")...), after(away, 2*time.Second)),
		both("200 of something else", text(200, html), maybeSent),
		both("200 without a body", text(200, ""), maybeSent),
		both("200 with another object", answered(metav1.Status{Code: 200}), maybeSent),
		both("redirect", text(304, ""), maybeSent),
	}
}

func TestClasses(t *testing.T) {
	for _, c := range classCases() {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, c.answer)
			target := EventsV1(s.config())
			checkClass(t, "create", c.create, target.Write(t.Context(), newCreate()))
			checkClass(t, "update", c.update, target.Write(t.Context(), newUpdate()))
			want := 2
			if c.name == "unsupported media type" {
				want++ // as JSON, too
			}
			if n := len(s.got()); n != want {
				t.Errorf("%d requests for two writes", n)
			}
		})
	}
}

func checkClass(t *testing.T, what string, want, got sink.Answer) {
	t.Helper()
	err := got.Err
	if (got.Missing != nil) != (got.Outcome == sink.Forbidden) {
		t.Errorf("%s: missing right %+v of %v", what, got.Missing, got.Outcome)
	}
	got.Err, got.Mark, got.Missing = nil, 0, nil
	if got != want {
		t.Errorf("%s: %+v, want %+v (error: %v)", what, got, want, err)
	}
	if err == nil {
		t.Fatalf("%s: no error", what)
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("%s: the error quotes the body: %v", what, err)
	}
}

func TestErrorTexts(t *testing.T) {
	webhook := status(400, "", "")
	webhook.Message = `admission webhook "deny.example.com" denied the request: note is "secret"`
	for _, c := range []struct {
		answer func(http.ResponseWriter, received)
		want   string
	}{
		{answered(invalid()), `the API server answered 422 Invalid: reason: Invalid value: can have at most 128 characters; ` +
			`action: Required value; metadata.annotations: Invalid value: no`},
		{answered(rbac("events.k8s.io", "")), `user "system:serviceaccount:shop:ctrl" has no right to write events in namespace "shop"; add this rule: ` +
			`apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]`},
		{answered(webhook), `the API server answered 400: admission webhook "deny.example.com" denied the request`},
		{text(404, "404 page not found", fromServer...), `the server does not serve events of events.k8s.io/v1: the API server answered 404 NotFound`},
		{text(502, html), `something between here and the API server answered 502 InternalError`},
	} {
		s := newServer(t, c.answer)
		a := EventsV1(s.config()).Write(t.Context(), newCreate())
		if a.Err == nil || a.Err.Error() != c.want {
			t.Errorf("error %v\nwant  %s", a.Err, c.want)
		}
		if _, ok := errors.AsType[*apierrors.StatusError](a.Err); !ok {
			t.Errorf("%v does not wrap the server's answer", a.Err)
		}
	}
}

func status(code int32, reason metav1.StatusReason, kind string) metav1.Status {
	return metav1.Status{
		Code: code, Reason: reason, Message: `events "web.1" is "secret"`,
		Details: &metav1.StatusDetails{Name: "web.1", Kind: kind},
	}
}

// rbac is what apiserver pkg/endpoints/handlers/responsewriters/errors.go answers for an
// authorizer.
func rbac(group, name string) metav1.Status {
	return apierrors.NewForbidden(corev1.Resource("events"), name, errors.New(
		`User "system:serviceaccount:shop:ctrl" cannot create resource "events" in API group "`+group+`" in the namespace "shop"`)).ErrStatus
}

func invalid() metav1.Status {
	s := status(422, metav1.StatusReasonInvalid, "Event")
	s.Details.Causes = []metav1.StatusCause{
		{Type: metav1.CauseTypeFieldValueInvalid, Field: "reason", Message: `Invalid value: "secret: \"x\"": can have at most 128 characters`},
		{Type: metav1.CauseTypeFieldValueRequired, Field: "action", Message: "Required value"},
		{Type: metav1.CauseTypeFieldValueInvalid, Field: "metadata.annotations", Message: `Invalid value: {"secret":1}: no`},
	}
	return s
}
