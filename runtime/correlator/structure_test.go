package correlator

import (
	"fmt"

	"github.com/event-gen/event-gen/runtime"
)

// checkStructure recomputes everything that is kept twice.
func checkStructure(c *Correlator) error {
	var pending uint64
	var bytes int64
	flight, live := 0, 0
	identities := map[ref]uint32{}
	for r := ref(1); int(r) < c.ids.used; r++ {
		i := c.ids.at(r)
		if i.spec == nil {
			continue
		}
		live++
		pending += i.pending()
		bytes += i.bytes()
		identities[i.group]++
		if i.is(inFlight) {
			flight++
		}
		if err := checkIdentity(c, r); err != nil {
			return fmt.Errorf("identity %d (%+v): %w", r, *i, err)
		}
	}
	for r := ref(1); int(r) < c.groups.used; r++ {
		g := c.groups.at(r)
		if g.identities != identities[r] {
			return fmt.Errorf("group %d holds %d identities, says %d", r, identities[r], g.identities)
		}
		if g.spec != nil {
			bytes += groupBytes
		}
	}
	for r := ref(1); int(r) < c.objects.used; r++ {
		if o := c.objects.at(r); o.identities > 0 {
			bytes += o.bytes()
		}
	}
	if s := c.Stats(); pending != s.Pending || bytes != s.Bytes || flight != s.InFlight || live != s.Identities {
		return fmt.Errorf("recomputed: pending %d, bytes %d, in flight %d, identities %d; kept: %+v", pending, bytes, flight, live, s)
	}
	return checkHeap(c)
}

func checkIdentity(c *Correlator, r ref) error {
	i := c.ids.at(r)
	o := c.objectFor(i)
	switch {
	case i.acked > i.recorded:
		return fmt.Errorf("acknowledged more than recorded")
	case i.is(inFlight) && (i.carried > i.recorded || i.list != noList || !o.busy):
		return fmt.Errorf("in flight, object busy: %v", o.busy)
	case !i.is(inFlight) && i.list != listOf(i):
		return fmt.Errorf("in list %d, belongs to %d", i.list, listOf(i))
	case i.is(queued) && i.is(parked):
		return fmt.Errorf("queued and parked")
	case i.pending() > 0 && !c.waits(r):
		return fmt.Errorf("pending, but nothing will write it")
	}
	return nil
}

// waits reports whether a pending identity is somewhere from where it will be written.
func (c *Correlator) waits(r ref) bool {
	i := c.ids.at(r)
	o := c.objectFor(i)
	return c.ended && !c.draining || i.is(inFlight|parked) || i.heapPlace > 0 || (i.is(queued) && (o.creates.head != r || o.headParked))
}

func checkHeap(c *Correlator) error {
	for n, e := range c.due.entries {
		if int(c.ids.at(e.id).heapPlace) != n+1 {
			return fmt.Errorf("heap entry %d of identity %d, which says %d", n, e.id, c.ids.at(e.id).heapPlace)
		}
		if n > 0 && e.before(&c.due.entries[(n-1)/2]) {
			return fmt.Errorf("heap entry %d comes before its parent", n)
		}
	}
	return nil
}

// checkNothingDue holds that Next leaves nothing behind which could be written now.
func checkNothingDue(c *Correlator, now runtime.Instant) error {
	for r := ref(1); int(r) < c.ids.used; r++ {
		i := c.ids.at(r)
		if i.spec == nil || i.pending() == 0 || i.is(inFlight) || c.objectFor(i).busy {
			continue
		}
		if i.is(queued) && c.objectFor(i).creates.head != r {
			continue
		}
		if i.due <= now.Mono {
			return fmt.Errorf("identity %d was due at %v and is left behind: %+v", r, i.due, *i)
		}
		if i.attempts == 0 && i.due > now.Mono+c.opts.MaxInterval {
			return fmt.Errorf("identity %d is due at %v, later than the cap from now", r, i.due)
		}
	}
	return nil
}

// checkShedding holds that nothing pending was shed while something acknowledged was there to go.
func checkShedding(c *Correlator) error {
	for r := ref(1); int(r) < c.ids.used; r++ {
		if i := c.ids.at(r); i.spec != nil && i.pending() == 0 && !i.is(inFlight) {
			return fmt.Errorf("shed a pending identity, though %d is acknowledged: %+v", r, *i)
		}
	}
	return nil
}
