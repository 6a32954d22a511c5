package eventdebug

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

// sinkFunc is a sink that is a function.
type sinkFunc func(context.Context, *sink.Write) sink.Answer

func (f sinkFunc) Write(ctx context.Context, w *sink.Write) sink.Answer { return f(ctx, w) }

// TestThePageAgreesWithPlainCounts records at random in two broadcasters, and counts apart from
// them what the page shows of both.
func TestThePageAgreesWithPlainCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(seed.Of(t), 0))
	release := make(chan struct{})
	target := sinkFunc(func(ctx context.Context, _ *sink.Write) sink.Answer {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return sink.Answer{Outcome: sink.Done}
	})
	var both [2]*broadcaster.Broadcaster
	page := New()
	for i := range both {
		b, err := broadcaster.New(broadcaster.Options{Sink: target})
		if err != nil {
			t.Fatal(err)
		}
		both[i] = b
		page.Add(b)
	}
	objects, reasons := map[string]uint64{}, map[string]uint64{}
	const recorded = 3000
	for range recorded {
		n, reason := int(r.ExpFloat64()*10), fmt.Sprint("Reason", int(r.ExpFloat64()*10))
		o := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: fmt.Sprint("pod-", n)}}
		eventrt.NewRecorder(both[r.IntN(2)]).Forward(o, eventrt.Normal, reason, "", "x")
		objects[o.Name]++
		reasons[reason]++
	}
	s := page.state()
	if s.Account.Recorded != recorded || len(s.Objects) != min(rows, len(objects)) || len(s.Reasons) != min(rows, len(reasons)) || len(s.Waiting) != rows {
		t.Errorf("%d recorded; %d objects of %d, %d reasons of %d, %d wait", s.Account.Recorded, len(s.Objects), len(objects), len(s.Reasons), len(reasons), len(s.Waiting))
	}
	for i, n := range s.Objects {
		if n.Occurrences != objects[n.Object.Name] || n.Object.Kind != "Pod" || n.Object.Namespace != "prod" {
			t.Errorf("%+v: %d occurrences, want %d", n.Object, n.Occurrences, objects[n.Object.Name])
		}
		if i > 0 && n.Occurrences > s.Objects[i-1].Occurrences {
			t.Error("objects are not in order")
		}
		delete(objects, n.Object.Name)
	}
	for name, n := range objects {
		if n > s.Objects[rows-1].Occurrences {
			t.Errorf("%s with %d occurrences is left out", name, n)
		}
	}
	for _, n := range s.Reasons {
		if n.Occurrences != reasons[n.Reason] {
			t.Errorf("%s: %d occurrences, want %d", n.Reason, n.Occurrences, reasons[n.Reason])
		}
	}
	for i, w := range s.Waiting {
		if i > 0 && w.Seconds > s.Waiting[i-1].Seconds {
			t.Error("what waits is not in order")
		}
	}
	close(release)
	for i, b := range both {
		if err := b.Shutdown(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s, want := page.state(), []string{"recording", "ended"}[i]; s.State != want || i == 1 && len(s.Waiting) != 0 {
			t.Errorf("after the end of %d: %s, %d wait", i+1, s.State, len(s.Waiting))
		}
	}
}

// TestARemovedBroadcasterIsNotShown.
func TestARemovedBroadcasterIsNotShown(t *testing.T) {
	b, err := broadcaster.New(broadcaster.Options{Sink: refusing{}})
	if err != nil {
		t.Fatal(err)
	}
	page := New()
	remove := page.Add(b)
	eventrt.NewRecorder(b).Forward(pod("shop", "web"), eventrt.Normal, "Shown", "", "x")
	if s := page.state(); s.Account.Recorded != 1 {
		t.Errorf("%+v", s.Account)
	}
	remove()
	eventrt.NewRecorder(b).Forward(pod("shop", "web"), "Error", "Mistyped", "", "x")
	if s := page.state(); s.Account.Recorded != 0 || len(s.Rejections) != 0 || s.Time.IsZero() {
		t.Errorf("%+v", s)
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// silent is an error that can't be asked.
type silent struct{}

func (silent) Error() string { panic("no text") }

// TestRefusals: equal ones are joined, an error without a text harms nobody, and the number of
// different ones is bounded.
func TestRefusals(t *testing.T) {
	p := New()
	w := &sink.Write{Reason: "Created", Type: eventrt.Normal}
	refused := sink.Answer{Outcome: sink.Refused, Err: silent{}}
	p.written(w, refused, 0)
	p.written(&sink.Write{Reason: "Other"}, refused, 0)
	p.written(w, sink.Answer{Outcome: sink.Retry}, 0)
	p.written(w, refused, 0)
	if got := p.refusals.list(); len(got) != 2 || got[0].Times != 2 || got[0].Error != "<panic>" || got[1].Reason != "Other" {
		t.Errorf("%+v", got)
	}
	for n := range 2 * maxRecent {
		p.written(&sink.Write{Reason: fmt.Sprint("Reason", n)}, refused, 0)
	}
	if got := p.refusals.list(); len(p.refusals.last) != maxRecent || len(got) != rows || got[0].Reason != fmt.Sprint("Reason", 2*maxRecent-1) {
		t.Errorf("%d refusals, %+v", len(p.refusals.last), got)
	}
}

type outcome int

var outcomes = eventrt.Enum[outcome]{1: "Succeeded", 2: "Failed"}

// TestARejectedEventIsShownByWhatTheCallerWrote: the name of the event, since nobody chose its
// variant, and the kind that an absent object should have.
func TestARejectedEventIsShownByWhatTheCallerWrote(t *testing.T) {
	def := &eventrt.Definition{
		Subject: eventrt.Subject{Regarding: metav1.TypeMeta{APIVersion: "batch/v1", Kind: "Job"}}, Name: "BackupFinished", Reason: "BackupFailed",
		Type: eventrt.Warning, Params: []eventrt.Param{{Name: "outcome"}},
	}
	nightly := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: "nightly"})
	p := New()
	p.rejected(eventrt.NewEvent(def, nightly, eventrt.ObjectRef{}, outcomes.Arg(9)), "x")
	p.rejected(eventrt.NewEvent(def, eventrt.ObjectRef{}, eventrt.ObjectRef{}, outcomes.Arg(2)), "y")
	p.rejected(eventrt.Event{}, "z")
	got := p.rejections.list()
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	for i, want := range []refusal{
		{Error: "z"},
		{Error: "y", Type: eventrt.Warning, Reason: "BackupFailed", Object: object{APIVersion: "batch/v1", Kind: "Job"}},
		{Error: "x", Reason: "BackupFinished", Object: object{"batch/v1", "Job", "prod", "nightly"}},
	} {
		want.Time, want.Times, want.Outcome = got[i].Time, 1, "rejected"
		if got[i] != want {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
}
