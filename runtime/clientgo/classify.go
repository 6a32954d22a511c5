package clientgo

import (
	"errors"
	"regexp"

	corev1 "k8s.io/api/core/v1"
	restclient "k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// classify says what an error of a client-go sink means. What is no answer of a server is tried
// again, as by client-go (recordEvent in tools/record/event.go and
// tools/events/event_broadcaster.go), unless client-go has raised it without a call.
func classify(w *sink.Write, group string, err error) sink.Answer {
	if _, ok := errors.AsType[*restclient.RequestConstructionError](err); ok || isLocal(err) {
		return apiserver.Unaskable(err)
	}
	return apiserver.Answered(apiserver.RequestOf(w, group), err)
}

// isLocal reports an error about the event's namespace that a client raises before it calls the
// server. It has no type (kubernetes/typed/core/v1/event_expansion.go and
// kubernetes/typed/events/v1/event_expansion.go, tools/events/event_broadcaster.go).
func isLocal(err error) bool {
	return localError.MatchString(err.Error())
}

var localError = regexp.MustCompile(`^can't (create|patch) an event with (namespace '.*' in namespace '.*'|empty namespace)$`)

// done is the answer to a write that a sink called stored. Nil and empty objects, which fakes and
// sinks of others return, have no version. Those of client-go's own sink on a client of a server
// (strict) have name and version, or something else has answered.
func done(w *sink.Write, stored *corev1.Event, strict bool) sink.Answer {
	if stored == nil && !strict {
		return sink.Answer{Outcome: sink.Done}
	}
	if stored == nil {
		stored = &corev1.Event{}
	}
	if apiserver.IsRenamed(w, stored.Kind, stored.Namespace, stored.Name) && apiserver.Holds(w, stored) {
		return sink.Answer{Outcome: sink.Done, Mark: apiserver.Renamed}
	}
	err := apiserver.CheckReply(w, stored.Kind, "", stored.Name)
	if err == nil && strict && (stored.Name == "" || stored.ResourceVersion == "") {
		err = errors.New("the reply holds no event; something other than an API server may have answered")
	}
	if err != nil {
		return apiserver.Unreadable(w.Operation, err)
	}
	if w.Operation == sink.Read {
		return apiserver.Read(stored)
	}
	return sink.Answer{Outcome: sink.Done, ResourceVersion: apiserver.ParseVersion(stored.ResourceVersion)}
}

// written is a write in client-go's terms: the controller is a source of two parts, and what the
// correlator says of aggregates in annotations is left out, since client-go's patches hold no
// annotations, so that it would not stay true.
func written(w *sink.Write) *sink.Write {
	c := *w
	from := sourceOf(w.ReportingController)
	c.ReportingController, c.ReportingInstance = from.component, from.host
	if w.Aggregate {
		c.Annotations = nil
		for _, a := range w.Annotations {
			if a.Key != sink.DistinctMessagesAnnotation && a.Key != sink.LastMessageAnnotation {
				c.Annotations = append(c.Annotations, a)
			}
		}
	}
	return &c
}

// patchOf is the patch that client-go would send: without annotations, and in the core group always
// with the message. A nil message leaves the message out. A Read changes nothing.
func patchOf(f form.Form, w *sink.Write, message *string) []byte {
	if w.Operation == sink.Read {
		return []byte(form.NoChange)
	}
	c := *w
	c.Annotations, c.LatestNote = nil, false
	if message != nil {
		c.LatestNote, c.Note = true, []byte(*message)
	}
	return f.Patch(&c)
}
