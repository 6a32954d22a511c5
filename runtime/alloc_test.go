package eventrt_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/race"
)

// noAllocations holds that work allocates nothing. With the race detector on, which allocates too,
// it is only run.
func noAllocations(t *testing.T, what string, work func()) {
	t.Helper()
	n := testing.AllocsPerRun(200, work)
	if n != 0 && !race.Enabled {
		t.Errorf("%s: %v allocations, want none", what, n)
	}
}

var (
	sinkEvent  eventrt.Event
	sinkObject eventrt.ObjectRef
)

func TestRecordingAllocatesNothing(t *testing.T) {
	var (
		obj     = pod()
		other   = pod()
		two     = messageDefinition(eventrt.Param{MaxBytes: 200}, eventrt.Param{})
		one     = messageDefinition(eventrt.Param{})
		plain   = plainDefinition()
		related = plainDefinition()
		a, b    = "a string", "another, with €"
		n       = 123456
		at      = time.Now()
		r       = eventrt.NewRecorder(nowhere{})
		more    = r.WithReportingController("example.com/c").WithAnnotations(map[string]string{"a": "b"}).At(at)
	)
	related.HasRelated = true
	tests := []struct {
		name string
		make func() eventrt.Event
	}{
		{"constant text", func() eventrt.Event { return eventrt.NewEvent(plain, eventrt.ObjectOf(obj), eventrt.ObjectRef{}) }},
		{"two objects", func() eventrt.Event { return eventrt.NewEvent(related, eventrt.ObjectOf(obj), eventrt.ObjectOf(other)) }},
		{"two strings", func() eventrt.Event {
			return eventrt.NewEvent(two, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.String(a), eventrt.String(b))
		}},
		{"two ints", func() eventrt.Event {
			return eventrt.NewEvent(two, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.Int(n), eventrt.Int(int32(n)))
		}},
		{"duration", func() eventrt.Event {
			return eventrt.NewEvent(one, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.Duration(time.Duration(n)))
		}},
		{"time", func() eventrt.Event {
			return eventrt.NewEvent(one, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.Time(at))
		}},
		{"bool and float", func() eventrt.Event {
			return eventrt.NewEvent(two, eventrt.ObjectOf(obj), eventrt.ObjectRef{}, eventrt.Bool(n > 3), eventrt.Float(float64(n)))
		}},
	}
	for _, tt := range tests {
		noAllocations(t, tt.name, func() { sinkEvent = tt.make() })
		noAllocations(t, "emit "+tt.name, func() { r.Emit(tt.make()) })
		noAllocations(t, "emit with annotations "+tt.name, func() { more.Emit(tt.make()) })
	}
	for _, text := range []string{"", "plain", "with ümläuts and €", strings.Repeat("x", 1024)} {
		noAllocations(t, "clean text", func() { eventrt.Clean(text, 1024) })
	}
	typed := pod()
	typed.TypeMeta = metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Pod"}
	loose := unstructuredOf(map[string]any{"apiVersion": "apps/v1", "kind": "X", "metadata": map[string]any{"name": "x", "namespace": "ns", "uid": "u"}})
	for _, obj := range []k8sruntime.Object{pod(), typed, loose, &corev1.ObjectReference{Kind: "X", Name: "x"}} {
		noAllocations(t, fmt.Sprintf("any object: %T", obj), func() { sinkObject = eventrt.AnyObject(obj) })
	}
	noAllocations(t, "of objects", func() { r.EmitOf(two, obj, nil, eventrt.String(a), eventrt.String(b)) })
	noAllocations(t, "of two objects", func() { r.EmitOf(related, obj, other) })
	noAllocations(t, "forward", func() { r.Forward(obj, eventrt.Normal, "Reason", "Action", "a message") })
}

func TestRenderingIntoABufferAllocatesNothing(t *testing.T) {
	def := messageDefinition(eventrt.Param{}, eventrt.Param{}, eventrt.Param{}, eventrt.Param{}, eventrt.Param{Quote: true})
	e := eventrt.NewEvent(def, eventrt.ObjectOf(pod()), eventrt.ObjectRef{},
		eventrt.String("text"), eventrt.Int(-5), eventrt.Duration(time.Hour), eventrt.Time(time.Now()), eventrt.String("quoted"))
	buffer := make([]byte, 0, 1024)
	noAllocations(t, "AppendMessage", func() { buffer = internals.AppendMessage(buffer[:0], def, e.Regarding(), e.Related(), e.Args()) })
}
