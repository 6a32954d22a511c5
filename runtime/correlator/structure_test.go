package correlator

import (
	"fmt"
	"math"

	"github.com/event-gen/event-gen/runtime"
)

// tallies is what can be counted anew from the records.
type tallies struct {
	pending    uint64
	bytes      int64
	flight     int
	identities int
	actives    int
	byGroup    map[ref]uint32
	byObject   map[ref]uint32 // active identities
	groups     map[ref]int    // by object
}

// checkStructure recomputes everything that is kept twice.
func checkStructure(c *Correlator) error {
	n := tallies{byGroup: map[ref]uint32{}, byObject: map[ref]uint32{}, groups: map[ref]int{}}
	for r, i := range c.ids.each {
		if i.def == nil {
			continue
		}
		n.identity(c, r)
		if err := checkIdentity(c, r); err != nil {
			return fmt.Errorf("identity %d (%s): %w", r, show(c, r), err)
		}
	}
	for r, g := range c.groups.each {
		if g.identities != n.byGroup[r] {
			return fmt.Errorf("group %d holds %d identities, says %d", r, n.byGroup[r], g.identities)
		}
		if g.def != nil {
			n.groups[g.object]++
			n.bytes += groupBytes
		}
	}
	if err := n.objects(c); err != nil {
		return err
	}
	for _, r := range c.byScope {
		n.bytes += (*c.scopes.at(r)).bytes()
	}
	s := c.Stats()
	if n.pending != s.Pending || n.bytes != s.Bytes || n.flight != s.InFlight || n.identities != s.Identities || n.actives != c.actives.live() {
		return fmt.Errorf("recomputed: %+v, %d actives in use; kept: %+v", n, c.actives.live(), s)
	}
	if n.identities != c.byHash.entries || c.objects.live() != c.byObject.entries {
		return fmt.Errorf("indexes hold %d identities and %d objects, there are %d and %d", c.byHash.entries, c.byObject.entries, n.identities, c.objects.live())
	}
	return checkHeap(c)
}

func (n *tallies) identity(c *Correlator, r ref) {
	i := c.ids.at(r)
	n.identities++
	n.bytes += i.bytes()
	n.byGroup[i.group]++
	if i.active != 0 {
		if c.actives.at(i.active).is(inFlight) {
			n.flight++
		}
		n.actives++
		n.bytes += activeBytes
		n.pending += c.actives.at(i.active).pending
		n.byObject[i.object]++
	}
}

func (n *tallies) objects(c *Correlator) error {
	for r, o := range c.objects.each {
		if o.identities == 0 {
			continue
		}
		n.bytes += o.bytes() + int64(len(c.crowds[r]))*crowdBytes
		if err := checkGroups(c, r, o, n.groups[r]); err != nil {
			return err
		}
		var kept uint32
		if o.activity != 0 {
			kept = c.activities.at(o.activity).actives
			n.bytes += activityBytes
		}
		if kept != n.byObject[r] {
			return fmt.Errorf("object %d has %d active identities, says %d", r, n.byObject[r], kept)
		}
	}
	return nil
}

// checkGroups holds that an object leads to its groups, once to each.
func checkGroups(c *Correlator, r ref, o *object, held int) error {
	found := 0
	for g := o.groups; g != 0; g = c.groups.at(g).next {
		found++
		if c.groups.at(g).object != r || o.is(crowded) {
			return fmt.Errorf("object %d leads to group %d of object %d", r, g, c.groups.at(g).object)
		}
	}
	for key, g := range c.crowds[r] {
		found++
		if c.groups.at(g).object != r || groupKeyOf(c.groups.at(g).def) != key {
			return fmt.Errorf("object %d leads by %v to group %d of object %d", r, key, g, c.groups.at(g).object)
		}
	}
	if found != held {
		return fmt.Errorf("object %d leads to %d groups, has %d", r, found, held)
	}
	return nil
}

func show(c *Correlator, r ref) string {
	i := c.ids.at(r)
	if i.active == 0 {
		return fmt.Sprintf("%+v", *i)
	}
	return fmt.Sprintf("%+v %+v %+v", *i, *c.actives.at(i.active), *c.activityOf(i))
}

func checkIdentity(c *Correlator, r ref) error {
	i := c.ids.at(r)
	if i.active == 0 {
		switch {
		case i.list() != c.listOf(i):
			return fmt.Errorf("in list %d, belongs to %d", i.list(), c.listOf(i))
		}
		return nil
	}
	a, act := c.actives.at(i.active), c.activityOf(i)
	switch {
	case a.pending > uint64(i.count) && i.count < math.MaxUint32:
		return fmt.Errorf("more pending than recorded")
	case a.is(inFlight) && (a.carried > a.pending || i.list() != noList || !act.busy):
		return fmt.Errorf("in flight")
	case !a.is(inFlight) && i.list() != c.listOf(i):
		return fmt.Errorf("in list %d, belongs to %d", i.list(), c.listOf(i))
	case a.is(queued) && a.is(parked):
		return fmt.Errorf("queued and parked")
	case !c.ended && a.pending == 0 && !a.is(inFlight|queued|parked):
		return fmt.Errorf("active for nothing")
	case a.pending > 0 && !c.waits(r):
		return fmt.Errorf("pending, but nothing will write it")
	}
	return nil
}

// waits reports whether a pending identity is somewhere from where it will be written.
func (c *Correlator) waits(r ref) bool {
	i := c.ids.at(r)
	a, act := c.activeOf(r), c.activityOf(i)
	return c.ended && !c.draining || a.is(inFlight|parked) || a.heapPlace > 0 ||
		(a.is(queued) && (act.creates.head != r || act.headParked))
}

func checkHeap(c *Correlator) error {
	for n, e := range c.due.entries {
		if int(c.activeOf(e.id).heapPlace) != n+1 {
			return fmt.Errorf("heap entry %d of identity %d, which says %d", n, e.id, c.activeOf(e.id).heapPlace)
		}
		if n > 0 && e.before(&c.due.entries[(n-1)/2]) {
			return fmt.Errorf("heap entry %d comes before its parent", n)
		}
	}
	return nil
}

// checkNothingDue holds that Next leaves nothing behind which could be written now.
func checkNothingDue(c *Correlator, now runtime.Instant) error {
	for r, i := range c.ids.each {
		if i.def == nil || i.active == 0 || c.activityOf(i).busy {
			continue
		}
		a := c.actives.at(i.active)
		if a.pending == 0 || a.is(inFlight) || (a.is(queued) && c.activityOf(i).creates.head != r) {
			continue
		}
		if a.due <= now.Mono {
			return fmt.Errorf("identity %d was due at %v and is left behind: %s", r, a.due, show(c, r))
		}
		if a.attempts == 0 && a.due > now.Mono+c.opts.MaxInterval {
			return fmt.Errorf("identity %d is due at %v, later than the cap from now", r, a.due)
		}
	}
	return nil
}

// checkShedding holds that nothing pending was shed while something acknowledged was there to go.
func checkShedding(c *Correlator) error {
	for r, i := range c.ids.each {
		if i.def != nil && i.active == 0 {
			return fmt.Errorf("shed a pending identity, though %d is acknowledged: %s", r, show(c, r))
		}
	}
	return nil
}
