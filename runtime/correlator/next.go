package correlator

import (
	"cmp"
	"math"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Next fills w with the write that is due, if one is, and reports whether it did. Each write handed out must be answered
// by Done. What w held is overwritten; the room of its slices is used again.
func (c *Correlator) Next(now runtime.Instant, w *runtime.Write) bool {
	for {
		r, key, ok := c.due.min()
		if !ok || key > int64(now.Mono) {
			return false
		}
		i := c.ids.at(r)
		c.due.remove(i.active)
		act := c.activityOf(i)
		switch {
		case act.busy:
			c.park(r)
		case !i.is(created) && c.refusals.active(c.eventNamespace(i), now.Mono):
			c.refuseHere(r, now)
		default:
			c.begin(r, now)
			c.fill(r, w)
			return true
		}
	}
}

// refuseHere refuses what would be refused, without a call.
func (c *Correlator) refuseHere(r ref, now runtime.Instant) {
	i := c.ids.at(r)
	if !i.is(written) {
		i.wrote = now.Mono // no write, but from here on its age counts
	}
	c.unpark(c.activityOf(i))
	c.refuse(r, c.activeOf(r).pending, now)
	c.calm(r)
}

// begin marks a write as being in flight.
func (c *Correlator) begin(r ref, now runtime.Instant) {
	i := c.ids.at(r)
	a := c.actives.at(i.active)
	c.activityOf(i).busy = true
	c.delist(r)
	i.set(written)
	a.set(inFlight)
	a.carried = a.pending
	i.wrote = now.Mono
	c.counts.InFlight++
}

// fill renders the write of an identity. It sets every field: making a Write and copying it would cost a tenth of a repeat.
func (c *Correlator) fill(r ref, w *runtime.Write) {
	i := c.ids.at(r)
	o, a := c.objectFor(i), c.actives.at(i.active)
	s, m := c.scopeOf(o), i.rest()
	w.Operation, w.ResourceVersion = runtime.Create, 0
	if i.is(created) {
		w.Operation = runtime.Update
		if !i.is(unversioned) {
			w.ResourceVersion = i.version
		}
	}
	made := c.texts(i, o, a, w)
	w.Namespace, w.Name = s.eventNamespace(), made.name
	w.Type, w.Reason, w.Action = i.def.Type, i.def.Reason, i.def.Action
	w.ReportingController = c.controller(i)
	w.ReportingInstance = c.instance(w.ReportingController)
	w.Count = int32(min(i.count, math.MaxInt32))
	w.First, w.Last = time.Unix(0, min(i.last, c.first(i, a))), time.Unix(0, i.last)
	w.Mark = i.mark
	w.Ticket = runtime.Ticket{Identity: uint32(r), Generation: uint32(i.ticket), Carried: a.carried}
	regarding := runtime.ObjectRef{
		Namespace:       s.namespace,
		Name:            made.object,
		UID:             made.uid,
		FieldPath:       m.fieldPath,
		ResourceVersion: made.version,
		APIVersion:      s.kind.APIVersion, Kind: s.kind.Kind,
	}
	args := i.unpack(i.def, &c.args)
	w.Regarding = regarding.Reference()
	if path := runtime.FieldPath(i.def, args); path != "" {
		w.Regarding.FieldPath = path
	}
	if w.HasRelated = m.related.Present(); w.HasRelated {
		w.Related = m.related.Reference()
	}
	w.Annotations = c.appendAnnotations(w.Annotations[:0], i.def, m, args, &regarding, w)
	w.Note = c.appendNote(w.Note[:0], i.def, m, args, &regarding)
}

// texts are the strings that are made for each write, as keeping them would take memory: the event's name, and the name, UID
// and resource version of its object.
type texts struct{ name, object, uid, version string }

// texts share one allocation, and take those of w where it held the same event. An object whose name begins that of the event
// shares that, too.
func (c *Correlator) texts(i *identity, o *object, a *active, w *runtime.Write) texts {
	b := appendEventName(c.scratch[:0], o, c.scopeOf(o).kind.Kind, i.serial, c.opts.Tag)
	name := len(b)
	b = appendVersion(b, a.objectRV)
	version := len(b)
	if o.is(packed) {
		b = appendUID(b, o.uid())
	} else {
		b = append(b, o.uid()...)
	}
	uid := len(b)
	if !o.is(named) {
		b = append(b, o.name()...)
	}
	c.scratch = b
	held := texts{name: w.Name, object: w.Regarding.Name, uid: string(w.Regarding.UID), version: w.Regarding.ResourceVersion}
	if string(b[:name]) == held.name && string(b[name:version]) == held.version && string(b[version:uid]) == held.uid && string(o.name()) == held.object {
		return held
	}
	all := string(b)
	made := texts{name: all[:name], version: all[name:version], uid: all[version:uid], object: all[uid:]}
	if o.is(named) {
		made.object = all[:o.nameLen]
	}
	return made
}

// first is the time of the first occurrence that the event stands for; for one that is made anew after it has expired, when
// the identity was made.
func (c *Correlator) first(i *identity, a *active) int64 {
	if uint64(i.count) == a.pending {
		return a.first
	}
	return int64(i.serial)
}

func (c *Correlator) controller(i *identity) string {
	return cmp.Or(i.def.ReportingController, i.rest().controller, c.opts.ReportingController)
}

func (c *Correlator) appendNote(b []byte, def *runtime.Definition, m *more, args []runtime.Arg, regarding *runtime.ObjectRef) []byte {
	if m.folded == nil {
		return runtime.AppendMessage(b, def, regarding, &m.related, args)
	}
	return m.folded.appendMessage(append(b, runtime.AggregatePrefix...), regarding, &c.args)
}

// appendMessage appends the message of the latest that has folded. It uses room for its arguments.
func (f *folded) appendMessage(b []byte, regarding *runtime.ObjectRef, room *[runtime.MaxParams]runtime.Arg) []byte {
	return runtime.AppendMessage(b, f.def, regarding, &f.latest.rest().related, f.latest.unpack(f.def, room))
}

func (c *Correlator) appendAnnotations(list []runtime.Annotation, def *runtime.Definition, m *more, args []runtime.Arg, regarding *runtime.ObjectRef, w *runtime.Write) []runtime.Annotation {
	w.Aggregate = m.folded != nil
	if w.Operation == runtime.Update && !w.Aggregate {
		return list
	}
	list = append(list, m.annotations...)
	for _, a := range def.Annotations {
		value := runtime.AppendAnnotation(nil, def, a.Value, regarding, &m.related, args)
		list = setAnnotation(list, a.Key, string(value))
	}
	if w.Aggregate {
		list = setAnnotation(list, DistinctMessagesAnnotation, m.folded.count())
		list = setAnnotation(list, LastMessageAnnotation, string(m.folded.appendMessage(nil, regarding, &c.args)))
	}
	return list
}

// setAnnotation sets a key in a list sorted by key.
func setAnnotation(list []runtime.Annotation, key, value string) []runtime.Annotation {
	at := 0
	for at < len(list) && list[at].Key < key {
		at++
	}
	if at < len(list) && list[at].Key == key {
		list[at].Value = value
		return list
	}
	list = append(list, runtime.Annotation{})
	copy(list[at+1:], list[at:])
	list[at] = runtime.Annotation{Key: key, Value: value}
	return list
}
