package correlator

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// keptDefinitions have texts that stay, and texts that don't.
var keptDefinitions = func() (all []*runtime.Definition) {
	for n := range 4 {
		d := testDefinition(fmt.Sprint("Kept", n), runtime.Normal)
		d.Annotations = []runtime.AnnotationDefinition{{Key: "text", Value: d.Message}}
		all = append(all, d)
	}
	all[1].Correlation = runtime.Correlation{Merged: 1, LatestNote: true}
	all[2].FieldPath = "spec.containers"
	all[3].Correlation = runtime.Correlation{Merged: 1, LatestNote: true}
	all[3].FieldPath = "spec.containers"
	return all
}()

// keptHistory plays random occurrences and answers, and compares each write with one for which nothing was kept.
type keptHistory struct {
	*rig
	rng         *rand.Rand
	last        *runtime.Event
	flight      []*runtime.Write
	w           runtime.Write // whose room is used again
	whole, part int           // writes for which all texts, or the names only, were kept
}

// occur records an event, often the last one again.
func (h *keptHistory) occur() {
	if h.last != nil && h.rng.IntN(3) > 0 {
		h.observe(*h.last)
		return
	}
	def := keptDefinitions[h.rng.IntN(len(keptDefinitions))]
	name := fmt.Sprint("object-", h.rng.IntN(3))
	regarding := objectNamed(name, "uid-of-"+name)
	regarding.ResourceVersion = fmt.Sprint(1 + h.rng.IntN(20)/19)
	text := fmt.Sprint("t", h.rng.IntN(2), strings.Repeat("x", h.rng.IntN(20)/19*900))
	e := runtime.NewEvent(def, regarding, runtime.ObjectRef{}, runtime.String(text))
	h.last = &e
	h.observe(e)
}

func (h *keptHistory) write(t *testing.T) {
	for h.c.Next(h.now, &h.w) {
		i := h.c.held.ByTicket(h.w.Ticket.Identity, h.w.Ticket.Generation)
		a := h.c.held.Active(i)
		if e := h.c.kept.find(a, h.w.Ticket.Identity); e != nil && h.w.Operation == runtime.Update {
			h.count(e)
		}
		was := h.c.kept
		h.c.kept = keptTexts{}
		var want runtime.Write
		h.c.render(a, &want)
		h.c.kept = was
		if len(h.w.Annotations)+len(want.Annotations) == 0 {
			want.Annotations = h.w.Annotations
		}
		if !reflect.DeepEqual(h.w, want) {
			t.Fatalf("written: %+v\nexpected: %+v", h.w, want)
		}
		w := h.w
		h.flight = append(h.flight, &w)
	}
}

func (h *keptHistory) count(e *keptEvent) {
	if e.fixed {
		h.whole++
	} else {
		h.part++
	}
}

// answer answers all writes: mostly that they are stored.
func (h *keptHistory) answer() {
	for _, w := range h.flight {
		a := runtime.Answer{Outcome: runtime.Done, ResourceVersion: 5}
		switch h.rng.IntN(12) {
		case 0:
			a = runtime.Answer{Outcome: runtime.Gone}
		case 1:
			a = runtime.Answer{Outcome: runtime.Exists}
		case 2:
			a = runtime.Answer{Outcome: runtime.Retry, MaybeStored: true}
		}
		h.done(w, a)
	}
	h.flight = h.flight[:0]
}

// TestTextsThatAreKeptAreThoseOfTheWrite plays histories in which identities are shed, expire and fold, so that their records and names are
// used again.
func TestTextsThatAreKeptAreThoseOfTheWrite(t *testing.T) {
	whole, part := 0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 0))
		h := keptHistory{rng: rng, rig: newRig(t, Options{
			MaxIdentities: 1 + rng.IntN(12), Threshold: 1 + rng.IntN(3), NoAggregate: rng.IntN(2) == 0, EventTTL: 10 * minute,
		})}
		for range 150 {
			for range rng.IntN(3) {
				h.occur()
			}
			h.pass(time.Duration(rng.Int64N(int64(3*minute))) * time.Duration(1+rng.IntN(20)/19*5))
			h.write(t)
			h.answer()
		}
		whole, part = whole+h.whole, part+h.part
	}
	t.Logf("%d writes with all texts kept, %d with names", whole, part)
	if whole < 300 || part < 100 {
		t.Errorf("%d writes with all texts kept, %d with names", whole, part)
	}
}

// keptAfter returns what is kept of an event that was written so many times in a row.
func keptAfter(t *testing.T, e runtime.Event, writes int) *keptEvent {
	r := newRig(t, Options{})
	var a store.Active
	for range writes {
		r.record(e)
		w := r.next()
		a = r.c.held.Active(r.only())
		if r.c.kept.last != a.Serial {
			t.Fatal("the last write is not noted")
		}
		r.ok(w)
		r.pass(10 * minute)
	}
	r.record(e)
	return r.c.kept.find(r.c.held.Active(r.only()), number(r))
}

func number(r *rig) uint32 {
	n, _ := r.c.held.Ticket(r.only())
	return n
}

// TestKeptTextsAreBounded holds that texts are kept of the second write in a row, up to a length.
func TestKeptTextsAreBounded(t *testing.T) {
	saying := func(text string) runtime.Event {
		regarding := objectNamed("object", "uid")
		regarding.ResourceVersion = "12345"
		return runtime.NewEvent(keptDefinitions[2], regarding, runtime.ObjectRef{}, runtime.String(text))
	}
	if keptAfter(t, saying("text"), 1) != nil {
		t.Error("texts are kept of an event that was written once")
	}
	kept := keptAfter(t, saying("text"), 2)
	if kept == nil || kept.note != "text" || kept.version != "12345" || kept.fieldPath != "spec.containers{text}" {
		t.Fatalf("kept: %+v", kept)
	}
	room := maxKeptBytes - len(kept.name) - len(kept.object) - len(kept.uid) - len(kept.version) - len("spec.containers{}")
	if room%2 != 0 {
		t.Fatal("the text stands in the note and in the field path, so that the room for it must be even: make the resource version longer")
	}
	if keptAfter(t, saying(strings.Repeat("x", room/2)), 2) == nil {
		t.Error("texts of the greatest length are not kept")
	}
	if keptAfter(t, saying(strings.Repeat("x", room/2+1)), 2) != nil {
		t.Error("longer texts are kept")
	}
}

// TestAnEventBetweenKeepsNothing writes two events in turns.
func TestAnEventBetweenKeepsNothing(t *testing.T) {
	r := newRig(t, Options{})
	for range 3 {
		for _, object := range []string{"a", "b"} {
			r.record(about(object, normal, "text"))
			r.writeAll()
		}
		r.pass(10 * minute)
	}
	if r.c.kept.events != ([keptEvents]keptEvent{}) {
		t.Errorf("kept: %+v", r.c.kept.events)
	}
}

// TestAKeptEventBetweenKeepsNothing writes an event in turns with one whose texts are kept.
func TestAKeptEventBetweenKeepsNothing(t *testing.T) {
	r := newRig(t, Options{})
	for _, object := range []string{"a", "a", "b", "a", "b", "a", "b"} {
		r.record(about(object, normal, "text"))
		r.writeAll()
		r.pass(10 * minute)
	}
	for _, e := range r.c.kept.events {
		if e.object == "b" {
			t.Errorf("kept: %+v", e)
		}
	}
}

// TestTextsOfWritesStay holds that the texts of a write stay what they are, although later writes are cut out of the same string, and that a
// string holds as many texts as fit.
func TestTextsOfWritesStay(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var p pieces
	var made, want []string
	allocated := 0
	for range 2000 {
		text := fmt.Sprintf("%0*d", 1+rng.IntN(300), rng.Uint64())
		if rng.IntN(100) == 0 {
			text = fmt.Sprintf("%0*d", pieceBytes-1+rng.IntN(3), rng.Uint64())
		}
		if left := p.from.Cap() - p.from.Len(); left < len(text) {
			allocated++
		} else if size := p.from.Cap(); size < pieceBytes || size > 2*pieceBytes {
			t.Fatalf("a string has %d bytes", size)
		}
		before := p.from.Cap() - p.from.Len()
		made, want = append(made, p.copyOf([]byte(text))), append(want, text)
		if left := p.from.Cap() - p.from.Len(); before >= len(text) && left != before-len(text) {
			t.Fatalf("%d bytes are left of %d after a text of %d bytes", left, before, len(text))
		}
	}
	if !reflect.DeepEqual(made, want) {
		t.Error("a text has changed")
	}
	if allocated > 400 {
		t.Errorf("%d strings", allocated)
	}
}

// TestKeptTextsHoldNothingElse holds that no kept text is a piece of a larger string.
func TestKeptTextsHoldNothingElse(t *testing.T) {
	regarding := objectNamed("object", "uid")
	regarding.ResourceVersion = "12345"
	r := newRig(t, Options{})
	for range 2 {
		r.record(runtime.NewEvent(keptDefinitions[0], regarding, runtime.ObjectRef{}, runtime.String("text")))
		w := r.next()
		if k := r.c.kept.find(r.c.held.Active(r.only()), number(r)); k != nil {
			for _, both := range [][2]string{
				{k.name, w.Name}, {k.object, w.Regarding.Name}, {k.uid, string(w.Regarding.UID)}, {k.version, w.Regarding.ResourceVersion},
			} {
				if both[0] != both[1] || unsafe.StringData(both[0]) == unsafe.StringData(both[1]) {
					t.Errorf("%q is kept of %q", both[0], both[1])
				}
			}
			return
		}
		r.ok(w)
		r.pass(10 * minute)
	}
	t.Error("nothing is kept")
}
