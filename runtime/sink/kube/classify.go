package kube

import (
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Classify interprets an error of an API client (apimachinery pkg/api/errors), for sinks that call
// such clients: the outcome, how far its cause may reach (Answer.Scope), and which right is
// missing. The answer's error contains nothing of the event. ok is false if err did not come from a
// server; then only the sink can know whether the write arrived.
func Classify(op sink.Operation, err error) (a sink.Answer, ok bool) {
	return apiserver.Classify(apiserver.Request{Operation: op}, err)
}
