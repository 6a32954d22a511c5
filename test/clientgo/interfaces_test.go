package clientgo_test

import (
	"testing"

	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// The interfaces as this client-go has them.
var (
	_ record.EventBroadcaster = (clientgo.RecordBroadcaster)(nil)
	_ events.EventBroadcaster = (clientgo.EventsBroadcaster)(nil)
	//lint:ignore SA1019 client-go deprecates the interface until its own migration is complete
	_ events.EventBroadcasterAdapter = (clientgo.EventBroadcasterAdapter)(nil)
)

// TestRecordersAreAnnotated holds that recorders are all that client-go's are, after WithLogger
// too.
func TestRecordersAreAnnotated(t *testing.T) {
	b := clientgo.NewEventsBroadcaster(nil)
	defer b.Shutdown()
	a := clientgo.NewEventBroadcasterAdapter(t.Context(), fake.NewClientset())
	defer a.Shutdown()
	for _, r := range []events.EventRecorderLogger{b.NewRecorder(scheme.Scheme, "c"), a.NewRecorder("c")} {
		if _, ok := r.WithLogger(log(t)).(events.AnnotatedEventRecorder); !ok {
			t.Errorf("%T is no AnnotatedEventRecorder", r)
		}
	}
}
