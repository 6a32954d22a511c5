package correlator

import (
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// The groups of an object are few, and hang on it in a list. Should somebody give an object more reasons than that, it is
// crowded: all its groups are in a map then, until the last is gone.
const crowd = 32

type groupKey struct{ reason, eventType, controller string }

func groupKeyOf(def *runtime.Definition) groupKey {
	return groupKey{reason: def.Reason, eventType: def.Type, controller: def.ReportingController}
}

// crowdBytes is what a group in a map costs beyond its record, about.
const crowdBytes = 2 * int64(unsafe.Sizeof(groupKey{})+unsafe.Sizeof(ref(0)))

// groupOf finds the record of {object, reason, type}, or makes it. An aggregate names one controller, so that events of
// several have several groups.
func (c *Correlator) groupOf(or ref, def *runtime.Definition) ref {
	o := c.objects.at(or)
	if o.is(crowded) {
		if r := c.crowds[or][groupKeyOf(def)]; r != 0 {
			return r
		}
		return c.newGroup(or, def)
	}
	n := 0
	for r := o.groups; r != 0; r = c.groups.at(r).next {
		if sameGroup(c.groups.at(r).def, def) {
			return r
		}
		n++
	}
	if n == crowd {
		c.crowdIn(or)
	}
	return c.newGroup(or, def)
}

func (c *Correlator) newGroup(or ref, def *runtime.Definition) ref {
	o := c.objects.at(or)
	r := c.groups.alloc()
	*c.groups.at(r) = group{def: def, object: or}
	c.bytes += groupBytes
	if o.is(crowded) {
		c.crowds[or][groupKeyOf(def)] = r
		c.bytes += crowdBytes
		return r
	}
	c.groups.at(r).next, o.groups = o.groups, r
	return r
}

// crowdIn moves the groups of an object from their list into a map.
func (c *Correlator) crowdIn(or ref) {
	o := c.objects.at(or)
	if c.crowds == nil {
		c.crowds = map[ref]map[groupKey]ref{}
	}
	groups := map[groupKey]ref{}
	for r := o.groups; r != 0; r = c.groups.at(r).next {
		groups[groupKeyOf(c.groups.at(r).def)] = r
	}
	c.crowds[or] = groups
	c.bytes += int64(len(groups)) * crowdBytes
	o.flags |= crowded
	o.groups = 0
}

// removeGroup takes a group from its object, and frees its record.
func (c *Correlator) removeGroup(gr ref) {
	g := c.groups.at(gr)
	o := c.objects.at(g.object)
	if o.is(crowded) {
		groups := c.crowds[g.object]
		delete(groups, groupKeyOf(g.def))
		c.bytes -= crowdBytes
		if len(groups) == 0 {
			delete(c.crowds, g.object)
			o.flags &^= crowded
		}
	} else {
		c.unlink(o, gr)
	}
	*g = group{}
	c.groups.release(gr)
	c.bytes -= groupBytes
}

func (c *Correlator) unlink(o *object, gr ref) {
	p := &o.groups
	for *p != gr {
		p = &c.groups.at(*p).next
	}
	*p = c.groups.at(gr).next
}
