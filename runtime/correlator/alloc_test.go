package correlator

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/race"
)

// TestObservingARepeatAllocatesNothing with events of several sorts. With the race detector, which
// allocates too, the test only records them.
func TestObservingARepeatAllocatesNothing(t *testing.T) {
	f := base()
	f.regarding.UID, f.regarding.ResourceVersion, f.annotations = "uid-of-job", "123456", map[string]string{"a": "b"}
	ref := refer(corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: "job", UID: "u", ResourceVersion: "123456"})
	plain := testDefinition("Plain", eventrt.Normal)
	plain.Params, plain.Message = nil, []eventrt.Segment{{Text: "constant"}}
	forwarded := testDefinition("Forwarded", eventrt.Warning)
	forwarded.Forwarded = true
	labelled := testDefinition("Labelled", eventrt.Normal)
	labelled.Labels = []eventrt.AnnotationDefinition{{Key: "app"}, {Key: "team", Value: []eventrt.Segment{{Text: "storage"}}}, {Key: "zone"}}
	for name, e := range map[string]eventrt.Event{
		"labels":        labelledEvent(labelled, map[string]string{"app": "shop", "zone": "a"}, map[string]string{"x": "y"}),
		"constant text": eventrt.NewEvent(plain, ref, eventrt.ObjectRef{}),
		"a string":      eventrt.NewEvent(normal, ref, eventrt.ObjectRef{}, eventrt.String("text")),
		"a duration":    eventrt.NewEvent(normal, ref, eventrt.ObjectRef{}, eventrt.Duration(time.Minute)),
		"all there is":  f.event(),
		"forwarded":     eventrt.NewEvent(forwarded, ref, eventrt.ObjectRef{}, eventrt.String("text")),
	} {
		r := newRig(t, Options{})
		r.record(e)
		if n := testing.AllocsPerRun(200, func() { r.c.Observe(&e, r.now) }); n > 0 && !race.Enabled {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
