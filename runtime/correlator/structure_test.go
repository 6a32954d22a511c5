package correlator

import (
	"fmt"
	"math"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// tallies is counted anew from the records.
type tallies struct {
	pending          uint64
	flight           int
	bytes, transient int64
	objects          map[*object]int
	groups           map[*group]int32
	warnings, works  map[*turn]int
	busy             map[*turn]int
	users            map[*lane]int
	ranked           map[*record]rank
}

// checkStructure recomputes redundant state, and checks that every record is in its list and queue.
func checkStructure(c *Correlator) error {
	n := tallies{
		objects: map[*object]int{}, groups: map[*group]int32{}, warnings: map[*turn]int{}, works: map[*turn]int{}, busy: map[*turn]int{},
		users: map[*lane]int{}, ranked: map[*record]rank{},
	}
	for k := range c.ranked {
		for r := c.ranked[k].first(); r != nil; r = r.ranked.following() {
			n.ranked[r] = rank(k)
		}
	}
	for place, r := range c.all {
		if r.place != place {
			return fmt.Errorf("record at %d: %s", place, show(r))
		}
		n.count(r)
		if err := n.check(c, r); err != nil {
			return fmt.Errorf("record (%s): %w", show(r), err)
		}
	}
	if err := n.checkOwners(c); err != nil {
		return err
	}
	for o := range n.objects {
		n.bytes += o.bytes()
	}
	for g := range n.groups {
		n.bytes += g.bytes()
	}
	n.transient += int64(len(c.lanes)) * laneBytes
	if s := c.Stats(); n.pending != s.Pending || n.flight != s.InFlight || len(n.objects) != s.Objects || n.bytes != c.bytes || n.transient != c.transient {
		return fmt.Errorf("recomputed: %+v; kept: %+v, bytes %d and %d", n, s, c.bytes, c.transient)
	}
	return nil
}

func (n *tallies) count(r *record) {
	n.objects[r.group.object]++
	n.groups[r.group]++
	n.bytes += r.bytes()
	w := r.work
	if w == nil {
		return
	}
	n.transient += r.workBytes()
	n.pending += w.pending
	n.works[w.turn]++
	n.users[w.lane]++
	if w.waitsForCreate() && w.warning() {
		n.warnings[w.turn]++
	}
	if w.inFlight {
		n.flight++
		n.busy[w.turn]++
	}
}

// checkOwners compares what objects, groups, turns and lanes count.
func (n *tallies) checkOwners(c *Correlator) error {
	for g, records := range n.groups {
		if g.records != records {
			return fmt.Errorf("%d records of a group that counts %d", records, g.records)
		}
	}
	for t, works := range n.works {
		if t.works != works || t.warnings != n.warnings[t] || t.busy != (n.busy[t] == 1) || n.busy[t] > 1 {
			return fmt.Errorf("%d works, %d Warnings wait and %d writes are in flight of what says %+v", works, n.warnings[t], n.busy[t], *t)
		}
	}
	for key, l := range c.lanes {
		if l.users != n.users[l] || l.laneKey != key {
			return fmt.Errorf("%d works of lane %v, which counts %d", n.users[l], key, l.users)
		}
	}
	return nil
}

func show(r *record) string {
	if r.work == nil {
		return fmt.Sprintf("%+v", *r)
	}
	w := *r.work
	w.record = nil
	return fmt.Sprintf("%s %s serial %x presence %d step %d count %d: %+v %+v", r.group.object.name, r.def.Name, r.serial, r.presence, r.step, r.count, w, *w.turn)
}

func (n *tallies) check(c *Correlator, r *record) error {
	k, ranked := n.ranked[r]
	w := r.work
	if inFlight := w != nil && w.inFlight; inFlight == ranked || ranked && (k != r.deserves()) {
		return fmt.Errorf("ranked %v under %d, deserves %d", ranked, k, r.deserves())
	}
	if w == nil {
		return nil
	}
	switch {
	case w.pending > uint64(r.count) && r.count < math.MaxUint32:
		return fmt.Errorf("more pending than recorded")
	case w.inFlight && (w.carried > w.pending || !w.turn.busy):
		return fmt.Errorf("in flight")
	case w.pending == 0:
		return fmt.Errorf("has work for nothing")
	case !w.inFlight && !c.waits(w):
		return fmt.Errorf("pending, but nothing will write it")
	}
	return nil
}

// waits reports whether a pending work is somewhere from where it will be written.
func (c *Correlator) waits(w *work) bool {
	places := 0
	for _, there := range []bool{w.isAside(), w.later > 0, w.line.in != nil, w.waiter != nil, w.waitsForCreate() && (w.turn.creates.first() != w || w.turn.busy && w.later == 0 && w.line.in == nil)} {
		if there {
			places++
		}
	}
	if w.line.in == nil {
		return places == 1
	}
	l := w.lane
	return places == 1 && l.route == routeOf(w.record) && (l.turn.in != nil || l.place > 0 || l.active() >= c.roomOf(l))
}

// checkNothingDue holds that Next leaves nothing behind which could be written now.
func checkNothingDue(c *Correlator, now eventrt.Instant) error {
	if c.inDoubt() || !c.hasSlot() || c.server.limited > 0 || c.server.failures > 0 {
		return nil
	}
	for _, l := range c.lanes {
		if l.failures > 0 || l.denial.cause != 0 {
			return nil
		}
	}
	for _, r := range c.all {
		w := r.work
		if w == nil || w.turn.busy || w.waiter != nil || w.waitsForCreate() && w.turn.creates.first() != w || w.lane.failures > 0 || w.lane.denial.cause != 0 || w.lane.active() >= c.roomOf(w.lane) || w.failed {
			continue
		}
		if w.due <= now.Mono {
			return fmt.Errorf("was due at %v and is left behind: %s", w.due, show(r))
		}
		if w.attempts == 0 && w.due > now.Mono+max(c.opts.MaxInterval, c.fixedInterval(r.def)) {
			return fmt.Errorf("due at %v, later than the cap from now: %s", w.due, show(r))
		}
	}
	return nil
}

// checkShedding holds that nothing pending was shed while something acknowledged was there to go.
func checkShedding(c *Correlator) error {
	for _, r := range c.all {
		if r.work == nil {
			return fmt.Errorf("shed a pending event, though one is acknowledged: %s", show(r))
		}
	}
	return nil
}
