package dispatch

import (
	"hash/maphash"
	"math/bits"

	"github.com/event-gen/event-gen/runtime/correlator"
)

type laneKey struct {
	namespace string
	door      correlator.Door
}

// lane is the work of one namespace through one door.
type lane struct {
	laneKey
	own       trouble
	namespace *space
	group     *trouble
	server    *trouble

	ready     [correlator.Kinds]uint64 // by kind: the shards that have something
	local     []uint32                 // by shard: what the shard calls the lane
	turn      int                      // the shard that is asked next
	queued    [correlator.Kinds]bool   // in the ring of a kind
	heldBy    *trouble                 // the trouble that keeps the lane off the rings; nil: none
	heldIn    wait                     // the list it waits in there
	previous  *lane                    // in that list
	following *lane
	from      *trouble // the trouble that has just let it go
	doubt     doubt
	refuse    uint64 // shards that are to refuse what they hold
}

// space is the state that the lanes of a namespace share.
type space struct {
	name   string
	hash   uint64
	health trouble
	proven bool // it has been served
	lanes  [correlator.Doors]*lane
}

var seed = maphash.MakeSeed()

// chain lists the troubles that a lane's writes depend on, the widest first.
func (l *lane) chain() [4]*trouble {
	return [4]*trouble{l.server, l.group, &l.namespace.health, &l.own}
}

// has reports whether anything is ready.
func (l *lane) has() bool {
	return l.ready[correlator.Warning]|l.ready[correlator.Normal]|l.ready[correlator.Retry] != 0
}

// idle reports whether the lane can be forgotten.
func (l *lane) idle() bool {
	return !l.has() && l.refuse == 0 && l.own.well() && l.heldBy == nil &&
		!l.queued[correlator.Warning] && !l.queued[correlator.Normal] && !l.queued[correlator.Retry]
}

// shard takes the next shard that has something of a kind, in turns.
func (l *lane) shard(k correlator.Kind) int {
	s := nextBit(l.ready[k], l.turn)
	l.ready[k] &^= 1 << s
	l.turn = s + 1
	return s
}

// nextBit returns the first bit of set from place on, otherwise the first bit of all.
func nextBit(set uint64, place int) int {
	if rest := set >> place << place; place < 64 && rest != 0 {
		return bits.TrailingZeros64(rest)
	}
	return bits.TrailingZeros64(set)
}

// lookUp finds a lane, or makes it.
func (d *Dispatcher) lookUp(namespace string, door correlator.Door) *lane {
	s := d.spaces[namespace]
	if s == nil {
		d.sweep()
		s = &space{name: namespace, hash: maphash.String(seed, namespace)}
		s.health = trouble{scope: ofNamespace, name: namespace, full: d.opts.part(2), rests: d.opts.rests()}
		d.spaces[namespace] = s
	}
	if s.lanes[door] == nil {
		s.lanes[door] = &lane{
			laneKey: laneKey{namespace, door}, namespace: s, group: &d.groups[door], server: &d.server,
			own:   trouble{scope: ofLane, name: namespace, door: door, full: d.opts.most(), rests: d.opts.rests()},
			local: make([]uint32, d.opts.Shards),
		}
	}
	return s.lanes[door]
}

// sweep forgets namespaces that have nothing to do and are well, once there are twice as many as the last sweep left.
func (d *Dispatcher) sweep() {
	if len(d.spaces) < d.sweepAt {
		return
	}
	for name, s := range d.spaces {
		if s.idle() {
			delete(d.spaces, name)
			s.forgotten()
		}
	}
	d.sweepAt = max(minSpaces, 2*len(d.spaces))
}

// minSpaces is the number of namespaces below which none is forgotten.
const minSpaces = 64

func (s *space) idle() bool {
	for _, l := range s.lanes {
		if l != nil && !l.idle() {
			return false
		}
	}
	return s.health.well()
}

// forgotten marks the lanes, which shards may still know.
func (s *space) forgotten() {
	for _, l := range s.lanes {
		if l != nil {
			l.namespace = nil
		}
	}
}
