package eventtest

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/inside"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	"github.com/event-gen/event-gen/runtime/internal/view"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

// Options configures a fake. The zero value is what NewFake uses without options.
type Options struct {
	// Scheme finds the kinds of objects that do not carry it. Nil: the kind is the name of their Go
	// type.
	Scheme *k8sruntime.Scheme
}

// Fake is an eventrt.Publisher that keeps all events. It is safe for concurrent use, and never
// blocks.
type Fake struct {
	t    TB
	opts Options

	mu       sync.Mutex
	events   []eventrt.Event
	rejected []eventrt.Event
	changed  chan struct{} // closed with the next event
}

var _ eventrt.Publisher = (*Fake)(nil)

// NewFake returns an empty fake whose expectations report to t. Without options it keeps
// everything. More than one Options fail the test.
func NewFake(t TB, options ...Options) *Fake {
	f := &Fake{t: t, changed: make(chan struct{})}
	if len(options) > 1 {
		t.Helper()
		t.Errorf("NewFake: expected at most one Options, found %d", len(options))
	}
	if len(options) > 0 {
		f.opts = options[0]
	}
	return f
}

// Recorder returns a recorder that records into the fake, for the NewRecorder function of a
// generated package.
func (f *Fake) Recorder() *eventrt.Recorder { return eventrt.NewRecorder(f) }

// Publish keeps an event.
func (f *Fake) Publish(e eventrt.Event) {
	internals.SetTime(&e, time.Now())
	internals.ResolveKinds(&e, f.kind)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.keep(e)
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *Fake) keep(e eventrt.Event) {
	if e.Problem() != eventrt.NoProblem {
		f.rejected = append(f.rejected, e)
		return
	}
	f.events = append(f.events, e)
}

func (f *Fake) kind(t reflect.Type) (metav1.TypeMeta, bool) {
	if f.opts.Scheme != nil {
		return view.KindOf(f.opts.Scheme, t)
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return metav1.TypeMeta{Kind: t.Name()}, true
}

// Events returns the recorded events, in order, one for each occurrence.
func (f *Fake) Events() []Event {
	all := f.snapshot().events
	list := make([]Event, len(all))
	for i := range all {
		list[i] = all[i].Event
	}
	return list
}

// Rejected lists the events that a broadcaster would have rejected, and why, one a line.
func (f *Fake) Rejected() (lines []string) {
	for _, r := range f.snapshot().rejected {
		lines = append(lines, r.text+": "+r.problem)
	}
	return lines
}

// Reset forgets everything.
func (f *Fake) Reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.events, f.rejected = nil, nil
}

// snapshot is the content of a fake at one moment.
type snapshot struct {
	events   []Recorded
	rejected []rejection
	changed  <-chan struct{}
}

func (f *Fake) snapshot() snapshot {
	f.mu.Lock()
	events, rejected := slices.Clone(f.events), slices.Clone(f.rejected)
	s := snapshot{changed: f.changed}
	f.mu.Unlock()
	for i := range events {
		s.events = append(s.events, Recorded{Event: eventOf(&events[i]), Emitted: events[i]})
	}
	for i := range rejected {
		s.rejected = append(s.rejected, rejectionOf(&rejected[i]))
	}
	return s
}

// rejection is an event that could not be recorded, as a line of text, and why.
type rejection struct {
	Recorded
	text, problem string
}

// rejectionOf describes an event that has a problem. If the problem is an enum's value, the value
// may be what picks among variants. Type, reason and message are then those of a variant that
// nobody chose, so the line has the event's name instead.
func rejectionOf(e *eventrt.Event) rejection {
	r := rejection{Recorded: Recorded{Event: eventOf(e), Emitted: *e}, problem: e.ProblemText()}
	r.text = r.line()
	if e.Problem() == problems.UnknownValue {
		r.text = strings.TrimSpace(r.Name + " " + referenceText(&r.Regarding))
	}
	return r
}
