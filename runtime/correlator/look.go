package correlator

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
)

// View shows a record to the owner. It holds no text of the event's message.
type View struct {
	Definition        *eventrt.Definition
	Regarding         eventrt.ObjectRef
	Name              string // of a pending record's event
	Aggregate         bool
	Count             uint32 // occurrences that the event stands for
	Pending           uint64 // occurrences of Count that wait
	Waited            time.Duration
	Attempts          uint8 // tries of the current write that were not acknowledged
	InFlight, Failing bool
}

// Look shows at most the given number of records from a place on, 0 at first. It returns the place
// to go on from; 0: all were shown. An owner that shows all records calls Look in small steps, each
// under its lock. Records added or forgotten in between may be left out, or shown twice.
func (c *Correlator) Look(from, most int, now clock.Instant, show func(*View)) (next int) {
	end := len(c.all) // from the end on: the last record, which was shown, replaces a removed one
	if from > 0 {
		end = min(from, end)
	}
	next = max(0, end-most)
	for n := end - 1; n >= next; n-- {
		r := c.all[n]
		g := View{
			Definition: r.def, Regarding: reference(r.group.object),
			Aggregate: r.extra().aggregated != nil, Count: r.totals.count,
		}
		if w := r.work; w != nil {
			g.Pending, g.Attempts, g.InFlight, g.Failing = w.pending, w.Tries(), w.InFlight(), w.SteppedAside()
			g.Name = string(c.appendEventName(c.scratch[:0], r))
			g.Waited = max(0, now.Mono-w.since)
		}
		show(&g)
	}
	return next
}

func reference(o *object) eventrt.ObjectRef {
	ref := (&eventrt.ObjectRef{
		APIVersion: o.kind.APIVersion, Kind: o.kind.Kind, Namespace: o.namespace, Name: o.name, UID: o.uid,
	}).Reference()
	return eventrt.ReferenceOf((*corev1.ObjectReference)(&ref))
}
