package clientgo

import (
	"errors"
	"fmt"
	"net"

	restclient "k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// classify says what an error of a client-go sink means. What is no answer of a server is tried again, as by client-go
// (recordEvent in tools/record/event.go and tools/events/event_broadcaster.go).
func classify(w *runtime.Write, group string, err error) runtime.Answer {
	if a, ok := sink.Classify(w.Operation, err); ok {
		if a.Outcome == runtime.Forbidden {
			a.Err = &forbiddenError{namespace: w.Namespace, groups: []string{group}, causes: []error{a.Err}}
		}
		return a
	}
	if _, ok := errors.AsType[*restclient.RequestConstructionError](err); ok {
		return runtime.Answer{Outcome: runtime.Refused, Err: err}
	}
	return runtime.Answer{Outcome: runtime.Retry, MaybeStored: !isDialError(err), Err: err}
}

// isDialError reports that no connection came about, so that nothing arrived.
func isDialError(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// forbiddenError names the rule that is missing, or those of which one is.
type forbiddenError struct {
	namespace string
	groups    []string
	causes    []error
}

func (e *forbiddenError) Error() string {
	text := fmt.Sprintf("no right to write events in namespace %q; add this rule: %s", e.namespace, rule(e.groups[0]))
	for _, group := range e.groups[1:] {
		text += "; or " + rule(group)
	}
	return text
}

func (e *forbiddenError) Unwrap() []error { return e.causes }

func rule(group string) string {
	return fmt.Sprintf(`apiGroups: [%q], resources: ["events"], verbs: ["create", "patch"]`, group)
}
