package correlator

import (
	"strings"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// Estimated sizes in memory of the records and of their places in tables, in bytes.
const (
	identityBytes = int64(unsafe.Sizeof(identity{})) + 40
	groupBytes    = int64(unsafe.Sizeof(group{})) + 20
	objectBytes   = int64(unsafe.Sizeof(object{})) + 40
	detailBytes   = int64(unsafe.Sizeof(detail{}))
	argBytes      = int64(unsafe.Sizeof(runtime.Arg{}))
)

// objectOf finds the record of the regarding object, or makes it.
func (c *Correlator) objectOf(e *runtime.Event, hash uint64) ref {
	regarding := e.Regarding()
	for r := c.byObj[hash]; r != 0; r = c.objects.at(r).next {
		if sameObject(c.objects.at(r), regarding) {
			return r
		}
	}
	r := c.objects.alloc()
	o := c.objects.at(r)
	var text block
	text.Grow(len(regarding.Namespace) + len(regarding.Name) + len(regarding.UID))
	*o = object{
		namespace: text.keep(regarding.Namespace),
		name:      text.keep(regarding.Name),
		uid:       text.keep(regarding.UID),
		kind:      regarding.Kind,
		hash:      hash,
		next:      c.byObj[hash],
	}
	c.byObj[hash] = r
	c.bytes += o.bytes()
	return r
}

func (o *object) bytes() int64 {
	return objectBytes + int64(len(o.namespace)+len(o.name)+len(o.uid)) + kindLen(o.kind)
}

// groupOf finds the record of {object, reason, type}, or makes it. An aggregate names one controller, so that events of
// several have several groups.
func (c *Correlator) groupOf(or ref, spec *runtime.Spec) ref {
	hash := groupHash(c.objects.at(or).hash, spec) & c.hashMask
	for r := c.byGroup[hash]; r != 0; r = c.groups.at(r).next {
		if g := c.groups.at(r); g.object == or && sameGroup(g.spec, spec) {
			return r
		}
	}
	r := c.groups.alloc()
	*c.groups.at(r) = group{spec: spec, object: or, next: c.byGroup[hash], budget: never}
	c.byGroup[hash] = r
	c.bytes += groupBytes
	return r
}

// add makes an identity.
func (c *Correlator) add(gr ref, hash uint64, d *detail, e *runtime.Event, now runtime.Instant) ref {
	r := c.ids.alloc()
	i := c.ids.at(r)
	*i = identity{
		spec:     e.Spec(),
		detail:   d,
		hash:     hash,
		next:     c.byHash[hash],
		group:    gr,
		list:     noList,
		wrote:    never,
		seen:     now.Mono,
		serial:   c.nextSerial(now),
		objectRV: parseVersion(e.Regarding().ResourceVersion),
		ticket:   i.ticket + 1,
	}
	c.byHash[hash] = r
	g := c.groups.at(gr)
	g.identities++
	c.objects.at(g.object).identities++
	c.bytes += i.bytes()
	return r
}

func (i *identity) bytes() int64 {
	n := identityBytes + i.details().bytes
	if i.spec.Forwarded { // nothing bounds the number of these
		n += int64(len(i.spec.Reason) + len(i.spec.Action))
	}
	return n
}

// drop forgets an identity that is neither pending nor in flight, and what only it held.
func (c *Correlator) drop(r ref) {
	i := c.ids.at(r)
	c.due.remove(r)
	c.delist(r)
	c.unqueue(r)
	if o := c.objectFor(i); !o.busy {
		c.unpark(o) // it may have been the one whose write the others were parked for
	}
	unlink(c.byHash, i.hash, r, func(r ref) *ref { return &c.ids.at(r).next })
	c.bytes -= i.bytes()
	gr := i.group
	ticket := i.ticket
	*i = identity{ticket: ticket, list: noList}
	c.ids.release(r)
	c.dropGroup(gr, r)
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
	hash := groupHash(o.hash, g.spec) & c.hashMask
	unlink(c.byGroup, hash, gr, func(r ref) *ref { return &c.groups.at(r).next })
	*g = group{}
	c.groups.release(gr)
	c.bytes -= groupBytes
	if o.identities == 0 {
		c.dropObject(or)
	}
}

func (c *Correlator) dropObject(or ref) {
	o := c.objects.at(or)
	unlink(c.byObj, o.hash, or, func(r ref) *ref { return &c.objects.at(r).next })
	c.bytes -= o.bytes()
	*o = object{}
	c.objects.release(or)
}

// unlink takes a record out of the chain of its hash.
func unlink(table map[uint64]ref, hash uint64, r ref, next func(ref) *ref) {
	head := table[hash]
	if head == r {
		if n := *next(r); n != 0 {
			table[hash] = n
		} else {
			delete(table, hash)
		}
		return
	}
	for at := head; at != 0; at = *next(at) {
		if p := next(at); *p == r {
			*p = *next(r)
			return
		}
	}
}

// newDetail keeps what an event says beyond its spec and object; nil if that is nothing. All text is copied into one
// block, so that no large text of the caller's is held alive by a short piece of it.
func newDetail(e *runtime.Event) *detail {
	args, related, path := e.Args(), e.Related(), e.Regarding().FieldPath
	annotations := e.Annotations()
	controller := ""
	if e.Spec().Controller == "" {
		controller = e.Controller()
	}
	if len(args) == 0 && !related.Present() && path == "" && controller == "" && len(annotations) == 0 {
		return nil
	}
	var text block
	text.Grow(argsLen(args) + objectLen(related) + len(path))
	d, room := allocDetail(len(args))
	for _, a := range args {
		room = append(room, a.WithText(text.keep(a.Text())))
	}
	d.args = room
	d.related = keepObject(&text, related)
	d.fieldPath = text.keep(path)
	d.controller = controller
	d.annotations = annotations
	d.bytes = detailBytes + int64(len(args))*argBytes + int64(text.Len()) + kindLen(related.Kind) + annotationsLen(annotations)
	return d
}

// allocDetail allocates a detail and the room for its arguments at once.
func allocDetail(args int) (*detail, []runtime.Arg) {
	switch {
	case args == 0:
		return &detail{}, nil
	case args <= 2:
		d := &struct {
			detail
			room [2]runtime.Arg
		}{}
		return &d.detail, d.room[:0]
	case args <= 4:
		d := &struct {
			detail
			room [4]runtime.Arg
		}{}
		return &d.detail, d.room[:0]
	default:
		d := &struct {
			detail
			room [runtime.MaxParams]runtime.Arg
		}{}
		return &d.detail, d.room[:0]
	}
}

func keepObject(text *block, o *runtime.Object) runtime.Object {
	k := *o
	k.Namespace = text.keep(o.Namespace)
	k.Name = text.keep(o.Name)
	k.UID = text.keep(o.UID)
	k.FieldPath = text.keep(o.FieldPath)
	k.ResourceVersion = text.keep(o.ResourceVersion)
	return k
}

func objectLen(o *runtime.Object) int {
	return len(o.Namespace) + len(o.Name) + len(o.UID) + len(o.FieldPath) + len(o.ResourceVersion)
}

func kindLen(k runtime.Kind) int64 { return int64(len(k.APIVersion) + len(k.Kind)) }

func argsLen(args []runtime.Arg) int {
	n := 0
	for i := range args {
		n += len(args[i].Text())
	}
	return n
}

func annotationsLen(annotations []runtime.Annotation) int64 {
	n := 0
	for _, a := range annotations {
		n += len(a.Key) + len(a.Value)
	}
	return int64(n)
}

// block copies strings into one piece of memory of a size known beforehand.
type block struct{ strings.Builder }

func (b *block) keep(s string) string {
	if s == "" {
		return ""
	}
	start := b.Len()
	b.WriteString(s)
	return b.String()[start:]
}
