package correlator

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// render fills in the write of a record. It sets every field.
func (c *Correlator) render(w *work, to *sink.Write) {
	r, o, m := w.record, w.group.object, w.extra()
	to.Ticket = w.Ticket()
	to.Operation = [...]sink.Operation{absent: sink.Create, taken: sink.Read, unsure: sink.Read, present: sink.Update}[r.presence]
	to.ResourceVersion, to.Mark = 0, r.mark
	if r.presence == present {
		to.ResourceVersion = r.version
	}
	b := c.appendEventName(c.scratch[:0], r)
	name := len(b)
	b = appendVersion(b, w.objectRV)
	version := len(b)
	b = c.appendWriterKey(b, r)
	key := len(b)
	c.scratch = strconv.AppendUint(b, uint64(w.count), 10)
	texts := string(c.scratch)
	to.Namespace, to.Name = w.Namespace(), texts[:name]
	to.Type, to.Reason, to.Action = r.def.Type, r.def.Reason, internals.StoredAction(r.def)
	to.ReportingController, to.ReportingInstance = r.group.reporter.controller, r.group.reporter.instance
	to.Count = int32(min(uint64(w.count)+uint64(w.base), math.MaxInt32))
	to.First, to.Last = time.Unix(0, min(r.last, first(w))), time.Unix(0, r.last)
	to.Joins, to.Dropped = to.Operation == sink.Update && w.read.joins != 0, append(to.Dropped[:0], w.read.dropped...)
	to.Aggregate = m.aggregated != nil
	to.LatestNote = r.def.Correlation.LatestNote && !to.Aggregate
	to.Related = m.related.Reference()
	to.HasRelated = m.related.Present()
	args := r.args
	if m.latest != nil {
		args = m.latest
	}
	regarding := eventrt.ObjectRef{
		APIVersion: o.kind.APIVersion, Kind: o.kind.Kind, Namespace: o.namespace, Name: o.name, UID: o.uid,
		FieldPath: cmp.Or(m.fieldPath, internals.FieldPath(r.def, args)), ResourceVersion: texts[name:version],
	}
	to.Regarding = regarding.Reference()
	to.Annotations = to.Annotations[:0]
	to.Labels = to.Labels[:0]
	if to.Operation == sink.Create {
		to.Labels = appendLabels(to.Labels, r.def, m)
	}
	if to.Operation == sink.Create || to.Aggregate {
		to.Annotations = appendAnnotations(to.Annotations, r.def, m, args, &regarding)
	}
	if c.writer.Identity != Unique && to.Operation != sink.Read {
		to.Annotations = setAnnotation(to.Annotations, texts[version:key], texts[key:])
	}
	if m.aggregated == nil {
		to.Note = internals.AppendMessage(to.Note[:0], r.def, &regarding, &m.related, args)
		return
	}
	to.Note = appendAggregated(append(to.Note[:0], eventrt.AggregatePrefix...), m.aggregated, &regarding)
}

// appendAggregated appends the message of the latest aggregated occurrence.
func appendAggregated(b []byte, f *aggregated, regarding *eventrt.ObjectRef) []byte {
	return internals.AppendMessage(b, f.def, regarding, &f.related, f.args)
}

// first returns the time of the first occurrence that the event stands for. If the event is created
// anew after it has expired, first returns the time at which the record was made.
func first(w *work) int64 {
	at := int64(w.serial)
	if uint64(w.count) == w.pending {
		at = w.first
	}
	if w.read.joins != 0 {
		at = min(at, w.read.joins)
	}
	return at
}

func appendAnnotations(list []eventrt.Annotation, def *eventrt.Definition, m *more, args []eventrt.Arg, regarding *eventrt.ObjectRef) []eventrt.Annotation {
	list = append(list, m.annotations...)
	for _, a := range def.Annotations {
		list = setAnnotation(list, a.Key, string(internals.AppendAnnotation(nil, def, a.Value, regarding, &m.related, args)))
	}
	if m.aggregated != nil {
		list = setAnnotation(list, sink.DistinctMessagesAnnotation, distinctMessages(m.aggregated))
		list = setAnnotation(list, sink.LastMessageAnnotation, string(appendAggregated(nil, m.aggregated, regarding)))
	}
	return list
}

// appendLabels appends the labels of an event that is created.
func appendLabels(list []eventrt.Annotation, def *eventrt.Definition, m *more) []eventrt.Annotation {
	if m.labels != nil {
		return append(list, m.labels...)
	}
	for i := range def.Labels {
		if l := &def.Labels[i]; l.Value != nil {
			list = setAnnotation(list, l.Key, l.Value[0].Text)
		}
	}
	return list
}

func distinctMessages(f *aggregated) string {
	n := strconv.Itoa(len(f.distinct))
	if len(f.distinct) >= maxDistinct {
		n += "+"
	}
	return n
}

// setAnnotation sets a key in a list sorted by key.
func setAnnotation(list []eventrt.Annotation, key, value string) []eventrt.Annotation {
	at, found := slices.BinarySearchFunc(list, key, func(a eventrt.Annotation, key string) int { return cmp.Compare(a.Key, key) })
	if !found {
		list = slices.Insert(list, at, eventrt.Annotation{Key: key})
	}
	list[at].Value = value
	return list
}

// parseVersion reads a resource version, a decimal integer (apimachinery pkg/util/resourceversion).
// It returns 0 for anything else; 0 means no version.
func parseVersion(s string) uint64 {
	v, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0
	}
	return v
}

// appendVersion is the reverse of parseVersion; it appends nothing for 0.
func appendVersion(b []byte, v uint64) []byte {
	if v == 0 {
		return b
	}
	return strconv.AppendUint(b, v, 10)
}
