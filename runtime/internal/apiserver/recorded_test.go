package apiserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/event-gen/event-gen/runtime/sink"
)

var (
	events    = eventsv1.Resource("events")
	eventKind = eventsv1.SchemeGroupVersion.WithKind("Event").GroupKind()
)

// plain is a status without a reason, as the server makes of any error that is none of its own
// (apiserver pkg/endpoints/handlers/responsewriters/status.go).
func plain(text string) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Message: text}}
}

// raw is a body that is no status, as client-go reports it.
func raw(code int, text string, retryAfter int) error {
	return apierrors.NewGenericServerResponse(code, "POST", events, "", text, retryAfter, true)
}

// withCode is what an admission plugin makes of a refusal by choosing the code.
func withCode(err *apierrors.StatusError, code int32, reason metav1.StatusReason) error {
	err.ErrStatus.Code, err.ErrStatus.Reason = code, reason
	return err
}

func terminating() error {
	err := apierrors.NewForbidden(events, "web.1", errors.New("unable to create new content in namespace shop because it is being terminated"))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type: corev1.NamespaceTerminatingCause, Message: "namespace shop is being terminated", Field: "metadata.namespace"}}
	return err
}

func noRight(verb, suffix string) error {
	return apierrors.NewForbidden(events, "", fmt.Errorf(
		`User "system:serviceaccount:shop:ctrl" cannot %s resource "events" in API group "events.k8s.io" in the namespace "shop"%s`, verb, suffix))
}

func rateLimit(texts string) error {
	return apierrors.NewTooManyRequestsError(texts)
}

const (
	retry     = sink.Retry
	ofWrite   = sink.ScopeWrite
	ofObject  = sink.ScopeObject
	ofNS      = sink.ScopeNamespace
	ofGroup   = sink.ScopeGroup
	ofServer  = sink.ScopeServer
	ofUnknown = sink.ScopeUnknown
)

// recorded is an answer in the form in which a real server gave it, and what it means.
type recorded struct {
	name   string
	err    error
	origin Origin
	create sink.Answer
	update *sink.Answer // nil: as create
}

func recordedAnswers() []recorded {
	later := func(s sink.Scope) sink.Answer { return sink.Answer{Outcome: retry, Scope: s} }
	maybe := func(s sink.Scope) sink.Answer {
		return sink.Answer{Outcome: retry, Scope: s, MaybeStored: true}
	}
	limited := func(s sink.Scope) sink.Answer {
		return sink.Answer{Outcome: retry, Scope: s, Limited: true}
	}
	after := func(a sink.Answer, seconds int) sink.Answer {
		a.RetryAfter = time.Duration(seconds) * time.Second
		return a
	}
	is := func(o sink.Outcome, s sink.Scope) sink.Answer { return sink.Answer{Outcome: o, Scope: s} }
	ptr := func(a sink.Answer) *sink.Answer { return &a }
	gone := ptr(is(sink.Gone, ofObject))
	conflict := ptr(sink.Answer{Outcome: retry, Scope: ofObject, Conflict: true})
	denial := func(code int32, reason metav1.StatusReason) error {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Reason: reason,
			Message: `admission webhook "deny.example.com" denied the request: no`}}
	}
	policy := func(kind string, code int32, reason metav1.StatusReason) error {
		return withCode(apierrors.NewForbidden(events, "web.1", fmt.Errorf("%s 'p' with binding 'b' denied request: no", kind)), code, reason)
	}
	return []recorded{
		// away, starting, stopping
		{"refused", &net.OpError{Op: "dial", Err: errors.New("connection refused")}, UnknownOrigin, later(ofServer), nil},
		{"unknown CA", &tls.CertificateVerificationError{Err: errors.New("x509: unknown authority")}, UnknownOrigin, later(ofServer), nil},
		{"handshake time-out", errors.New("Post \"https://x\": net/http: TLS handshake timeout"), UnknownOrigin, later(ofServer), nil},
		{"cut in flight", io.ErrUnexpectedEOF, UnknownOrigin, maybe(ofServer), nil},
		{"reset", &net.OpError{Op: "read", Err: errors.New("connection reset by peer")}, UnknownOrigin, maybe(ofServer), nil},
		{"time-out", context.DeadlineExceeded, UnknownOrigin, maybe(ofUnknown), nil},
		{"own cancel", fmt.Errorf("Post: %w", context.Canceled), UnknownOrigin, maybe(ofWrite), nil},
		{"admission caches", apierrors.NewForbidden(events, "web.1", errors.New("not yet ready to handle request")), FromServer, later(ofServer), nil},
		{"paths missing", apierrors.NewGenericServerResponse(503, "post", events, "",
			"the request has been made before all known HTTP paths have been installed, please try again", 5, true), FromServer, after(later(ofServer), 5), nil},
		{"stopping, 429", raw(429, "The apiserver is shutting down, please try again later.", 5), FromServer, after(later(ofServer), 5), nil},
		{"stopping, 503", raw(503, "apiserver is shutting down.", 1), FromServer, after(later(ofServer), 1), nil},
		// who is asking
		{"bad token", apierrors.NewUnauthorized("Unauthorized"), FromServer, later(ofServer), nil},
		{"RBAC", noRight("create", ""), FromServer, is(sink.Forbidden, ofNS), nil},
		{"RBAC not synced", noRight("create", `: RBAC: [clusterrole.rbac.authorization.k8s.io "edit" not found]`), FromServer, is(sink.Forbidden, ofNS), nil},
		{"anonymous", apierrors.NewForbidden(events, "", errors.New(
			`User "system:anonymous" cannot create resource "events" in API group "events.k8s.io" in the namespace "shop"`)), FromServer, is(sink.Forbidden, ofNS), nil},
		{"impersonation", apierrors.NewForbidden(corev1.Resource("users"), "x", errors.New(
			`User "u" cannot impersonate resource "users" in API group "" at the cluster scope`)), FromServer, is(sink.Forbidden, ofNS), nil},
		{"authorization webhook down", raw(500, `Internal Server Error: "/api/v1/namespaces/shop/events": Post "https://authz": EOF`, 0), FromServer, later(ofServer), nil},
		// rates
		{"priority and fairness", raw(429, "Too many requests, please try again later.", 1), FromServer, after(limited(ofServer), 1), nil},
		{"EventRateLimit: server", rateLimit("limit reached on type Server for key "), FromServer, limited(ofServer), nil},
		{"EventRateLimit: namespace", rateLimit("limit reached on type Namespace for key shop"), FromServer, limited(ofNS), nil},
		{"EventRateLimit: user", rateLimit("limit reached on type User for key u"), FromServer, limited(ofServer), nil},
		{"EventRateLimit: object", rateLimit("limit reached on type SourceAndObject for key ctrl-0/Pod/shop/web"), FromServer, limited(ofObject), nil},
		{"EventRateLimit: two", rateLimit("[limit reached on type SourceAndObject for key k, limit reached on type Namespace for key shop]"),
			FromServer, limited(ofNS), nil},
		// admission
		{"webhook down", apierrors.NewInternalError(errors.New(`failed calling webhook "w.example.com": failed to call webhook: Post "https://w": EOF`)),
			FromServer, later(ofNS), nil},
		{"webhook denies", denial(400, ""), FromServer, is(sink.Refused, ofObject), nil},
		{"webhook denies with 401", denial(401, metav1.StatusReasonUnauthorized), FromServer, is(sink.Refused, ofObject), nil},
		{"webhook denies with 404", denial(404, metav1.StatusReasonNotFound), FromServer, is(sink.Refused, ofObject), nil},
		{"webhook denies with 409", denial(409, metav1.StatusReasonAlreadyExists), FromServer, is(sink.Refused, ofObject), nil},
		{"webhook denies with 429", denial(429, metav1.StatusReasonTooManyRequests), FromServer, later(ofObject), nil},
		{"webhook denies with 503", denial(503, metav1.StatusReasonServiceUnavailable), FromServer, later(ofObject), nil},
		{"policy denies", policy("ValidatingAdmissionPolicy", 422, metav1.StatusReasonInvalid), FromServer, is(sink.Refused, ofObject), nil},
		{"policy denies with 403", policy("ValidatingAdmissionPolicy", 403, metav1.StatusReasonForbidden), FromServer, is(sink.Refused, ofObject), nil},
		{"mutating policy fails", policy("policy", 403, metav1.StatusReasonInvalid), FromServer, is(sink.Refused, ofObject), nil},
		{"another plugin refuses", apierrors.NewForbidden(events, "web.1", errors.New("not on a Sunday")), FromServer, is(sink.Refused, ofObject), nil},
		// namespaces, objects, groups
		{"namespace terminating", terminating(), FromServer, is(sink.RefusedQuietly, ofNS), nil},
		{"namespace absent", apierrors.NewNotFound(corev1.Resource("namespaces"), "shop"), FromServer, is(sink.RefusedQuietly, ofNS), gone},
		{"event absent", apierrors.NewNotFound(events, "web.1"), FromServer, is(sink.Refused, ofObject), gone},
		{"name taken", apierrors.NewAlreadyExists(events, "web.1"), FromServer, is(sink.Exists, ofObject), conflict},
		{"old version", apierrors.NewConflict(events, "web.1", errors.New("the object has been modified")), FromServer, later(ofObject), conflict},
		{"resource not served", &apierrors.StatusError{ErrStatus: metav1.Status{Code: 404, Reason: metav1.StatusReasonNotFound,
			Message: "the server could not find the requested resource", Details: &metav1.StatusDetails{}}}, FromServer, is(sink.Refused, ofGroup), nil},
		{"group not served", apierrors.NewGenericServerResponse(404, "PATCH", events, "web.1", "404 page not found", 0, true), FromServer,
			is(sink.Refused, ofGroup), nil}, // client-go fills in the name
		// storage
		{"etcd hangs", raw(504, `{"metadata":{},"status":"Failure","message":"Timeout: request did not complete"}`, 0), FromServer, maybe(ofUnknown), nil},
		{"etcd link cut", plain("rpc error: code = Unavailable desc = error reading from server: EOF"), FromServer, maybe(ofServer), nil},
		{"leader change", plain("etcdserver: leader changed"), FromServer, maybe(ofServer), nil},
		{"etcd full", plain("mvcc: database space exceeded"), FromServer, later(ofServer), nil},
		{"over 1.5 MiB", plain("etcdserver: request is too large"), FromServer, is(sink.Refused, ofWrite), nil},
		{"version on create", plain("resourceVersion should not be set on objects to be created"), FromServer, is(sink.Refused, ofWrite), nil},
		{"a 500 that tells nothing", apierrors.NewInternalError(errors.New("boom")), FromServer, maybe(ofUnknown), nil},
		// the request
		{"over 3 MiB", apierrors.NewRequestEntityTooLargeError("limit is 3145728"), FromServer, is(sink.Refused, ofWrite), nil},
		{"invalid", apierrors.NewInvalid(eventKind, "web.1", field.ErrorList{field.Required(field.NewPath("reason"), "")}), FromServer, sink.Answer{Outcome: sink.Refused, Scope: ofWrite, Invalid: true}, nil},
		{"another namespace", apierrors.NewBadRequest("the namespace of the provided object does not match the namespace sent on the request"),
			FromServer, is(sink.Refused, ofWrite), nil},
		{"media type", apierrors.NewGenericServerResponse(415, "POST", events, "", "", 0, false), FromServer, is(sink.Refused, ofWrite), nil},
		// what stands between
		{"proxy 403", raw(403, "<html>", 0), UnknownOrigin, later(ofServer), nil},
		{"proxy 404", raw(404, "<html>", 0), FromPath, later(ofServer), nil},
		{"proxy 404, headers unseen", raw(404, "<html>", 0), UnknownOrigin, later(ofServer), nil},
		{"group not served, headers unseen", apierrors.NewGenericServerResponse(404, "PATCH", events, "web.1", "404 page not found", 0, true), UnknownOrigin,
			is(sink.Refused, ofGroup), nil},
		{"proxy 400", raw(400, "<html>", 0), FromPath, is(sink.Refused, ofWrite), nil},
		{"proxy 400, headers unseen", raw(400, "<html>", 0), UnknownOrigin, is(sink.Refused, ofWrite), nil},
		{"proxy 408", raw(408, "slow", 0), UnknownOrigin, maybe(ofServer), nil},
		// client-go makes AlreadyExists of it
		{"proxy 409", raw(409, "<html>", 0), UnknownOrigin, later(ofServer), nil},
		{"proxy 413", raw(413, "<html>", 0), FromPath, is(sink.Refused, ofWrite), nil},
		{"proxy 429", raw(429, "slow down", 3), FromPath, after(limited(ofServer), 3), nil},
		{"proxy 502", raw(502, "<html>", 0), FromPath, maybe(ofServer), nil},
		{"proxy 503", raw(503, "<html>", 0), FromPath, maybe(ofServer), nil},
		{"proxy 504", raw(504, "<html>", 0), FromPath, maybe(ofServer), nil},
	}
}

func TestRecordedAnswers(t *testing.T) {
	for _, c := range recordedAnswers() {
		t.Run(c.name, func(t *testing.T) {
			update := c.update
			if update == nil {
				update = &c.create
			}
			checkMeaning(t, c, sink.Create, c.create)
			checkMeaning(t, c, sink.Update, *update)
		})
	}
}

func checkMeaning(t *testing.T, c recorded, op sink.Operation, want sink.Answer) {
	t.Helper()
	got, ok := Classify(Request{Operation: op, Namespace: "shop", Group: "events.k8s.io", Origin: c.origin}, c.err)
	if !ok {
		got = NoAnswer(c.err)
	}
	if (got.Missing != nil) != (got.Outcome == sink.Forbidden) || !errors.Is(got.Err, c.err) {
		t.Errorf("missing %+v, error %v", got.Missing, got.Err)
	}
	got.Err, got.Missing = nil, nil
	if got != want {
		t.Errorf("operation %d: %+v\nwant %+v", op, got, want)
	}
}

func TestMissingRight(t *testing.T) {
	for _, c := range []struct {
		text string
		want sink.Right
		rule string
	}{
		{`User "system:serviceaccount:shop:ctrl" cannot create resource "events" in API group "events.k8s.io" in the namespace "shop"`,
			sink.Right{User: "system:serviceaccount:shop:ctrl", Verb: "create", Resource: "events", Group: "events.k8s.io", Namespace: "shop"},
			`add this rule: apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]`},
		{`User "a \"b\" cannot x" cannot patch resource "events" in API group "" in the namespace "shop": RBAC: [role "x" not found]`,
			sink.Right{User: `a "b" cannot x`, Verb: "patch", Resource: "events", Namespace: "shop"},
			`add this rule: apiGroups: [""], resources: ["events"], verbs: ["create", "patch"]`},
		{`User "u" cannot impersonate resource "users" in API group "" at the cluster scope`,
			sink.Right{User: "u", Verb: "impersonate", Resource: "users", Namespace: "asked"},
			`add this rule: apiGroups: [""], resources: ["users"], verbs: ["impersonate"]`},
	} {
		a, _ := Classify(Request{Operation: sink.Create, Namespace: "asked", Group: "asked"}, apierrors.NewForbidden(events, "", errors.New(c.text)))
		if a.Missing == nil || *a.Missing != c.want {
			t.Errorf("%s:\nmissing %+v\nwant    %+v", c.text, a.Missing, c.want)
		}
		if want := fmt.Sprintf("user %q has no right to write events in namespace %q; %s", c.want.User, c.want.Namespace, c.rule); a.Err == nil || a.Err.Error() != want {
			t.Errorf("error %v\nwant  %s", a.Err, want)
		}
	}
}

// TestQuotedValuesDecideNothing has an event whose reason reads like an answer: the server quotes
// it when it refuses it.
func TestQuotedValuesDecideNothing(t *testing.T) {
	for _, text := range []string{
		`failed calling webhook "hunter2": x`, "the apiserver is shutting down", "not yet ready to handle request",
		`ValidatingAdmissionPolicy 'hunter2' denied request:`, `x is invalid: ValidatingAdmissionPolicy 'hunter2' with`,
		`admission webhook "hunter2" denied the request`, `is forbidden: User "hunter2" cannot create resource "events"`,
		"limit reached on type Namespace for key hunter2", "mvcc: database space exceeded", "the server could not find the requested resource",
	} {
		for _, err := range []error{
			apierrors.NewInvalid(eventKind, "web.1", field.ErrorList{field.Invalid(field.NewPath("reason"), text, "no")}),
			apierrors.NewBadRequest("unknown: " + text),
		} {
			a, _ := Classify(Request{Operation: sink.Create}, err)
			if a.Outcome != sink.Refused {
				t.Errorf("%q: %+v", text, a)
			}
			if got := a.Err.Error(); strings.Contains(got, "hunter2") {
				t.Errorf("%q: the error quotes the event: %s", text, got)
			}
		}
	}
}

// TestEveryRuleCounts takes out one rule at a time: the recorded answers must show it.
func TestEveryRuleCounts(t *testing.T) {
	all := rules
	defer func() { rules = all }()
	before := meanings()
	for i := range len(all) - 1 { // the last fits everything
		rules = append(slices.Clone(all[:i]), all[i+1:]...)
		if slices.Equal(before, meanings()) {
			t.Errorf("rule %d (%q) changes no recorded answer", i, all[i].because)
		}
	}
}

// meanings are the recorded answers' outcomes, scopes and flags.
func meanings() (list []string) {
	for _, c := range recordedAnswers() {
		for _, op := range []sink.Operation{sink.Create, sink.Update} {
			a, _ := Classify(Request{Operation: op, Origin: c.origin}, c.err)
			a.Err, a.Missing = nil, nil
			list = append(list, fmt.Sprintf("%s %+v", c.name, a))
		}
	}
	return list
}

// TestTheRuleIsReadBehindAnyUser has a user's name that is long and hides characters.
func TestTheRuleIsReadBehindAnyUser(t *testing.T) {
	text := `User "\u001b[2J` + strings.Repeat("x", 1<<20) + `" cannot create resource "events" in API group "" in the namespace "shop"`
	a, _ := Classify(Request{Operation: sink.Create}, apierrors.NewForbidden(events, "", errors.New(text)))
	if got := a.Err.Error(); len(got) > maxText || strings.Contains(got, "\x1b") || !strings.HasSuffix(got, `verbs: ["create", "patch"]`) {
		t.Errorf("%d bytes: %.300q", len(got), got)
	}
}
