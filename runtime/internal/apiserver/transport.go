package apiserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// NoAnswer classes a request to which no answer came. Whether the server got it is known only where
// no connection came about. A call that its own caller ended tells nothing of the server. A
// time-out does not show what has hung: the server, or the webhook of one namespace.
func NoAnswer(err error) sink.Answer {
	a := sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, MaybeStored: !notConnected(err), Err: err}
	switch {
	case errors.Is(err, context.Canceled):
		a.Scope = sink.ScopeWrite
	case a.MaybeStored && isTimeout(err):
		a.Scope = sink.ScopeUnknown
	}
	return a
}

func isTimeout(err error) bool {
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout() // context.DeadlineExceeded is one, too
}

// NotSent classes a write that the client itself held back: its request budget, or the end of its
// context.
func NotSent(err error) sink.Answer {
	return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeWrite, Err: err}
}

// Unaskable classes a write for which no request can be made.
func Unaskable(err error) sink.Answer {
	return sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeWrite, Err: err}
}

// OtherForm is the answer to a Read or an update of an event whose form the API group can't change:
// the event goes on under another name.
func OtherForm() sink.Answer {
	a := invalid()
	a.Err = errors.New("the event has the core group's form, which events.k8s.io can't change; a new event takes its place")
	return a
}

// Read is the answer to a Read that found an event.
func Read(e *corev1.Event) sink.Answer {
	return sink.Answer{Outcome: sink.Done, ResourceVersion: ParseVersion(e.ResourceVersion), Stored: e, Mark: MarkOf(form.Of(e))}
}

// readFailed is the answer to a Read. It has stored nothing. Only a request that could not be sent
// shows that there is no server.
func readFailed(a sink.Answer) sink.Answer {
	if a.MaybeStored && a.Scope == sink.ScopeServer {
		a.Scope = sink.ScopeUnknown
	}
	a.MaybeStored = false
	return a
}

// CheckReply returns an error if a reply holds another object than a write's event, which may be
// stored elsewhere then. Empty texts of the reply are not compared.
func CheckReply(w *sink.Write, kind, namespace, name string) error {
	differs := func(got, want string) bool { return got != "" && got != want }
	if kind == "Status" || differs(name, w.Name) || differs(namespace, w.Namespace) {
		return fmt.Errorf("the reply holds another object: expected the event %s/%s, found %s %s/%s", w.Namespace, w.Name, kind, namespace, name)
	}
	return nil
}

// Renamed is part of the mark of an event that was stored under another name, as by a webhook that
// changes events. No write reaches it: it counts what its create held, and a new event the rest.
const Renamed uint8 = 1 << 7

// OtherName is the answer to an update of an event that was renamed.
func OtherName() sink.Answer {
	a := invalid()
	a.Err = errors.New("the server stored the event under another name, as after a webhook that changes events; a new event takes its place")
	return a
}

// IsRenamed reports whether the reply to a create has an event of another name.
func IsRenamed(w *sink.Write, kind, namespace, name string) bool {
	return w.Operation == sink.Create && kind != "Status" && name != "" && name != w.Name && namespace == w.Namespace
}

// Holds reports whether an event of another name is the one that a create has sent: it has the
// writer's count or, without such an annotation, count, object and reason.
func Holds(w *sink.Write, e *corev1.Event) bool {
	for _, a := range w.Annotations {
		if strings.HasPrefix(a.Key, sink.WriterAnnotation) {
			return e.Annotations[a.Key] == a.Value
		}
	}
	count, o := max(e.Count, 1), &e.InvolvedObject
	if e.Series != nil {
		count = e.Series.Count
	}
	return count == w.Count && e.Reason == w.Reason && o.Kind == w.Regarding.Kind && o.Name == w.Regarding.Name && o.UID == w.Regarding.UID
}

// Unreadable classes a success whose body is not the event: something other than an API server may
// have given it.
func Unreadable(op sink.Operation, err error) sink.Answer {
	a := sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, MaybeStored: true, Err: err}
	if op == sink.Read {
		return readFailed(a)
	}
	return a
}

// notConnected reports that no connection came about, or that its handshake failed, so that no
// request was sent.
func notConnected(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return true
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return true
	}
	return strings.HasSuffix(err.Error(), "TLS handshake timeout") // net/http has no type for it
}
