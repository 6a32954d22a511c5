package correlator

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// hostile makes events that differ in one field only, of all that identity compares.
var hostile = map[string]func(n int, f *facts){
	"namespace":          func(n int, f *facts) { f.regarding.Namespace = fmt.Sprint("ns", n) },
	"long namespace":     func(n int, f *facts) { f.regarding.Namespace = fmt.Sprintf("%050d", n) },
	"kind":               func(n int, f *facts) { f.regarding.Kind = fmt.Sprint("K", n) },
	"long kind":          func(n int, f *facts) { f.regarding.Kind = fmt.Sprintf("Kind%012d", n) },
	"group":              func(n int, f *facts) { f.regarding.APIVersion = fmt.Sprintf("g%d/v1", n) },
	"name":               func(n int, f *facts) { f.regarding.Name = fmt.Sprint("name", n) },
	"UID":                func(n int, f *facts) { f.regarding.UID = uid(n) },
	"namespace, one UID": func(n int, f *facts) { f.regarding.UID, f.regarding.Namespace = uid(0), fmt.Sprint("ns", n) },
	"kind, one UID":      func(n int, f *facts) { f.regarding.UID, f.regarding.Kind = uid(0), fmt.Sprint("K", n) },
	"field path":         func(n int, f *facts) { f.regarding.FieldPath = fmt.Sprint("spec.", n) },
	"related namespace":  func(n int, f *facts) { f.related.Namespace = fmt.Sprint("ns", n) },
	"related kind":       func(n int, f *facts) { f.related.Kind = fmt.Sprint("K", n) },
	"related group":      func(n int, f *facts) { f.related.APIVersion = fmt.Sprintf("g%d/v1", n) },
	"related name":       func(n int, f *facts) { f.related.Name = fmt.Sprint("name", n) },
	"related UID":        func(n int, f *facts) { f.related.UID = uid(n) },
	"related field path": func(n int, f *facts) { f.related.FieldPath = fmt.Sprint("spec.", n) },
	"argument": func(n int, f *facts) {
		f.args = []runtime.Arg{runtime.String(fmt.Sprint(n)), runtime.String("y"), runtime.Int(1)}
	},
	"reporting controller": func(n int, f *facts) { f.controller = fmt.Sprintf("example.com/c%d", n) },
	"forwarded reason":     func(n int, f *facts) { f.def = forwardedAs(fmt.Sprint("R", n), "Act", runtime.Normal, "") },
	"forwarded action":     func(n int, f *facts) { f.def = forwardedAs("R", fmt.Sprint("A", n), runtime.Normal, "") },
	"forwarded type":       func(n int, f *facts) { f.def = forwardedAs("R", "A", fmt.Sprint("T", n), "") },
	"forwarded controller": func(n int, f *facts) {
		f.def = forwardedAs("R", "A", runtime.Normal, fmt.Sprintf("example.com/c%d", n))
	},
}

func uid(n int) (id types.UID) { return types.UID(fmt.Sprintf("%08x-0000-4000-8000-000000000000", n)) }

func forwardedAs(reason, action, eventType, controller string) *runtime.Definition {
	d := *twoArgs
	d.Reason, d.Action, d.Type, d.ReportingController, d.Forwarded = reason, action, eventType, controller, true
	return &d
}

// TestNoFieldMakesLookUpsLong counts the records that are compared to find each of many events which differ in one field.
func TestNoFieldMakesLookUpsLong(t *testing.T) {
	const events = 5000
	for name, differ := range hostile {
		t.Run(name, func(t *testing.T) {
			c := New(Options{NoAggregate: true, MaxIdentities: 1 << 20, MaxBytes: 1 << 40})
			var all []runtime.Event
			for n := range events {
				f := base()
				f.def = twoArgs
				differ(n, &f)
				e := f.event()
				if p := c.Observe(&e, ObjectHash(&e), runtime.Instant{}); p != runtime.NoProblem {
					t.Fatal(p)
				}
				all = append(all, e)
			}
			if n := c.Stats().Identities; n != events {
				t.Fatalf("%d identities of %d events", n, events)
			}
			l := lookUps{low: map[uint32]int{}}
			for n := range all {
				l.add(c, &all[n])
			}
			l.check(t)
		})
	}
}

// lookUps counts the records that are compared to find events.
type lookUps struct {
	events, steps int
	low           map[uint32]int // hashes by the bits that decide where a table is looked at first
}

// add looks up an event that is held.
func (l *lookUps) add(c *Correlator, e *runtime.Event) {
	objectHash := ObjectHash(e)
	_, i, hash := c.lookUp(objectHash, e)
	l.events++
	l.steps += 2
	at, o := c.held.FirstObject(uint32(objectHash))
	for ; o != nil && !c.sameObject(o, e.Regarding()); l.steps++ {
		at, o = c.held.NextObject(uint32(objectHash), at)
	}
	var other *store.Identity
	at, other = c.held.FirstIdentity(hash)
	for ; other != i; l.steps++ {
		at, other = c.held.NextIdentity(hash, at)
	}
	l.low[hash&0xffff]++
}

// check fails if a look-up compares more than one object and one identity, unless 32 bits are equal by chance.
func (l *lookUps) check(t *testing.T) {
	t.Helper()
	if l.steps > l.events*201/100 {
		t.Errorf("%d records are compared to find %d events", l.steps, l.events)
	}
	for bits, n := range l.low {
		if n > 16 {
			t.Errorf("%d hashes end with %x", n, bits)
		}
	}
}

// TestShortTextsHashApart compares pairs of texts of all lengths at which the hash changes its way.
func TestShortTextsHashApart(t *testing.T) {
	seen := map[uint64]string{}
	for a := range 80 {
		for b := range 80 {
			for _, fill := range []string{"a", "b", "\x00"} {
				pair := fmt.Sprintf("%d %d %q", a, b, fill)
				if a+b == 0 && fill != "a" {
					continue
				}
				h := pairHash(strings.Repeat(fill, a), strings.Repeat(fill, b))
				if seen[h] != "" {
					t.Fatalf("%s and %s have one hash", pair, seen[h])
				}
				seen[h] = pair
			}
		}
	}
	for n := range 80 {
		for at := range n {
			text := []byte(strings.Repeat("a", n))
			text[at]++
			if word(string(text)) == word(strings.Repeat("a", n)) {
				t.Errorf("%d bytes: byte %d is not covered", n, at)
			}
		}
	}
}
