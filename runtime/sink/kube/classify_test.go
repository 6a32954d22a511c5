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

	"github.com/event-gen/event-gen/runtime"
)

// classCase is an answer of a server, and what it means for a create and for an update.
type classCase struct {
	name   string
	answer func(http.ResponseWriter, received)
	create runtime.Answer
	update runtime.Answer
}

// both has the same meaning for a create and for an update.
func both(name string, answer func(http.ResponseWriter, received), want runtime.Answer) classCase {
	return classCase{name, answer, want, want}
}

const html = "<html>\"secret\" note</html>"

func classCases() []classCase {
	refused := runtime.Answer{Outcome: runtime.Refused}
	later := runtime.Answer{Outcome: runtime.Retry}
	maybe := runtime.Answer{Outcome: runtime.Retry, MaybeStored: true}
	return []classCase{
		{"namespace not found", answered(status(404, metav1.StatusReasonNotFound, "namespaces")),
			runtime.Answer{Outcome: runtime.RefusedQuietly}, runtime.Answer{Outcome: runtime.Gone}},
		{"event not found", answered(status(404, metav1.StatusReasonNotFound, "events")), refused, runtime.Answer{Outcome: runtime.Gone}},
		{"path not found", text(404, "404 page not found"), refused, runtime.Answer{Outcome: runtime.Gone}},
		{"exists", answered(status(409, metav1.StatusReasonAlreadyExists, "events")),
			runtime.Answer{Outcome: runtime.Exists}, runtime.Answer{Outcome: runtime.Retry, Conflict: true}},
		{"conflict", answered(status(409, metav1.StatusReasonConflict, "events")),
			later, runtime.Answer{Outcome: runtime.Retry, Conflict: true}},
		both("namespace terminating", answered(terminating()), runtime.Answer{Outcome: runtime.RefusedQuietly}),
		both("RBAC", answered(rbac("events.k8s.io", "web.1")), runtime.Answer{Outcome: runtime.Forbidden}),
		both("denied by admission", answered(status(403, metav1.StatusReasonForbidden, "events")), refused),
		both("forbidden by a proxy", text(403, html), refused),
		both("unauthorized", answered(status(401, metav1.StatusReasonUnauthorized, "")), later),
		both("bad request", answered(status(400, metav1.StatusReasonBadRequest, "")), refused),
		both("too large", text(413, "http: request body too large"), refused),
		both("unsupported media type", answered(status(415, metav1.StatusReasonUnsupportedMediaType, "")), refused),
		both("invalid", answered(invalid()), refused),
		both("client time-out", text(408, "slow"), maybe),
		both("429", text(429, "Too many requests"), later),
		both("429 with Retry-After", text(429, "Too many requests, please try again later.", "Retry-After", "7"),
			runtime.Answer{Outcome: runtime.Retry, RetryAfter: 7 * time.Second}),
		both("429 as a status", answered(retryAfter(status(429, metav1.StatusReasonTooManyRequests, ""), 3)),
			runtime.Answer{Outcome: runtime.Retry, RetryAfter: 3 * time.Second}),
		both("429 with a date", text(429, "wait", "Retry-After", "Wed, 04 Mar 2026 05:06:07 GMT"), later),
		both("500", answered(status(500, metav1.StatusReasonInternalError, "")), maybe),
		both("502 of a proxy", text(502, html), maybe),
		both("503 with Retry-After", text(503, "apiserver is shutting down", "Retry-After", "2"),
			runtime.Answer{Outcome: runtime.Retry, MaybeStored: true, RetryAfter: 2 * time.Second}),
		both("504", answered(retryAfter(status(504, metav1.StatusReasonTimeout, ""), 1)),
			runtime.Answer{Outcome: runtime.Retry, MaybeStored: true, RetryAfter: time.Second}),
		both("200 of something else", text(200, html), maybe),
		both("200 without a body", text(200, ""), maybe),
		both("200 with another object", answered(metav1.Status{Code: 200}), maybe),
		both("redirect", text(304, ""), maybe),
	}
}

func TestClasses(t *testing.T) {
	for _, c := range classCases() {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t, c.answer)
			sink := EventsV1(s.config())
			checkClass(t, "create", c.create, sink.Write(t.Context(), newCreate()))
			checkClass(t, "update", c.update, sink.Write(t.Context(), newUpdate()))
			if n := len(s.got()); n != 2 {
				t.Errorf("%d requests for two writes", n)
			}
		})
	}
}

func checkClass(t *testing.T, what string, want, got runtime.Answer) {
	t.Helper()
	err := got.Err
	got.Err, got.Mark = nil, 0
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
		{answered(invalid()), `the API server answered 422 Invalid: reason can have at most 128 characters; ` +
			`action FieldValueRequired; metadata.annotations FieldValueInvalid`},
		{answered(rbac("events.k8s.io", "")), `no right to write events in namespace "shop"; add this rule: ` +
			`apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]`},
		{answered(webhook), `the API server answered 400: admission webhook "deny.example.com" denied the request`},
		{text(404, "404 page not found"), `the server does not serve events of events.k8s.io/v1: the API server answered 404 NotFound`},
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

func retryAfter(s metav1.Status, seconds int32) metav1.Status {
	s.Details.RetryAfterSeconds = seconds
	return s
}

func terminating() metav1.Status {
	s := status(403, metav1.StatusReasonForbidden, "events")
	s.Details.Causes = []metav1.StatusCause{{Type: corev1.NamespaceTerminatingCause, Field: "metadata.namespace"}}
	return s
}

// rbac is what apiserver pkg/endpoints/handlers/responsewriters/errors.go answers for an authorizer.
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
