package correlator

import (
	"math"
	"reflect"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// maxEventBytes bounds the texts of one event, so that no single one sheds many others. The API
// server takes annotations of 256 KiB in all.
const (
	maxEventBytes = 192 << 10
	usualBytes    = 16 << 10 // always fit, however small the bound is
)

// mostOfOne bounds the texts of one event to a quarter of what may be held.
func (c *Correlator) mostOfOne() int64 {
	return min(maxEventBytes, max(usualBytes, c.opts.MaxBytes/4))
}

// textBytes estimates the text that an event would hold.
func textBytes(e *eventrt.Event) int {
	d, controller := e.Definition(), e.ReportingController()
	n := len(controller) + referenceBytes(e.Regarding()) + referenceBytes(e.Related())
	for _, a := range e.Annotations() {
		n += len(a.Key) + len(a.Value)
	}
	for i := range e.Args() {
		n += len(e.Args()[i].Text())
	}
	if d.Forwarded {
		n += len(d.Reason) + len(d.Action)
	}
	return n
}

func referenceBytes(o *eventrt.ObjectRef) int {
	return len(o.Name) + len(o.Namespace) + len(o.UID) + len(o.FieldPath) + len(o.ResourceVersion) + len(o.APIVersion) + len(o.Kind)
}

// Sizes in memory, in bytes, as Go's allocator gives them out. A place is that of an entry in a map
// of pointers by hash.
var (
	recordBytes     = sizeOf[record]() + int64(reflect.TypeFor[*record]().Size())*3/2
	moreBytes       = sizeOf[more]()
	foldedBytes     = sizeOf[folded]() + 48
	objectBytes     = sizeOf[object]()
	groupBytes      = sizeOf[group]()
	workBytes       = sizeOf[work]() + sizeOf[turn]() + 12
	waiterBytes     = sizeOf[waiter]() + 24
	laneBytes       = sizeOf[lane]() + 40
	argBytes        = int(reflect.TypeFor[eventrt.Arg]().Size())
	annotationBytes = int(reflect.TypeFor[eventrt.Annotation]().Size())
	definitionBytes = sizeOf[eventrt.Definition]()
)

const (
	placeBytes    = 28
	distinctBytes = 24
)

func sizeOf[T any]() int64 { return allocated(int(reflect.TypeFor[T]().Size())) }

// allocated estimates the memory that n bytes take up.
func allocated(n int) int64 {
	switch {
	case n <= 256:
		return int64(n+15) &^ 15
	case n <= 32<<10:
		return int64(n + n/16)
	}
	return int64(n+8<<10-1) &^ (8<<10 - 1)
}

// bytes is the memory of a record that is its own.
func (r *record) bytes() int64 {
	n := recordBytes + argsBytes(r.args)
	if r.def != r.group.def {
		n += definitionCost(r.def)
	}
	m := r.more
	if m == nil {
		return n
	}
	n += moreBytes + textsOf(&m.related) + allocated(len(m.fieldPath)) + argsBytes(m.latest) +
		allocated(cap(m.annotations)*annotationBytes)
	for i := range m.annotations {
		n += allocated(len(m.annotations[i].Key)) + allocated(len(m.annotations[i].Value))
	}
	if f := m.folded; f != nil {
		n += foldedBytes + argsBytes(f.args) + textsOf(&f.related) + int64(len(f.distinct))*distinctBytes
		if f.def != nil {
			n += definitionCost(f.def)
		}
	}
	return n
}

// workBytes is the memory of a record's work. That of its waiter counts from the start, so that
// waiting exceeds no bound.
func (r *record) workBytes() int64 {
	if r.def.Correlation.Limit == nil {
		return workBytes
	}
	return workBytes + waiterBytes
}

func argsBytes(args []eventrt.Arg) int64 {
	text := 0
	for i := range args {
		text += len(args[i].Text())
	}
	return allocated(len(args)*argBytes) + allocated(text)
}

func textsOf(o *eventrt.ObjectRef) (n int64) {
	for _, text := range [...]string{o.APIVersion, o.Kind, o.Namespace, o.Name, o.UID, o.FieldPath, o.ResourceVersion} {
		n += allocated(len(text))
	}
	return n
}

// definitionCost is the memory of a definition that was made for one event.
func definitionCost(d *eventrt.Definition) int64 {
	if !d.Forwarded || d.Shared {
		return 0
	}
	return definitionBytes + allocated(len(d.Reason)) + allocated(len(d.Action)) + allocated(len(d.ReportingController))
}

// bytes is the memory of a group that is its own: most lie in their object.
func (g *group) bytes() int64 {
	if g == &g.object.first {
		return definitionCost(g.def)
	}
	return groupBytes + definitionCost(g.def)
}

func (o *object) bytes() int64 {
	n := objectBytes + allocated(len(o.namespace)+len(o.name)+len(o.uid))
	if kind := len(o.kind.APIVersion) + len(o.kind.Kind); kind > longestShared {
		n += allocated(kind)
	}
	return n
}

// held estimates the memory of everything that is held.
func (c *Correlator) held() int64 {
	return c.bytes + c.transient + int64(c.records.peak+c.objects.peak)*placeBytes
}

// enforceBounds sheds the least valuable records until the bounds hold again: acknowledged before
// pending, Normal before Warning, oldest first. Occurrences of a write in flight stay.
func (c *Correlator) enforceBounds() {
	for len(c.all) > c.opts.MaxEvents || c.held() > c.opts.MaxBytes {
		r := c.leastWorth()
		if r == nil {
			return
		}
		c.shed(r)
	}
}

func (c *Correlator) leastWorth() *record {
	for k := range c.ranked {
		if r := c.ranked[k].first(); r != nil {
			return r
		}
	}
	return nil
}

func (c *Correlator) shed(r *record) {
	if w := r.work; w != nil {
		t := w.turn
		c.lose(w, w.pending, &c.counts.Lost.Shed)
		c.endStepAside(w)
		c.disarm(w)
		c.stopWaiting(w)
		c.unqueue(w)
		w.order.leave()
		if !t.busy {
			c.resumeObject(t)
		}
	}
	c.remove(r)
}

// tidyAfter is the time for which what has expired may stay if nothing else happens.
const tidyAfter = time.Minute

// tidyAt returns when Next has to forget what has expired, even if nothing is recorded.
func (c *Correlator) tidyAt() time.Duration {
	switch {
	case c.ended || len(c.all) == 0:
		return Never
	case c.expireAt > c.now:
		return min(c.expireAt, math.MaxInt64-tidyAfter) + tidyAfter
	}
	return c.expireAt
}

// expire forgets records whose events have expired on the server, at most the given number of each
// rank.
func (c *Correlator) expire(most int) {
	c.expireAt = c.expiry(c.now)
	for _, k := range [...]rank{idleNormal, idleWarning} {
		for range most {
			if r := c.ranked[k].first(); r == nil || !c.forget(r) {
				break
			}
		}
		if r := c.ranked[k].first(); r != nil {
			c.expireAt = min(c.expireAt, c.expiry(r.wrote))
		}
	}
}

// expiry returns when an event written at the given time has expired.
func (c *Correlator) expiry(wrote time.Duration) time.Duration {
	return min(wrote, math.MaxInt64-c.opts.EventTTL-1) + c.opts.EventTTL + 1
}

// forget drops a record whose event has expired on the server, and reports whether it did.
func (c *Correlator) forget(r *record) bool {
	expired := c.expired(r)
	if expired {
		c.remove(r)
	}
	return expired
}

func (c *Correlator) expired(r *record) bool {
	return r.work == nil && c.now-r.wrote > c.opts.EventTTL
}
