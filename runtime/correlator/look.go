package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// Glance is Look's view of an identity. It holds no text of the event's message.
type Glance struct {
	Identity, Generation uint32 // for Regarding
	Object               uint32 // the same for all identities of an object, while that is held
	Definition           *runtime.Definition
	APIVersion, Kind     string // of the regarding object
	Aggregate            bool
	Count                uint32 // occurrences that the event stands for
	Pending              uint64 // occurrences of Count that wait
	Waited               time.Duration
	Attempts             uint8 // tries of the current write that were not acknowledged
	InFlight, Stuck      bool
}

// Look shows the identities among the next most records from a place on, 0 at first. It returns where to go on; 0: there is no
// more. An owner that shows what is held calls it in small steps, each under its lock, which takes some 100 ns an identity.
func (c *Correlator) Look(from uint32, most int, now runtime.Instant, show func(*Glance)) (next uint32) {
	return c.held.Walk(from, most, func(i *store.Identity) {
		kind := c.held.Scope(c.held.Object(i)).Kind
		g := Glance{
			Object: i.ObjectOf(), Definition: i.Definition, APIVersion: kind.APIVersion, Kind: kind.Kind,
			Aggregate: i.More().Folded != nil, Count: i.Count,
		}
		g.Identity, g.Generation = c.held.Ticket(i)
		if !i.Idle() {
			a := c.held.Active(i)
			g.Pending, g.Attempts, g.InFlight, g.Stuck = a.Pending, a.Attempts, a.InFlight, a.Stuck
			g.Waited = max(0, now.Mono-a.Since)
		}
		show(&g)
	})
}

// Regarding returns the object of an identity that Look has shown; ok is false if the identity is gone.
func (c *Correlator) Regarding(identity, generation uint32) (ref runtime.ObjectRef, ok bool) {
	i := c.held.ByTicket(identity, generation)
	if i == nil {
		return runtime.ObjectRef{}, false
	}
	return c.held.Regarding(i), true
}
