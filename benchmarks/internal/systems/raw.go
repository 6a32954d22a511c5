package systems

import (
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Raw holds a sink for each of the recorders.
type Raw struct {
	Record   record.EventSink
	Events   events.EventSink
	EventGen eventrt.Sink
}
