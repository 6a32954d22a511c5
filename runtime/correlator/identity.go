package correlator

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
	"github.com/event-gen/event-gen/runtime/internal/kinds"
	"github.com/event-gen/event-gen/runtime/internal/notice"
)

// Records are found by hash and compared field by field: joined keys would take "Ab"+"c" for
// "A"+"bc". Resource versions, annotations and labels are left out.

var seed = maphash.MakeSeed()

// referenceKey holds the fields that sameObject and sameReference compare, except the field path.
type referenceKey struct{ namespace, kind, name, which string }

func referenceHash(o *eventrt.ObjectRef) uint64 {
	which := o.UID
	if which == "" {
		which = kinds.GroupOf(o.APIVersion)
	}
	return maphash.Comparable(seed, referenceKey{o.Namespace, o.Kind, o.Name, which})
}

// identityHash covers the fields that find compares. Of a template it covers the ends.
func (c *Correlator) identityHash(object uint64, controller string, e *eventrt.Event) uint64 {
	def := e.Definition()
	var begins, ends eventrt.Segment
	if n := len(def.Message); n > 0 {
		begins, ends = def.Message[0], def.Message[n-1]
	}
	h := maphash.Comparable(seed, struct {
		object                               uint64
		reason, action, eventType, path, ctl string
		begins, ends                         eventrt.Segment
	}{object, def.Reason, internals.StoredAction(def), def.Type, e.Regarding().FieldPath, controller, begins, ends})
	if r := e.Related(); r.Present() {
		h = maphash.Comparable(seed, struct {
			before, related uint64
			path            string
		}{h, referenceHash(r), r.FieldPath})
	}
	args := e.Args()
	for n := range args {
		if def.Correlation.Merged&(1<<n) == 0 {
			h = maphash.Comparable(seed, struct {
				before uint64
				arg    eventrt.Arg
			}{h, args[n]})
		}
	}
	return h & c.hashMask
}

// find makes an event the current one, and returns its object and its record; nil if there is none.
func (c *Correlator) find(e *eventrt.Event) (*object, *record) {
	c.objectHash = referenceHash(e.Regarding()) & c.hashMask
	controller := cmp.Or(e.ReportingController(), c.writer.ReportingController)
	c.hash = c.identityHash(c.objectHash, controller, e)
	for r := c.records.First(c.hash); r != nil; r = r.next {
		if sameDefinition(r.def, e.Definition()) && sameObject(r.group.object, e.Regarding()) && r.group.reporter.controller == controller && r.matches(e) {
			return r.group.object, r
		}
	}
	return c.findObject(e.Regarding()), nil
}

func (c *Correlator) findObject(ref *eventrt.ObjectRef) *object {
	o := c.objects.First(c.objectHash)
	for o != nil && !sameObject(o, ref) {
		o = o.next
	}
	return o
}

// sameObject ignores the API version if there is a UID, because one object can be seen in several
// groups and versions. It also compares namespace, kind and name, because callers that make
// references themselves may give one UID to several objects.
func sameObject(o *object, e *eventrt.ObjectRef) bool {
	return o.name == e.Name && o.uid == e.UID && o.namespace == e.Namespace && o.kind.Kind == e.Kind &&
		(e.UID != "" || sameGroupVersion(o.kind.APIVersion, e.APIVersion))
}

func sameGroupVersion(a, b string) bool { return a == b || kinds.GroupOf(a) == kinds.GroupOf(b) }

func sameReference(a, b *eventrt.ObjectRef) bool {
	if !a.Present() || !b.Present() {
		return a.Present() == b.Present()
	}
	return a.FieldPath == b.FieldPath && a.UID == b.UID && a.Name == b.Name && a.Namespace == b.Namespace && a.Kind == b.Kind &&
		(a.UID != "" || sameGroupVersion(a.APIVersion, b.APIVersion))
}

// sameDefinition compares definitions by content. It leaves out the reporting controller, because a
// recorder may name another.
func sameDefinition(a, b *eventrt.Definition) bool {
	return a == b || a.Reason == b.Reason && internals.StoredAction(a) == internals.StoredAction(b) && a.Type == b.Type && sameTemplate(a, b)
}

// sameTemplate compares the fixed texts of a message, and which params are part of the identity.
func sameTemplate(a, b *eventrt.Definition) bool {
	return a.Correlation.Merged == b.Correlation.Merged && a.RelatedPrefix == b.RelatedPrefix &&
		a.FieldPath == b.FieldPath && (a.FieldPath == "" || a.FieldPathParam == b.FieldPathParam) && slices.Equal(a.Message, b.Message) &&
		slices.EqualFunc(a.Params, b.Params, func(a, b eventrt.Param) bool { return a.Prefix == b.Prefix })
}

// matches reports whether e is an occurrence of the record. The caller has compared object,
// controller and definition.
func (r *record) matches(e *eventrt.Event) bool {
	m := r.extra()
	return sameArgs(r.args, e.Args(), r.def.Correlation.Merged) && m.aggregated == nil && m.fieldPath == e.Regarding().FieldPath &&
		sameReference(&m.related, e.Related())
}

// sameArgs leaves out the arguments whose bit is set in except.
func sameArgs(a, b []eventrt.Arg, except uint8) bool {
	if len(a) != len(b) {
		return false
	}
	for n := range a {
		if except&(1<<n) == 0 && a[n] != b[n] {
			return false
		}
	}
	return true
}

// addObject adds the object of the current event. It copies the object's texts into one piece of
// memory.
func (c *Correlator) addObject(e *eventrt.Event) *object {
	ref, def := e.Regarding(), e.Definition()
	o := &object{kind: def.Regarding, hash: c.objectHash}
	texts := []string{ref.Namespace, ref.Name, ref.UID, ref.APIVersion, ref.Kind}
	copies := []*string{&o.namespace, &o.name, &o.uid, &o.kind.APIVersion, &o.kind.Kind}
	if !def.Forwarded && def.Regarding == (metav1.TypeMeta{APIVersion: ref.APIVersion, Kind: ref.Kind}) {
		texts = texts[:3] // the kind's are the definition's
	}
	all := strings.Join(texts, "")
	for n, text := range texts {
		*copies[n], all = all[:len(text)], all[len(text):]
	}
	c.objects.Insert(o.hash, o)
	c.bytes += o.bytes()
	c.objectCount++
	return o
}

func (c *Correlator) removeObject(o *object) {
	c.objects.Remove(o.hash, o)
	c.bytes -= o.bytes()
	c.objectCount--
}

// add adds a record of the current event to a group, idle and with nothing recorded.
func (c *Correlator) add(g *group, e *eventrt.Event, f *aggregated) *record {
	r := &record{def: e.Definition(), group: g, args: internals.CloneArgs(e.Args()), more: moreOf(e, f, c.labelsOf(e)), hash: c.hash, serial: c.nextSerial(), era: c.era}
	if r.def.Forwarded && sameDefinition(r.def, g.def) {
		r.def = g.def // one for all that are equal
	}
	r.name = c.nameHash(r)
	r.place = len(c.all)
	c.all = append(c.all, r)
	c.bytes += r.bytes()
	g.records++
	return r
}

// moreOf copies the content that few events have; nil if this event has none of it.
func moreOf(e *eventrt.Event, f *aggregated, labels []eventrt.Annotation) *more {
	if f == nil && e.Regarding().FieldPath == "" && !e.Related().Present() && len(e.Annotations()) == 0 && labels == nil {
		return nil
	}
	m := &more{related: *e.Related(), fieldPath: strings.Clone(e.Regarding().FieldPath), aggregated: f, labels: labels}
	cloneReference(&m.related)
	m.annotations = slices.Clone(e.Annotations())
	for i := range m.annotations {
		a := &m.annotations[i]
		a.Key, a.Value = strings.Clone(a.Key), strings.Clone(a.Value)
	}
	return m
}

// labelsOf returns the labels of a new record; nil if they are no more than the constants of its
// definition. It counts and notes those that are left out.
func (c *Correlator) labelsOf(e *eventrt.Event) []eventrt.Annotation {
	labels, leftOut := e.Labels()
	if n := len(leftOut); n > 0 {
		c.counts.LabelsLeftOut += uint64(n)
		c.leftOut = notice.Notice{Type: notice.LabelLeftOut, Namespace: strings.Clone(e.Regarding().Namespace), Label: leftOut[n-1]}
	}
	constants := 0
	for i := range e.Definition().Labels {
		if e.Definition().Labels[i].Value != nil {
			constants++
		}
	}
	if len(labels) == constants {
		return nil
	}
	return slices.Clone(labels)
}

func cloneReference(o *eventrt.ObjectRef) {
	for _, text := range [...]*string{&o.APIVersion, &o.Kind, &o.Namespace, &o.Name, &o.UID, &o.FieldPath, &o.ResourceVersion} {
		*text = strings.Clone(*text)
	}
}

// remove forgets a record with its work, and its group and object if it was their last.
func (c *Correlator) remove(r *record) {
	if r.work != nil {
		c.endWork(r.work)
	}
	r.ranked.Leave()
	// a later record of the event must not take this record's writes for its own
	c.era++
	c.bytes -= r.bytes()
	last := len(c.all) - 1
	c.all[r.place] = c.all[last]
	c.all[r.place].place = r.place
	c.all[last] = nil
	c.all = list.Shrunk(c.all[:last])
	g := r.group
	if g.aggregate == r {
		g.aggregate = nil
	} else {
		c.records.Remove(r.hash, r)
	}
	if g.records--; g.records > 0 {
		return
	}
	o := g.object
	link := &o.groups
	for *link != g {
		link = &(*link).next
	}
	*link = g.next
	c.bytes -= g.bytes()
	*g = group{}
	if o.groups == nil {
		c.removeObject(o)
	}
}
