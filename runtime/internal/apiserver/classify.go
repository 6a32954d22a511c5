package apiserver

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

// Origin is the sender of an answer. Every answer of a kube-apiserver has the header Audit-Id
// (apiserver pkg/endpoints/filters/audit_init.go). Answers of proxies and load balancers in front
// of it have none.
type Origin uint8

const (
	// UnknownOrigin: the headers can't be seen.
	UnknownOrigin Origin = iota
	// FromServer: the answer has the header.
	FromServer
	// FromPath: it has none.
	FromPath
)

// Request describes the request of an answer.
type Request struct {
	Operation sink.Operation
	// Namespace and Group are the event's. Classify uses them if the answer names none.
	Namespace string
	Group     string
	Origin    Origin
}

// RequestOf describes the request of a write that went through an API group.
func RequestOf(w *sink.Write, group string) Request {
	return Request{Operation: w.Operation, Namespace: w.Namespace, Group: group}
}

// Classify interprets an error of an API client. ok is false if the error holds no status, so that
// the server has not answered.
func Classify(r Request, err error) (a sink.Answer, ok bool) {
	var api apierrors.APIStatus
	if !errors.As(err, &api) {
		return sink.Answer{}, false
	}
	status := api.Status()
	p := newReply(r, &status)
	for _, rule := range rules {
		if rule.fits(p) {
			a = rule.means(p)
			a.Err = explain(p, &a, rule.because, err)
			return a, true
		}
	}
	panic("unreachable: the last rule fits everything")
}

// Answered interprets an error of an API client, with or without a status.
func Answered(r Request, err error) sink.Answer {
	a, ok := Classify(r, err)
	if !ok {
		a = NoAnswer(err)
	}
	if r.Operation == sink.Read {
		return readFailed(a)
	}
	return a
}

// RefusesType reports an error about the media type of the body, such as one of a proxy that takes
// only JSON.
func RefusesType(err error) bool {
	var api apierrors.APIStatus
	if !errors.As(err, &api) {
		return false
	}
	status := api.Status()
	p := newReply(Request{}, &status)
	return p.code == http.StatusUnsupportedMediaType || p.code == http.StatusBadRequest && !denied(p) && typeWords.MatchString(p.text)
}

// typeWords are the words of servers that can't read a body. "invalid character" is
// encoding/json's.
var typeWords = regexp.MustCompile(`(?i)content.?type|media.?type|protobuf|json|invalid character`)

// reply is an answer with a status, in the form that the rules read.
type reply struct {
	Request
	code   int32
	reason metav1.StatusReason
	// text is the server's message. If the body is no status, client-go keeps it in a cause
	// (rest/request.go, newUnstructuredResponseError) and makes up the rest of the status.
	text string
	// raw is true if the body was no status of the API.
	raw    bool
	status *metav1.Status // with Details
}

func newReply(r Request, s *metav1.Status) *reply {
	p := &reply{Request: r, code: s.Code, reason: s.Reason, text: s.Message, status: s}
	if s.Details == nil {
		s.Details = &metav1.StatusDetails{}
	}
	for _, cause := range s.Details.Causes {
		if cause.Type == metav1.CauseTypeUnexpectedServerResponse {
			p.raw, p.text = true, cause.Message
		}
	}
	return p
}

func (p *reply) says(text string) bool { return strings.Contains(p.text, text) }

// is reports whether the code is one of these.
func (p *reply) is(codes ...int32) bool { return slices.Contains(codes, p.code) }

func (p *reply) isClientError() bool {
	return p.code >= http.StatusBadRequest && p.code < http.StatusInternalServerError
}

func (p *reply) hasCause(cause metav1.CauseType) bool {
	return apierrors.HasStatusCause(&apierrors.StatusError{ErrStatus: *p.status}, cause)
}

func (p *reply) retryAfter() time.Duration {
	return time.Duration(max(p.status.Details.RetryAfterSeconds, 0)) * time.Second
}

// later returns an answer after which the write is tried again. Nothing was stored.
func (p *reply) later(s sink.Scope) sink.Answer {
	return sink.Answer{Outcome: sink.Retry, Scope: s, RetryAfter: p.retryAfter()}
}

// laterMaybeStored returns an answer after which the write is tried again, though it may have been
// stored.
func (p *reply) laterMaybeStored(s sink.Scope) sink.Answer {
	a := p.later(s)
	a.MaybeStored = true
	return a
}

func (p *reply) limited(s sink.Scope) sink.Answer {
	a := p.later(s)
	a.Limited = true
	return a
}

// invalid is the answer to a write that is refused whoever makes it, and when.
func invalid() sink.Answer {
	a := refused(sink.ScopeWrite)
	a.Invalid = true
	return a
}

func refused(s sink.Scope) sink.Answer {
	return sink.Answer{Outcome: sink.Refused, Scope: s}
}
