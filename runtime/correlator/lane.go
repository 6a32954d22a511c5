package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// Lane is a part of the work of a correlator that an owner can put off by itself: what one namespace sends through one door of the
// server, by kind.
type Lane struct {
	// ID is what the correlator calls the namespace and door, a small number. It may mean another lane once nothing is held in this one.
	ID        uint32
	Namespace string
	Door      Door
	Kind      Kind
}

// Door is the way in which a write reaches the server. Rights and troubles differ between doors.
type Door uint8

// The doors. Updates are told apart by the mark that the sink leaves with an event, which names its API group.
const (
	Creates Door = iota
	UpdatesA
	UpdatesB
	Doors // how many there are
)

// updatesOf is the door of updates of events that carry a mark.
func updatesOf(mark uint8) Door { return UpdatesA + Door(mark&1) }

// Kind says what is due in a lane.
type Kind uint8

// The kinds, in the order in which they are to be taken.
const (
	// Warning is events of type Warning, and what must be created before one, Normal the others.
	Warning Kind = iota
	Normal
	// Retry is writes that have failed before.
	Retry
	Kinds // how many there are
)

// Fate is what becomes of a write for which the sink gave an answer.
type Fate uint8

const (
	// Answered: what the answer says.
	Answered Fate = iota
	// Excused: what the answer says, but the trouble reaches further than the write. However often it fails so, it does not step aside.
	Excused
	// Kept: it stays pending, and is tried again when its lane may write. The write is not to blame.
	Kept
	// Refused: what it carries can't be stored.
	Refused
)

// slotOf is where the store holds what is due of a door and kind.
func slotOf(d Door, k Kind) uint8 { return uint8(d)*uint8(Kinds) + uint8(k) }

// doorOf is the door of an identity's next write.
func (c *Correlator) doorOf(a store.Active) Door {
	if !a.Created() {
		return Creates
	}
	return updatesOf(a.Mark)
}

// kindOf is the kind of an identity's next write. What must be created before a Warning of its object counts as one.
func (c *Correlator) kindOf(a store.Active) Kind {
	switch {
	case a.Failed:
		return Retry
	case a.Warning(), a.WaitsForCreate() && a.Warnings > 0:
		return Warning
	}
	return Normal
}

// Due lists lanes in which something has fallen due since they were listed last. A lane is listed again once NextIn or Refuse has found
// nothing more in it. The list is valid until the next call. Wake says when there will be more.
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

// mostAtOnce bounds how many identities one call goes through, which holds up whoever records.
const mostAtOnce = 64

// NextIn is Next for one lane. More says that there is, or may be, more due in the lane.
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

// Refuse refuses what is due in a lane, of any kind, without a call: some of it at once. More says that there is, or may be, more.
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

// namespaceOf is the namespace of a lane; nil if its number means another by now.
func (c *Correlator) namespaceOf(l *Lane) *store.Namespace {
	if ns := c.held.ByID(l.ID); ns != nil && ns.Name == l.Namespace {
		return ns
	}
	return nil
}
