package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// Lane is a part of a correlator's work that an owner can put off by itself: the writes of one namespace through one door of the
// server, by kind.
type Lane struct {
	// ID is the correlator's number of the namespace and door. It may mean another lane once nothing is held in this one.
	ID        uint32
	Namespace string
	Door      Door
	Kind      Kind
}

// Door is the way of a write to the server. Rights and troubles differ between doors.
type Door uint8

// The doors. The sink's mark of an event, which names its API group, decides the door of an update.
const (
	Creates Door = iota
	UpdatesA
	UpdatesB
	Doors // how many there are
)

// updatesOf returns the door for updates of events with a mark.
func updatesOf(mark uint8) Door { return UpdatesA + Door(mark&1) }

// Kind is the kind of writes that are due in a lane.
type Kind uint8

// The kinds, in the order in which an owner should take them.
const (
	// Warning is for events of type Warning, and for events that must be created before one; Normal is for all others.
	Warning Kind = iota
	Normal
	// Retry is for writes that have failed before.
	Retry
	Kinds // how many there are
)

// Fate decides what happens to a write that the sink has answered.
type Fate uint8

const (
	// Answered: the answer decides.
	Answered Fate = iota
	// Excused: the answer decides, but the trouble reaches further than the write. Such failures never make the write step aside.
	Excused
	// Kept: it stays pending, and is tried again when its lane may write. The write did not cause the failure.
	Kept
	// Refused: its occurrences can't be stored.
	Refused
)

// slotOf returns the store's slot for the due writes of a door and kind.
func slotOf(d Door, k Kind) uint8 { return uint8(d)*uint8(Kinds) + uint8(k) }

// doorOf returns the door of an identity's next write.
func (c *Correlator) doorOf(a store.Active) Door {
	if !a.Created() {
		return Creates
	}
	return updatesOf(a.Mark)
}

// kindOf returns the kind of an identity's next write. An event that must be created before a Warning of its object counts as a Warning.
func (c *Correlator) kindOf(a store.Active) Kind {
	switch {
	case a.Failed:
		return Retry
	case a.Warning(), a.WaitsForCreate() && a.Warnings > 0:
		return Warning
	}
	return Normal
}

// Due lists lanes in which something has fallen due since they were listed last. It lists a lane again once NextIn or Refuse has found
// nothing more in it. The list is valid until the next call. Wake returns when there will be more.
func (c *Correlator) Due(now time.Duration) []Lane {
	c.now, c.due = now, c.due[:0]
	c.settle()
	c.tidy()
	c.held.Ripen(now, mostAtOnce)
	for {
		ns, slot, ok := c.held.Announce()
		if !ok {
			return c.due
		}
		c.due = append(c.due, Lane{ID: c.held.ID(ns), Namespace: ns.Name, Door: Door(slot / uint8(Kinds)), Kind: Kind(slot % uint8(Kinds))})
	}
}

// mostAtOnce bounds the number of identities that one call goes through, because the call holds up recording goroutines.
const mostAtOnce = 64

// NextIn is Next for one lane. more is true if there is, or may be, more due in the lane.
func (c *Correlator) NextIn(l *Lane, now runtime.Instant, w *runtime.Write) (found, more bool) {
	c.now = now.Mono
	ns := c.namespaceOf(l)
	if ns == nil {
		return false, false
	}
	c.held.Ripen(c.now, mostAtOnce)
	slot := slotOf(l.Door, l.Kind)
	for range mostAtOnce {
		i := c.held.Look(ns, slot)
		if i == nil {
			return false, false
		}
		if c.write(i, w, now) {
			return true, c.held.Look(ns, slot) != nil
		}
	}
	return false, true
}

// Refuse refuses a part of what is due in a lane, of any kind, without a call. more is true if there is, or may be, more.
func (c *Correlator) Refuse(l *Lane, now runtime.Instant) (more bool) {
	c.now = now.Mono
	ns := c.namespaceOf(l)
	if ns == nil {
		return false
	}
	c.held.Ripen(c.now, mostAtOnce)
	done := 0
	for k := range Kinds {
		for ; done < mostAtOnce; done++ {
			i := c.held.Look(ns, slotOf(l.Door, k))
			if i == nil {
				break
			}
			a := c.held.Active(i)
			c.held.ClearDue(a)
			if a.Busy {
				c.putAside(a)
			} else {
				c.refuseHere(a)
			}
		}
	}
	return done == mostAtOnce
}

// namespaceOf returns the namespace of a lane; nil if its number now means another lane.
func (c *Correlator) namespaceOf(l *Lane) *store.Namespace {
	if ns := c.held.ByID(l.ID); ns != nil && ns.Name == l.Namespace {
		return ns
	}
	return nil
}
