package correlator

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime/correlator/internal/dispatch"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Several writers may write one event: processes after each other, or two at once, and late
// requests of a process that is gone. Each writer keeps the count of its own occurrences in an
// annotation of its own. A writer that reads the event thus knows the others' part of the count
// (base). A write holds base + count under the resource version that was read. After a taken name,
// a conflict or a lost answer the correlator therefore sends a Read, to learn what is stored.

// maxWriters is the number of writers' annotations that an event keeps.
const maxWriters = 32

// appendWriterKey appends the key of the annotation in which this correlator keeps the count of a
// record. An event that was forgotten and is recorded again has another key. Keys sort by the age
// of their writers. Their order shows which annotations are summed up first, and which may have
// been summed up already.
func (c *Correlator) appendWriterKey(b []byte, r *record) []byte {
	var number [8]byte
	binary.BigEndian.PutUint64(number[:], c.writer.Tag)
	b = nameEncoding.AppendEncode(append(b, sink.WriterAnnotation...), number[:])
	if r.era == 0 {
		return b
	}
	binary.BigEndian.PutUint32(number[:4], r.era)
	return nameEncoding.AppendEncode(append(b, '-'), number[:4])
}

// WriterKey returns the key of the annotation in which this correlator keeps its counts. Events
// that were forgotten and are recorded again have keys that begin with it.
func (c *Correlator) WriterKey() string { return string(c.appendWriterKey(nil, &record{})) }

// readAnswered moves a record to its next state after the answer to a Read.
func (c *Correlator) readAnswered(w *work, r reaction, a *sink.Answer, kept bool) {
	isDone := a.Outcome == sink.Done
	switch {
	case kept && (w.presence == unsure || a.Outcome != sink.Forbidden), a.Outcome == sink.Retry, a.Outcome == sink.Gone:
		if r.event == isGone {
			w.gone()
		}
		c.counts.Retries++
		c.d.Again(&w.Item, r.pause, a)
		return
	case isDone && a.Stored == nil && c.writer.Identity == Unique:
		// it is ours; the sink can't tell more
		w.presence, w.version = present, a.ResourceVersion
	case isDone && a.Stored != nil && c.isOurs(w.record, a.Stored):
		c.join(w, a)
	default: // another writer's, or unknown
		if a.Stored == nil || w.presence == unsure {
			c.unacknowledge(w)
		}
		c.nextName(w, a.Invalid)
		c.d.Again(&w.Item, dispatch.Promptly, a)
		return
	}
	if w.pending == 0 {
		c.writeEnds(w)
		return
	}
	c.d.Due(&w.Item, c.now)
}

// join splits the stored count into this record's part and the other writers' part.
func (c *Correlator) join(w *work, a *sink.Answer) {
	r, e := w.record, a.Stored
	total, keys, key := storedCount(e), writerKeys(e), string(c.appendWriterKey(nil, w.record))
	mine, known := total, true
	if c.writer.Identity != Unique {
		mine, known = parseCount(e.Annotations[key])
	}
	if known {
		c.foundMine(w, mine, total)
	} else {
		c.foundOthers(w, e.UID, total, isSummed(keys, key))
	}
	if r.presence == taken {
		w.unanswered = 0 // no create can arrive any more
	}
	r.presence, r.version, r.mark, w.read.uid = present, a.ResourceVersion, a.Mark, e.UID
	if c.writer.Identity == Unique {
		return
	}
	first, last := storedTimes(e)
	r.last = max(r.last, last.UnixNano())
	w.read.joins = max(first.UnixNano(), 1)
	keys = slices.DeleteFunc(keys, func(k string) bool { return k == key })
	w.read.dropped = keys[:max(0, len(keys)-(maxWriters-1))]
}

// foundMine notes that a Read has found this record's own count.
func (c *Correlator) foundMine(w *work, mine, total uint64) {
	n := w.ledger.found(mine, total)
	switch {
	case n > 0 && w.presence == taken:
		c.counts.Creates++
	case n > 0:
		c.counts.Updates++
	}
	c.counts.Written += n
	c.counts.Pending -= n
	w.since = c.now
}

// foundOthers notes that a Read has found no count of this record. If the event was created anew,
// or the count was summed up, occurrences that were stored before may be in another writer's base.
func (c *Correlator) foundOthers(w *work, uid types.UID, total uint64, isSummed bool) {
	if isSummed || w.unansweredGone && (w.acknowledged() > 0 || uid != w.read.uid) {
		w.mayBeStored()
		c.unacknowledge(w)
	}
	w.ledger.foundOthers(total)
}

// isSummed reports whether a writer's missing annotation may have been stored before. It may if the
// event has no such annotation at all, because an admission may remove all of them, or if the event
// has as many later ones as it keeps.
func isSummed(keys []string, key string) bool {
	return len(keys) == 0 || len(keys) >= maxWriters && key < keys[0]
}

// writerKeys returns the keys of an event's writers, the oldest first.
func writerKeys(e *corev1.Event) (keys []string) {
	for key := range e.Annotations {
		if strings.HasPrefix(key, sink.WriterAnnotation) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

func parseCount(s string) (n uint64, ok bool) {
	n, err := strconv.ParseUint(s, 10, 32)
	return n, err == nil
}

// storedCount returns how many occurrences a stored event stands for. If it has a count and a
// series, kubectl shows the series.
func storedCount(e *corev1.Event) uint64 {
	if e.Series != nil {
		return uint64(max(e.Series.Count, 1))
	}
	return uint64(max(e.Count, 1))
}

// storedTimes returns the times of the first and the last occurrence of a stored event.
func storedTimes(e *corev1.Event) (first, last time.Time) {
	first, last = e.FirstTimestamp.Time, e.LastTimestamp.Time
	if !e.EventTime.IsZero() {
		first, last = e.EventTime.Time, e.EventTime.Time
	}
	if e.Series != nil {
		last = e.Series.LastObservedTime.Time
	}
	return first, last
}

// isOurs reports whether a stored event belongs to a record, and not to another event of the same
// name. An event that holds the record's count belongs to it, whatever else admission has changed.
func (c *Correlator) isOurs(r *record, e *corev1.Event) bool {
	if e.Annotations[string(c.appendWriterKey(nil, r))] != "" {
		return true
	}
	o, reporter, regarding := r.group.object, r.group.reporter, &e.InvolvedObject
	return regarding.Name == o.name && string(regarding.UID) == o.uid && regarding.Namespace == o.namespace && regarding.Kind == o.kind.Kind &&
		(o.uid != "" || sameGroupVersion(regarding.APIVersion, o.kind.APIVersion)) &&
		sameText(e.Reason, r.def.Reason) && e.Type == r.def.Type &&
		(r.extra().aggregated != nil || sameText(e.Action, internals.StoredAction(r.def))) &&
		(c.writer.Identity == Unique || sameText(e.ReportingController, reporter.controller)) &&
		(c.writer.Identity != Instance || sameText(e.ReportingInstance, reporter.instance))
}

// sameText compares a stored text with our own, which may not have been valid UTF-8.
func sameText(stored, ours string) bool { return stored == strings.ToValidUTF8(ours, "\uFFFD") }

// nextName gives a record another name, because somebody else's event has the current one, or the
// server takes no updates of the record's event. The event of the new name counts pending
// occurrences only. If the event can't be updated by anybody (invalid), all its writers share
// generation 1 of its name. Each further name is this correlator's own, and is used once: a
// restarted process would have to try all names of a row.
func (c *Correlator) nextName(w *work, invalid bool) {
	r := w.record
	if invalid && !r.tagged && r.generation == 0 {
		r.generation = 1
	} else {
		r.tagged = true
	}
	r.presence, r.version, r.mark = absent, 0, 0
	w.read.joins, w.read.dropped = 0, nil
	w.renew()
	r.serial = c.nextSerial()
	r.name = c.nameHash(r)
}
