// Package answer turns what an API server says to a write into a runtime.Answer. The in-memory sink answers with the
// same errors as a server, so that one classification serves both.
package answer

import (
	"errors"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// FromError classes an error of the API. ok is false if it is none: the server did not answer in its own words.
func FromError(op runtime.Operation, err error) (a runtime.Answer, ok bool) {
	var api apierrors.APIStatus
	if !errors.As(err, &api) {
		return runtime.Answer{}, false
	}
	status := api.Status()
	a = fromStatus(op, &status)
	a.Err = redact(&status, err)
	return a, true
}

func fromStatus(op runtime.Operation, s *metav1.Status) runtime.Answer {
	switch {
	case s.Code == http.StatusNotFound:
		return runtime.Answer{Outcome: notFound(op, s)}
	case s.Code == http.StatusConflict:
		return conflict(op, s)
	case s.Code == http.StatusForbidden:
		return runtime.Answer{Outcome: forbidden(s)}
	case s.Code == http.StatusUnauthorized, s.Code == http.StatusTooManyRequests:
		return runtime.Answer{Outcome: runtime.Retry, RetryAfter: retryAfter(s)}
	case s.Code == http.StatusRequestTimeout, !isClientError(s.Code):
		return runtime.Answer{Outcome: runtime.Retry, MaybeStored: true, RetryAfter: retryAfter(s)}
	}
	return runtime.Answer{Outcome: runtime.Refused}
}

func isClientError(code int32) bool {
	return code >= http.StatusBadRequest && code < http.StatusInternalServerError
}

// notFound tells an event that expired from a namespace that is gone, and both from a server without the API group.
func notFound(op runtime.Operation, s *metav1.Status) runtime.Outcome {
	switch {
	case op == runtime.Update:
		return runtime.Gone
	case s.Details != nil && s.Details.Kind == "namespaces":
		return runtime.RefusedQuietly
	}
	return runtime.Refused
}

func conflict(op runtime.Operation, s *metav1.Status) runtime.Answer {
	if op == runtime.Create && s.Reason == metav1.StatusReasonAlreadyExists {
		return runtime.Answer{Outcome: runtime.Exists}
	}
	return runtime.Answer{Outcome: runtime.Retry, Conflict: op == runtime.Update, RetryAfter: retryAfter(s)}
}

// forbidden tells the answer of an authorizer, which a rule can change, from that of an admission plugin.
func forbidden(s *metav1.Status) runtime.Outcome {
	switch {
	case apierrors.HasStatusCause(&apierrors.StatusError{ErrStatus: *s}, corev1.NamespaceTerminatingCause):
		return runtime.RefusedQuietly
	case isUnauthorized(s):
		return runtime.Forbidden
	}
	return runtime.Refused
}

// isUnauthorized goes by the words that every authorizer's refusal is given in (apiserver
// pkg/endpoints/handlers/responsewriters/errors.go), as the status has no field for it.
func isUnauthorized(s *metav1.Status) bool {
	return strings.Contains(s.Message, `is forbidden: User "`) && strings.Contains(s.Message, ` resource "events"`)
}

func retryAfter(s *metav1.Status) time.Duration {
	if s.Details == nil || s.Details.RetryAfterSeconds <= 0 {
		return 0
	}
	return time.Duration(s.Details.RetryAfterSeconds) * time.Second
}
