package correlator

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// Annotations of an event that stands for several distinct ones.
const (
	// DistinctMessagesAnnotation holds the number of distinct messages that the event stands for; "1024+" if there are more than 1024.
	DistinctMessagesAnnotation = "event-gen.github.io/distinct-messages"
	// LastMessageAnnotation holds the last of them.
	LastMessageAnnotation = "event-gen.github.io/last-message"
)

// render fills in the write of an identity. It sets every field: making a Write and copying it would cost a tenth of a repeat.
func (c *Correlator) render(a store.Active, w *runtime.Write) {
	i, o := a.Identity, c.held.Object(a.Identity)
	s, m := c.held.Scope(o), i.More()
	w.Ticket.Identity, w.Ticket.Generation = c.held.Ticket(i)
	w.Operation, w.ResourceVersion = runtime.Create, 0
	if i.Created() {
		w.Operation = runtime.Update
	}
	if i.Presence() == store.Present {
		w.ResourceVersion = i.Version
	}
	w.Namespace = a.Namespace.Name
	w.Type, w.Reason, w.Action = i.Definition.Type, i.Definition.Reason, i.Definition.StoredAction()
	w.ReportingController = c.controller(i)
	w.ReportingInstance = c.instance(w.ReportingController)
	w.Count = int32(min(i.Count, math.MaxInt32))
	w.First, w.Last = time.Unix(0, min(i.Last, first(a))), time.Unix(0, i.Last)
	w.Mark = i.Mark
	w.Ticket.Carried = a.Carried
	w.Ticket.Object = o.Hash()
	w.Aggregate = m.Folded != nil
	w.LatestNote = i.Definition.Correlation.LatestNote && !w.Aggregate
	if w.HasRelated = m.Related.Present(); w.HasRelated {
		w.Related = m.Related.Reference()
	}
	w.Regarding.APIVersion, w.Regarding.Kind, w.Regarding.Namespace = s.Kind.APIVersion, s.Kind.Kind, s.Namespace
	known := c.kept.find(a, w.Ticket.Identity)
	if known != nil && known.fixed && w.Operation == runtime.Update {
		known.fill(w)
		return
	}
	regarding := runtime.ObjectRef{APIVersion: s.Kind.APIVersion, Kind: s.Kind.Kind, Namespace: s.Namespace, FieldPath: m.FieldPath}
	if known != nil {
		setNames(w, &regarding, known.name, known.object, known.uid, known.version)
		c.express(i, m, &regarding, w)
		return
	}
	c.name(a, o, &regarding, w)
	c.express(i, m, &regarding, w)
	c.kept.wrote(a, w)
}

// express fills in what a write shows of the event's arguments: field path, annotations and note.
func (c *Correlator) express(i *store.Identity, m *store.More, regarding *runtime.ObjectRef, w *runtime.Write) {
	args := i.Unpack(i.Definition, &c.args)
	w.Regarding.FieldPath = m.FieldPath
	if m.FieldPath == "" {
		w.Regarding.FieldPath = runtime.FieldPath(i.Definition, args)
	}
	w.Annotations = c.appendAnnotations(w.Annotations[:0], i.Definition, m, args, regarding, w)
	w.Note = c.appendNote(w.Note[:0], i.Definition, m, args, regarding)
}

// name makes the strings of a write that are not kept for all events, because that would take memory: the event's name, and the name, UID and
// resource version of its object. They are pieces of one string. An object's name that begins the event's name shares its memory, too.
func (c *Correlator) name(a store.Active, o *store.Object, regarding *runtime.ObjectRef, w *runtime.Write) {
	b := appendEventName(c.scratch[:0], o, regarding.Kind, a.Serial, c.opts.Tag)
	name := len(b)
	b = appendVersion(b, a.ObjectRV)
	version := len(b)
	b = o.AppendUID(b)
	uid := len(b)
	if !o.Named() {
		b = append(b, o.Name()...)
	}
	c.scratch = b
	all := c.pieces.copyOf(b)
	object := all[uid:]
	if o.Named() {
		object = all[:len(o.Name())]
	}
	setNames(w, regarding, all[:name], object, all[version:uid], all[name:version])
}

// setNames gives a write the names of its event and of its object, and the latter to the reference that notes are made of. Copied from the
// write, they would be waited for.
func setNames(w *runtime.Write, regarding *runtime.ObjectRef, name, object, uid, version string) {
	w.Name = name
	w.Regarding.Name, regarding.Name = object, object
	w.Regarding.UID, regarding.UID = types.UID(uid), uid
	w.Regarding.ResourceVersion, regarding.ResourceVersion = version, version
}

// first returns the time of the first occurrence that the event stands for. For an event that is made anew after it has expired, this is when
// the identity was made.
func first(a store.Active) int64 {
	if uint64(a.Count) == a.Pending {
		return a.First
	}
	return int64(a.Serial)
}

func (c *Correlator) controller(i *store.Identity) string {
	return cmp.Or(i.Definition.ReportingController, i.More().Controller, c.opts.ReportingController)
}

func (c *Correlator) appendNote(b []byte, def *runtime.Definition, m *store.More, args []runtime.Arg, regarding *runtime.ObjectRef) []byte {
	if m.Folded == nil {
		return runtime.AppendMessage(b, def, regarding, &m.Related, args)
	}
	return appendFolded(append(b, runtime.AggregatePrefix...), m.Folded, regarding, &c.args)
}

// appendFolded appends the message of the latest folded occurrence. It uses room for its arguments.
func appendFolded(b []byte, f *store.Folded, regarding *runtime.ObjectRef, room *[runtime.MaxParams]runtime.Arg) []byte {
	return runtime.AppendMessage(b, f.Definition, regarding, &f.Latest.More().Related, f.Latest.Unpack(f.Definition, room))
}

func (c *Correlator) appendAnnotations(list []runtime.Annotation, def *runtime.Definition, m *store.More, args []runtime.Arg, regarding *runtime.ObjectRef, w *runtime.Write) []runtime.Annotation {
	if w.Operation == runtime.Update && !w.Aggregate {
		return list
	}
	list = append(list, m.Annotations...)
	for _, a := range def.Annotations {
		value := runtime.AppendAnnotation(nil, def, a.Value, regarding, &m.Related, args)
		list = setAnnotation(list, a.Key, string(value))
	}
	if w.Aggregate {
		list = setAnnotation(list, DistinctMessagesAnnotation, distinctMessages(m.Folded))
		list = setAnnotation(list, LastMessageAnnotation, string(appendFolded(nil, m.Folded, regarding, &c.args)))
	}
	return list
}

func distinctMessages(f *store.Folded) string {
	n := strconv.Itoa(f.Distinct())
	if f.Distinct() >= store.MaxDistinct {
		n += "+"
	}
	return n
}

// setAnnotation sets a key in a list sorted by key.
func setAnnotation(list []runtime.Annotation, key, value string) []runtime.Annotation {
	at, found := slices.BinarySearchFunc(list, key, func(a runtime.Annotation, key string) int { return cmp.Compare(a.Key, key) })
	if !found {
		list = slices.Insert(list, at, runtime.Annotation{Key: key})
	}
	list[at].Value = value
	return list
}

// parseVersion reads a resource version, which is a decimal integer (apimachinery pkg/util/resourceversion); 0 for
// anything else, which means that there is none. Unlike strconv it allocates no error for other text.
func parseVersion(s string) (v uint64) {
	if len(s) > maxVersionDigits {
		return 0
	}
	for _, digit := range []byte(s) {
		if digit < '0' || digit > '9' {
			return 0
		}
		v = v*10 + uint64(digit-'0')
	}
	return v
}

// maxVersionDigits is the number of digits that always fit a uint64. etcd's revisions have no more.
const maxVersionDigits = 19

// appendVersion is the reverse of parseVersion; it appends nothing for 0.
func appendVersion(b []byte, v uint64) []byte {
	if v == 0 {
		return b
	}
	return strconv.AppendUint(b, v, 10)
}
