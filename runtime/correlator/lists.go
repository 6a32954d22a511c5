package correlator

import "github.com/event-gen/event-gen/runtime"

// list is the worth of an identity: the lower, the sooner it goes when a bound is reached. Within a list the oldest goes
// first. An identity with a write in flight is in no list.
type list uint8

const (
	idleNormal list = iota
	idleWarning
	pendingNormal
	pendingWarning
	listCount
	noList = listCount
)

func (c *Correlator) listOf(i *identity) list {
	var l list
	if i.active != 0 && c.actives.at(i.active).pending > 0 {
		l = pendingNormal
	}
	if i.def.Type == runtime.Warning {
		l++
	}
	return l
}

// enlist moves an identity to the end of the list it belongs to now.
func (c *Correlator) enlist(r ref) {
	i := c.ids.at(r)
	want := c.listOf(i)
	if i.list() == want && c.lists[want].tail == r {
		return
	}
	c.delist(r)
	l := &c.lists[want]
	i.setList(want)
	i.prev, i.nxt = l.tail, 0
	if l.tail != 0 {
		c.ids.at(l.tail).nxt = r
	} else {
		l.head = r
	}
	l.tail = r
}

func (c *Correlator) delist(r ref) {
	i := c.ids.at(r)
	if i.list() == noList {
		return
	}
	l := &c.lists[i.list()]
	if i.prev != 0 {
		c.ids.at(i.prev).nxt = i.nxt
	} else {
		l.head = i.nxt
	}
	if i.nxt != 0 {
		c.ids.at(i.nxt).prev = i.prev
	} else {
		l.tail = i.prev
	}
	i.setList(noList)
	i.prev, i.nxt = 0, 0
}
