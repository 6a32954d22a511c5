package dispatch

import (
	"errors"
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// oneLane is a dispatcher with a lane that has something ready, and the lane.
func oneLane() (*Dispatcher, *lane) {
	d := New(Options{Workers: 8, Shards: 1, Delay: time.Second, MaxDelay: 10 * time.Second, MaxPatience: time.Minute})
	d.Ready(0, &correlator.Lane{Namespace: "n"}, 0)
	return d, d.spaces["n"].lanes[correlator.Creates]
}

// answerOne has the lane's next call answered.
func answerOne(t *testing.T, d *Dispatcher, object uint64, a runtime.Answer, now time.Duration) Verdict {
	t.Helper()
	d.Ready(0, &correlator.Lane{Namespace: "n"}, now)
	for range 4 { // finds where the lane has to wait
		if j, _, ok := d.Take(now); ok {
			return d.Done(&j, object, &a, now)
		}
	}
	t.Fatal("expected a job")
	return Verdict{}
}

// TestALaneIsHopelessWhereASickScopeWasTriedInVain often enough since Drain.
func TestALaneIsHopelessWhereASickScopeWasTriedInVain(t *testing.T) {
	d, l := oneLane()
	for _, scope := range l.chain() {
		for _, c := range []struct {
			sick bool
			vain int
			want bool
		}{{true, 2, false}, {true, 3, true}, {false, 3, false}} {
			scope.sick, scope.vain = c.sick, c.vain
			if got := d.Hopeless("n", correlator.Creates, 3); got != c.want {
				t.Errorf("scope %d: hopeless %v with %+v", scope.scope, got, c)
			}
		}
		scope.sick, scope.vain = false, 0
	}
	if d.Hopeless("other", correlator.Creates, 0) || d.Hopeless("n", correlator.Creates+1, 0) {
		t.Error("a lane of which nothing is known is hopeless")
	}
}

// TestInDoubtIsWhatWaitsForARight that may be missing.
func TestInDoubtIsWhatWaitsForARight(t *testing.T) {
	for _, c := range []struct {
		doubt    doubt
		ready    uint64
		inFlight int
		want     bool
	}{
		{doubt{cause: noRight}, 1, 0, true}, {doubt{cause: noRight}, 0, 1, true}, {doubt{cause: noRight}, 0, 0, false},
		{doubt{cause: noRight, believed: true}, 1, 1, false}, {doubt{cause: noNamespace}, 1, 1, false}, {doubt{}, 1, 1, false},
	} {
		d, l := oneLane()
		l.doubt, l.ready[correlator.Warning], l.ready[correlator.Normal], l.own.inFlight = c.doubt, c.ready, 0, c.inFlight
		l.ready[correlator.Retry] = 0
		if got := d.InDoubt(); got != c.want {
			t.Errorf("%+v: in doubt %v", c, got)
		}
	}
}

// TestWhatIsDeniedIsNews each time that it costs events, and what is gone whenever that is found out.
func TestWhatIsDeniedIsNews(t *testing.T) {
	for outcome, what := range map[runtime.Outcome]What{runtime.Forbidden: Denied, runtime.RefusedQuietly: Gone} {
		d, _ := oneLane()
		refusal := runtime.Answer{Outcome: outcome, Scope: runtime.ScopeNamespace, Err: errors.New("no")}
		told := 0
		for at := time.Duration(0); at < 3*time.Minute; at += 31 * time.Second {
			v := answerOne(t, d, 1, refusal, at)
			for j, _, ok := d.Take(at); ok; j, _, ok = d.Take(at) { // what is refused
				d.Refused(&j, false)
			}
			if wants := at > 0; (v.Fate == correlator.Refused) != wants || (len(v.News) == 1 && v.News[0].What == what) != wants {
				t.Errorf("outcome %v at %v: %+v", outcome, at, v)
			}
			told += len(v.News)
		}
		if told != 5 {
			t.Errorf("outcome %v: told %d times", outcome, told)
		}
	}
}

// TestAScopeThatIsLimitedIsToldOnce, after three calls in vain, and not before.
func TestAScopeThatIsLimitedIsToldOnce(t *testing.T) {
	d, _ := oneLane()
	for n := range 6 {
		v := answerOne(t, d, 1, limited(runtime.ScopeNamespace, 0), time.Duration(n)*time.Minute)
		if told := len(v.News) == 1; told != (n == several-1) {
			t.Errorf("call %d: %+v", n+1, v.News)
		}
	}
}

// TestAFailureInASickScopeIsExcused, and one in a well scope is not.
func TestAFailureInASickScopeIsExcused(t *testing.T) {
	d, _ := oneLane()
	for n := range 2 * several {
		v := answerOne(t, d, uint64(n+1), away(runtime.ScopeNamespace), time.Duration(n)*time.Minute)
		if excused := v.Fate == correlator.Excused; excused != (n >= several-1) {
			t.Errorf("failure %d: fate %v", n+1, v.Fate)
		}
	}
}

// TestSomebodyLooksWhereLanesWaitForCallsInFlight, of the server or of any API group.
func TestSomebodyLooksWhereLanesWaitForCallsInFlight(t *testing.T) {
	for door := range correlator.Doors {
		d, l := oneLane()
		scopes := []*trouble{&d.server, &d.groups[door]}
		for _, s := range scopes {
			for _, c := range []struct {
				tries       int
				holds, want bool
			}{{0, false, false}, {1, false, false}, {0, true, false}, {1, true, true}} {
				s.tries = c.tries
				if c.holds {
					s.hold(l)
				}
				if got := d.waitsForFlight(); got != c.want {
					t.Errorf("scope %d, door %d: %v with %+v", s.scope, door, got, c)
				}
				if s.tries = 0; c.holds {
					s.release(l)
				}
			}
		}
		d.server.hold(l)
		d.server.tries = 1
		d.groups[door].tries = 1 // holds nothing
		if !d.waitsForFlight() {
			t.Errorf("door %d: nobody looks though lanes wait at the server", door)
		}
	}
}

func TestEarlier(t *testing.T) {
	for _, c := range []struct{ a, b, want time.Duration }{{-1, -1, -1}, {-1, 5, 5}, {5, -1, 5}, {0, 5, 0}, {5, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {3, 5, 3}, {5, 3, 3}} {
		if got := earlier(c.a, c.b); got != c.want {
			t.Errorf("earlier(%d, %d) = %d, expected %d", c.a, c.b, got, c.want)
		}
	}
}

// TestANamespaceThatIsWellExcusesNobody: others that failed in an outage of a wider scope wait for the end of that.
func TestANamespaceThatIsWellExcusesNobody(t *testing.T) {
	for _, c := range []struct {
		well          func(*lane) *trouble // recovers
		excused, sick bool
		want          bool
	}{
		{func(l *lane) *trouble { return &l.own }, true, true, false},
		{func(l *lane) *trouble { return &l.namespace.health }, true, true, false},
		{func(l *lane) *trouble { return l.group }, true, true, true},
		{func(l *lane) *trouble { return l.server }, true, true, true},
		{func(l *lane) *trouble { return l.server }, false, true, false},
		{func(l *lane) *trouble { return l.server }, true, false, false},
	} {
		d, l := oneLane()
		other := &d.lookUp("other", correlator.Creates).namespace.health
		other.sick, other.excused, other.soon, other.next = c.sick, c.excused, time.Second, 9*time.Second
		well := c.well(l)
		well.fall(0)
		d.proven(l, 2*time.Second, false)
		if well.sick || (other.next == time.Second) != c.want {
			t.Errorf("scope %d is sick: %v; the other is tried at %v with %+v", well.scope, well.sick, other.next, c)
		}
	}
}

// TestAStuckCallCountsInItsPhaseOnly: the server has fallen sick since a call began that is stuck now, and is being tried by another. The
// next try waits for that one.
func TestAStuckCallCountsInItsPhaseOnly(t *testing.T) {
	d, l := oneLane()
	if _, _, ok := d.Take(0); !ok {
		t.Fatal("expected a job")
	}
	l.server.fall(0)
	l.server.tries = 1
	d.suspect(stuckAfter)
	if l.server.tries != 1 || l.group.tries != 0 {
		t.Errorf("tries of the server %d, of the group %d", l.server.tries, l.group.tries)
	}
}

// TestWhatFailsInASickLaneWidensNothing beyond its namespace: three lanes that are sick go on failing, in namespaces that are well.
func TestWhatFailsInASickLaneWidensNothing(t *testing.T) {
	for _, part := range []func(*lane) *trouble{func(l *lane) *trouble { return &l.own }, func(l *lane) *trouble { return &l.namespace.health }} {
		d, _ := oneLane()
		away := away(runtime.ScopeUnknown)
		for _, namespace := range []string{"a", "b", "c"} {
			l := d.lookUp(namespace, correlator.Creates)
			part(l).fall(0)
			d.failed(&Job{lane: l}, &flight{lane: l}, 1, &away, time.Second)
		}
		if d.server.failures+d.groups[correlator.Creates].failures > 0 || d.server.sick || d.groups[correlator.Creates].sick {
			t.Errorf("the server has %d failures, the group %d", d.server.failures, d.groups[correlator.Creates].failures)
		}
	}
}
