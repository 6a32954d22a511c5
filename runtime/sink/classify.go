package sink

import (
	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
)

// Classify says what an error of an API client (apimachinery pkg/api/errors) means for a write, for sinks that call such
// clients: the outcome, how far its cause may reach (Answer.Scope), and which right is missing. The error of the answer holds nothing of the event. ok is false if err is none that a server gave: whether
// the write arrived is then for the sink to know.
func Classify(op runtime.Operation, err error) (a runtime.Answer, ok bool) {
	return apiserver.Classify(apiserver.Request{Operation: op}, err)
}
