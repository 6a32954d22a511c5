package correlator

import (
	"strings"
	"unsafe"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// Estimated sizes in memory of the records and of their places in tables, in bytes.
const (
	identityBytes = int64(unsafe.Sizeof(identity{})) + placeBytes*3/2
	activeBytes   = int64(unsafe.Sizeof(active{})) + int64(unsafe.Sizeof(heapEntry{}))
	groupBytes    = int64(unsafe.Sizeof(group{}))
	objectBytes   = int64(unsafe.Sizeof(object{})) + placeBytes*3/2
	longBytes     = int64(unsafe.Sizeof([]byte(nil)))
	activityBytes = int64(unsafe.Sizeof(activity{}))
	scopeBytes    = int64(unsafe.Sizeof(scope{})+unsafe.Sizeof(scopeKey{})) + 32
)

// findObject finds the record of a regarding object; 0 if there is none.
func (c *Correlator) findObject(hash uint32, regarding *runtime.ObjectRef) ref {
	at, r := c.byObject.first(hash)
	for r != 0 && !c.sameObject(c.objects.at(r), regarding) {
		at, r = c.byObject.next(hash, at)
	}
	return r
}

func (c *Correlator) newObject(regarding *runtime.ObjectRef, hash uint32) ref {
	r := c.objects.alloc()
	o := c.objects.at(r)
	*o = object{hash: hash, scope: c.shareScope(regarding)}
	o.setText(regarding)
	c.byObject.insert(hash, r)
	c.bytes += o.bytes()
	return r
}

// scopeOf is what an object shares with others.
func (c *Correlator) scopeOf(o *object) *scope { return *c.scopes.at(o.scope) }

// shareScope finds what the object shares with others, or makes it.
func (c *Correlator) shareScope(regarding *runtime.ObjectRef) ref {
	key := scopeKey{namespace: regarding.Namespace, kind: regarding.TypeMeta()}
	r := c.lastScope
	if r == 0 || (*c.scopes.at(r)).key() != key {
		r = c.byScope[key]
	}
	if r == 0 {
		r = c.newScope(key)
	}
	(*c.scopes.at(r)).objects++
	c.lastScope = r
	return r
}

func (c *Correlator) newScope(key scopeKey) ref {
	s := &scope{
		namespace: strings.Clone(key.namespace),
		kind:      metav1.TypeMeta{APIVersion: strings.Clone(key.kind.APIVersion), Kind: strings.Clone(key.kind.Kind)},
	}
	r := c.scopes.alloc()
	*c.scopes.at(r) = s
	c.byScope[s.key()] = r
	c.bytes += s.bytes()
	return r
}

// leaveScope forgets a scope with its last object.
func (c *Correlator) leaveScope(r ref) {
	s := *c.scopes.at(r)
	s.objects--
	if s.objects > 0 {
		return
	}
	delete(c.byScope, s.key())
	*c.scopes.at(r) = nil
	c.scopes.release(r)
	c.lastScope = 0
	c.bytes -= s.bytes()
}

func (s *scope) key() scopeKey { return scopeKey{namespace: s.namespace, kind: s.kind} }

func (s *scope) bytes() int64 {
	return scopeBytes + int64(len(s.namespace)+len(s.kind.APIVersion)+len(s.kind.Kind))
}

// make makes an identity, idle and with nothing recorded.
func (c *Correlator) make(gr ref, hash uint32, d detail, e *runtime.Event, now runtime.Instant) ref {
	r := c.ids.alloc()
	i := c.ids.at(r)
	*i = identity{
		def:    e.Definition(),
		serial: c.nextSerial(now),
		detail: d,
		hash:   hash,
		group:  gr,
		object: c.groups.at(gr).object,
		flags:  flags(noList) << listShift,
		ticket: i.ticket + 1,
	}
	c.byHash.insert(hash, r)
	c.groups.at(gr).identities++
	c.objectFor(i).identities++
	c.bytes += i.bytes()
	return r
}

func (i *identity) bytes() int64 {
	n := identityBytes + i.detail.bytes()
	if i.def.Forwarded { // nothing bounds the number of these
		n += int64(len(i.def.Reason) + len(i.def.Action))
	}
	return n
}

// activate gives an identity what it needs while something of it is pending.
func (c *Correlator) activate(r ref) *active {
	i := c.ids.at(r)
	if i.active != 0 {
		return c.actives.at(i.active)
	}
	i.active = c.actives.alloc()
	a := c.actives.at(i.active)
	*a = active{}
	o := c.objectFor(i)
	if o.activity == 0 {
		o.activity = c.activities.alloc()
		*c.activities.at(o.activity) = activity{}
		c.bytes += activityBytes
	}
	c.activities.at(o.activity).actives++
	c.bytes += activeBytes
	return a
}

// rest takes back what an identity needs no more. It is neither pending, in flight nor in a queue.
func (c *Correlator) rest(r ref) {
	i := c.ids.at(r)
	if i.active == 0 {
		return
	}
	c.due.remove(i.active)
	c.actives.release(i.active)
	i.active = 0
	c.bytes -= activeBytes
	o := c.objectFor(i)
	act := c.activities.at(o.activity)
	act.actives--
	if act.actives == 0 {
		c.activities.release(o.activity)
		o.activity = 0
		c.bytes -= activityBytes
	}
}

func (c *Correlator) activeOf(r ref) *active { return c.actives.at(c.ids.at(r).active) }

func (c *Correlator) activityOf(i *identity) *activity {
	return c.activities.at(c.objectFor(i).activity)
}

// drop forgets an identity that has nothing pending and no write in flight, and what only it held.
func (c *Correlator) drop(r ref) {
	i := c.ids.at(r)
	c.delist(r)
	c.leave(r)
	c.byHash.remove(i.hash, r)
	c.bytes -= i.bytes()
	gr := i.group
	*i = identity{ticket: i.ticket, flags: flags(noList) << listShift}
	c.ids.release(r)
	c.dropGroup(gr, r)
}

// leave takes an identity out of its queue and lets others of the object that waited for it go on.
func (c *Correlator) leave(r ref) {
	i := c.ids.at(r)
	if i.active == 0 {
		return
	}
	c.unqueue(r)
	if act := c.activityOf(i); !act.busy {
		c.unpark(act)
	}
	c.rest(r)
}

func (c *Correlator) dropGroup(gr, identity ref) {
	g := c.groups.at(gr)
	o := c.objects.at(g.object)
	o.identities--
	g.identities--
	if g.aggregate == identity {
		g.aggregate = 0
	}
	if g.identities > 0 {
		return
	}
	or := g.object
	c.removeGroup(gr)
	if o.identities == 0 {
		c.dropObject(or)
	}
}

func (c *Correlator) dropObject(or ref) {
	o := c.objects.at(or)
	c.byObject.remove(o.hash, or)
	c.bytes -= o.bytes()
	c.leaveScope(o.scope)
	*o = object{}
	c.objects.release(or)
}
