package correlator

import (
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// An event that goes on repeating is written with the same texts again and again. The texts of a few events are kept: of those that were
// written twice in a row. They don't count against the bounds on memory, because they never exceed keptEvents × maxKeptBytes.
const (
	keptEvents   = 8
	maxKeptBytes = 768 // of one event
)

// keptTexts holds the texts of events, each in the place that the number of its identity gives.
type keptTexts struct {
	events [keptEvents]keptEvent
	last   uint64 // the serial of the event that was written last
}

type keptEvent struct {
	serial   uint64 // names the event: no other event of the correlator ever has it, not even the next one of its identity's record
	objectRV uint64

	name, object, uid, version string

	fixed           bool // every write shows the same arguments, so that fieldPath and note are kept, too
	fieldPath, note string
}

// find returns the texts for the write of an identity with a number; nil if they are not kept.
func (k *keptTexts) find(a store.Active, id uint32) *keptEvent {
	if e := &k.events[id%keptEvents]; e.serial == a.Serial && e.objectRV == a.ObjectRV {
		k.last = a.Serial
		return e
	}
	return nil
}

// fill gives an update what is kept of a fixed event: only a create has annotations.
func (e *keptEvent) fill(w *runtime.Write) {
	w.Name, w.Regarding.Name = e.name, e.object
	w.Regarding.UID, w.Regarding.ResourceVersion = types.UID(e.uid), e.version
	w.Regarding.FieldPath, w.Annotations = e.fieldPath, w.Annotations[:0]
	w.Note = append(w.Note[:0], e.note...)
}

// wrote is called with each write whose texts were not kept. It keeps them if the last write was of the same event.
func (k *keptTexts) wrote(a store.Active, w *runtime.Write) {
	repeated := k.last == a.Serial
	k.last = a.Serial
	if !repeated || textsOf(w) > maxKeptBytes {
		return
	}
	e := keptEvent{
		serial: a.Serial, objectRV: a.ObjectRV, fixed: !w.LatestNote && !w.Aggregate,
		name: strings.Clone(w.Name), object: strings.Clone(w.Regarding.Name),
		uid: strings.Clone(string(w.Regarding.UID)), version: strings.Clone(w.Regarding.ResourceVersion),
	}
	if e.fixed {
		e.fieldPath, e.note = w.Regarding.FieldPath, string(w.Note)
	}
	k.events[w.Ticket.Identity%keptEvents] = e
}

// textsOf returns the length of the texts of a write that may be kept.
func textsOf(w *runtime.Write) int {
	return len(w.Name) + len(w.Regarding.Name) + len(w.Regarding.UID) + len(w.Regarding.ResourceVersion) + len(w.Regarding.FieldPath) + len(w.Note)
}

// pieces cuts the texts of writes out of larger strings, since an allocation for each write would cost a tenth of a repeat.
type pieces struct {
	from strings.Builder // which never overwrites what it has handed out
}

// pieceBytes is the size of such a string. A sink that keeps a text of a write keeps as much.
const pieceBytes = 2048

// copyOf returns a copy of a text.
func (p *pieces) copyOf(text []byte) string {
	if p.from.Cap()-p.from.Len() < len(text) {
		p.from.Reset()
		p.from.Grow(max(len(text), pieceBytes))
	}
	at := p.from.Len()
	p.from.Write(text)
	return p.from.String()[at:]
}
