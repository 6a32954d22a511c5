package correlator

import (
	"math"
	"time"
	"unsafe"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/notice"
)

// maxEventBytes bounds the texts of one event, so that no single one evicts many others. The API
// server takes annotations of 256 KiB in all.
const (
	maxEventBytes = 192 << 10
	usualBytes    = 16 << 10 // always fit, however small the bound is
)

// mostOfOne bounds the texts of one event to a quarter of MaxBytes.
func (c *Correlator) mostOfOne() int64 {
	return min(maxEventBytes, max(usualBytes, c.opts.MaxBytes/4))
}

// textBytes is the memory of the texts that an event would hold. Labels are left out: all together
// take at most some 4 KiB.
func textBytes(e *eventrt.Event) int64 {
	d := e.Definition()
	n := textSize(e.ReportingController()) + referenceSize(e.Regarding()) + referenceSize(e.Related()) + argsSize(e.Args())
	for _, a := range e.Annotations() {
		n += textSize(a.Key, a.Value)
	}
	return n + definitionSize(d)
}

// Sizes in memory, in bytes. An entry in a map of pointers by hash takes mapEntry. A text takes its
// length and textSpace, because the allocator rounds up.
const (
	recordBytes     = int64(unsafe.Sizeof(record{})) + mapEntry + 16 // in Correlator.all
	moreBytes       = int64(unsafe.Sizeof(more{}))
	aggregatedBytes = int64(unsafe.Sizeof(aggregated{})) + 48
	objectBytes     = int64(unsafe.Sizeof(object{})) + mapEntry
	groupBytes      = int64(unsafe.Sizeof(group{}))
	workBytes       = int64(unsafe.Sizeof(work{}))
	argBytes        = int64(unsafe.Sizeof(eventrt.Arg{}))
	annotationBytes = int64(unsafe.Sizeof(eventrt.Annotation{}))
	definitionBytes = int64(unsafe.Sizeof(eventrt.Definition{}))
	mapEntry        = 28
	distinctBytes   = 24
	textSpace       = 8
)

// textSize is the memory of texts.
func textSize(texts ...string) (n int64) {
	for _, text := range texts {
		if text != "" {
			n += int64(len(text)) + textSpace
		}
	}
	return n
}

func referenceSize(o *eventrt.ObjectRef) int64 {
	return textSize(o.APIVersion, o.Kind, o.Namespace, o.Name, o.UID, o.FieldPath, o.ResourceVersion)
}

func argsSize(args []eventrt.Arg) int64 {
	n := int64(len(args)) * argBytes
	for i := range args {
		n += textSize(args[i].Text())
	}
	return n
}

// definitionSize is the memory of a definition that was made for one event.
func definitionSize(d *eventrt.Definition) int64 {
	if !d.Forwarded || internals.IsShared(d) {
		return 0
	}
	return definitionBytes + textSize(d.Reason, d.Action, d.ReportingController)
}

// bytes is the memory that belongs to a record alone.
func (r *record) bytes() int64 {
	n := recordBytes + argsSize(r.args)
	if r.def != r.group.def {
		n += definitionSize(r.def)
	}
	m := r.more
	if m == nil {
		return n
	}
	n += moreBytes + referenceSize(&m.related) + textSize(m.fieldPath) + argsSize(m.latest) + int64(cap(m.annotations))*annotationBytes
	for _, a := range m.annotations {
		n += textSize(a.Key, a.Value)
	}
	n += int64(cap(m.labels)) * annotationBytes
	for _, l := range m.labels {
		n += textSize(l.Key, l.Value)
	}
	if f := m.aggregated; f != nil {
		n += aggregatedBytes + argsSize(f.args) + referenceSize(&f.related) + int64(len(f.distinct))*distinctBytes
		if f.def != nil {
			n += definitionSize(f.def)
		}
	}
	return n
}

// workBytes is the memory of a record's work. It counts the waiter from the start, so that waiting
// exceeds no bound.
func (r *record) workBytes() int64 {
	if r.def.Correlation.Limit == nil {
		return workBytes
	}
	return workBytes + dispatch.WaiterBytes
}

// bytes is the memory that belongs to a group alone. Most groups lie in their object.
func (g *group) bytes() int64 {
	if g == &g.object.first {
		return definitionSize(g.def)
	}
	return groupBytes + definitionSize(g.def)
}

func (o *object) bytes() int64 {
	return objectBytes + int64(len(o.namespace)+len(o.name)+len(o.uid)+len(o.kind.APIVersion)+len(o.kind.Kind))
}

// SetMaxBytes replaces Options.MaxBytes. The owner then has to call Next, which evicts the records
// beyond the new bound.
func (c *Correlator) SetMaxBytes(n int64) { c.opts.MaxBytes = n }

// held estimates the memory of the correlator's state.
func (c *Correlator) held() int64 {
	return c.bytes + c.transient + c.d.Bytes()
}

// enforceBounds evicts the least valuable records until the bounds hold again, or until it has
// evicted as many as one call may. Then Next goes on.
func (c *Correlator) enforceBounds() {
	c.shrinks = false
	for evicted := 0; len(c.all) > c.opts.MaxEvents || c.held() > c.opts.MaxBytes; evicted++ {
		r := c.leastWorth()
		if c.shrinks = r != nil && evicted == dispatch.MostAtOnce; r == nil || c.shrinks {
			return
		}
		c.evict(r)
	}
}

func (c *Correlator) evict(r *record) {
	w, s := r.work, r.group.object.sequence
	if w != nil {
		c.evicted = notice.Notice{Type: notice.Evicted, Namespace: w.Namespace(), Bound: "MaxBytes"}
		if len(c.all) > c.opts.MaxEvents {
			c.evicted.Bound = "MaxEvents"
		}
		c.lose(w, w.pending, &c.counts.Lost.Evicted)
	}
	c.remove(r)
	if w != nil {
		c.d.Resume(s)
	}
}

// tidyAfter is how long expired records may stay if nothing else happens.
const tidyAfter = time.Minute

// tidyAt returns when Next has to forget expired records, even if nothing is recorded.
func (c *Correlator) tidyAt() time.Duration {
	switch {
	case c.ended || len(c.all) == 0:
		return clock.Never
	case c.expireAt > c.now:
		return min(c.expireAt, math.MaxInt64-tidyAfter) + tidyAfter
	}
	return c.expireAt
}

// expire forgets records whose events have expired on the server: at most the given number of each
// rank.
func (c *Correlator) expire(most int) {
	c.expireAt = c.expiry(c.now)
	for _, k := range [...]rank{idleNormal, idleWarning} {
		for range most {
			if r := c.ranked[k].First(); r == nil || !c.forget(r) {
				break
			}
		}
		if r := c.ranked[k].First(); r != nil {
			c.expireAt = min(c.expireAt, c.expiry(r.wrote))
		}
	}
}

// expiry returns when an event written at the given time expires.
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
