package broadcaster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestSnapshotAgreesWithPlainCounts records at random, and counts what the snapshot says apart from
// it.
func TestSnapshotAgreesWithPlainCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(seed.Of(t), 0))
	release := make(chan struct{})
	b, err := broadcaster.New(broadcaster.Options{Sink: sinkFunc(func(ctx context.Context, _ *sink.Write) sink.Answer {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return sink.Answer{Outcome: sink.Done}
	})})
	if err != nil {
		t.Fatal(err)
	}
	objects, reasons, pending := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	const recorded = 3000
	for range recorded {
		object := fmt.Sprint("job-", int(r.ExpFloat64()*30))
		e := failedEvent(object)
		if r.IntN(3) == 0 {
			e = createdEvent(object, r.IntN(3))
		}
		b.Publish(e)
		objects[object]++
		reasons[e.Reason()]++
		pending[object+"/"+e.Reason()]++
	}
	s := b.Snapshot(1 << 20)
	if len(s.Objects) != len(objects) || len(s.Reasons) != len(reasons) {
		t.Errorf("%d objects, want %d; %d reasons, want %d", len(s.Objects), len(objects), len(s.Reasons), len(reasons))
	}
	for i, n := range s.Objects {
		if n.Occurrences != objects[n.Regarding.Name] || n.Regarding.Kind != "Job" || n.Regarding.Namespace != "prod" || n.Regarding.UID != "uid-"+n.Regarding.Name {
			t.Errorf("%+v: %d occurrences, want %d", n.Regarding, n.Occurrences, objects[n.Regarding.Name])
		}
		if i > 0 && n.Occurrences > s.Objects[i-1].Occurrences {
			t.Error("objects are not in order")
		}
	}
	for _, n := range s.Reasons {
		if n.Occurrences != reasons[n.Reason] {
			t.Errorf("%s: %d occurrences, want %d", n.Reason, n.Occurrences, reasons[n.Reason])
		}
	}
	for i, w := range s.Waiting {
		pending[w.Regarding.Name+"/"+w.Reason] -= w.Pending
		if i > 0 && w.For > s.Waiting[i-1].For {
			t.Error("what waits is not in order")
		}
	}
	for what, n := range pending {
		if n != 0 {
			t.Errorf("%s: %d more wait than are shown", what, int64(n))
		}
	}
	few := b.Snapshot(3)
	for i := range few.Objects {
		if few.Objects[i].Occurrences != s.Objects[i].Occurrences {
			t.Errorf("the first three objects are %+v", few.Objects)
		}
	}
	if len(few.Objects) != 3 || len(few.Waiting) != 3 || len(few.Reasons) != 2 || few.Stats.Recorded != recorded {
		t.Errorf("%+v", few)
	}
	if none := b.Snapshot(0); len(none.Objects)+len(none.Waiting)+len(none.Reasons)+len(none.Refusals) != 0 {
		t.Errorf("%+v", none)
	}
	joined := broadcaster.JoinSnapshots(3, few, s)
	if joined.Stats.Recorded != 2*recorded || len(joined.Objects) != 3 || joined.Objects[0].Occurrences != s.Objects[0].Occurrences {
		t.Errorf("joined: %+v", joined.Objects)
	}
	close(release)
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := b.Snapshot(10); !s.Ended || len(s.Waiting) != 0 {
		t.Errorf("after the end: %+v", s)
	}
}

// TestSnapshotOfTroubles: scopes that take nothing are named, until they do.
func TestSnapshotOfTroubles(t *testing.T) { synctest.Test(t, testSnapshotOfTroubles) }

func testSnapshotOfTroubles(t *testing.T) {
	away := make(chan struct{})
	b, err := broadcaster.New(broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		select {
		case <-away:
			return sink.Answer{Outcome: sink.Done}
		default:
			return sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, Err: context.DeadlineExceeded}
		}
	})})
	if err != nil {
		t.Fatal(err)
	}
	for n := range 20 {
		b.Publish(createdEvent(fmt.Sprint("job-", n), n))
	}
	time.Sleep(10 * time.Second) // simulated
	if s := b.Snapshot(1); len(s.Troubles) == 0 || s.Troubles[0].Err != context.DeadlineExceeded.Error() {
		t.Errorf("troubles %+v", s.Troubles)
	}
	close(away)
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := b.Snapshot(1); len(s.Troubles) != 0 {
		t.Errorf("troubles after the end: %+v", s.Troubles)
	}
}

// TestSnapshotOfMissingRights: a namespace whose events are refused is in trouble, until one is
// taken or none is recorded for a while.
func TestSnapshotOfMissingRights(t *testing.T) { synctest.Test(t, testSnapshotOfMissingRights) }

func testSnapshotOfMissingRights(t *testing.T) {
	var granted atomic.Bool
	b, err := broadcaster.New(broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		if granted.Load() {
			return sink.Answer{Outcome: sink.Done}
		}
		return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Err: context.Canceled}
	})})
	if err != nil {
		t.Fatal(err)
	}
	record := func(seconds int) []broadcaster.Trouble {
		for n := range seconds {
			b.Publish(createdEvent(fmt.Sprint("job-", time.Now().UnixNano()), n))
			time.Sleep(time.Second) // simulated
		}
		return b.Snapshot(1).Troubles
	}
	got := record(100)
	if len(got) != 1 || got[0].Namespace != "prod" || got[0].Err != context.Canceled.Error() || got[0].For < 30*time.Second {
		t.Errorf("without the right: %+v", got)
	}
	time.Sleep(2 * time.Minute)
	if got := b.Snapshot(1).Troubles; len(got) != 0 {
		t.Errorf("after two minutes without events: %+v", got)
	}
	if got := record(100); len(got) != 1 {
		t.Errorf("without the right again: %+v", got)
	}
	granted.Store(true)
	if got := record(60); len(got) != 0 {
		t.Errorf("with the right: %+v", got)
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// silent is an error that can't be asked.
type silent struct{}

func (silent) Error() string { panic("no text") }

func TestAnAnswerWithoutTextHarmsNobody(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		return sink.Answer{Outcome: sink.Refused, Err: silent{}}
	})})
	b.Publish(createdEvent("job", 1))
	b.Publish(createdEvent("other", 1))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	s := b.Snapshot(10)
	if s.Stats.Lost.Refused != 2 || len(s.Refusals) != 1 || s.Refusals[0].Times != 2 || s.Refusals[0].Err != "<panic>" {
		t.Errorf("%+v", s)
	}
}
