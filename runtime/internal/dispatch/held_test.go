package dispatch

import (
	"testing"
	"time"

	"github.com/event-gen/event-gen/runtime/correlator"
)

// TestWhatIsKnownOfALane that waits at each of its scopes.
func TestWhatIsKnownOfALane(t *testing.T) {
	tests := map[string]struct {
		is                               func(*lane)
		atServer, atGroup, atSpace, atIt wait
	}{
		"nothing":                    {func(*lane) {}, forUnknown, forUnknown, forUnknown, forUnknown},
		"it was served":              {func(l *lane) { l.namespace.proven = true }, forNormal, forNormal, forNormal, forNormal},
		"it is sick":                 {func(l *lane) { l.own.sick = true }, forFailing, forFailing, forFailing, forFailing},
		"its namespace is sick":      {func(l *lane) { l.namespace.health.sick = true }, forFailing, forFailing, forUnknown, forUnknown},
		"it was refused once":        {func(l *lane) { l.own.sick, l.doubt.cause = true, noRight }, forUnknown, forUnknown, forUnknown, forUnknown},
		"one has failed":             {func(l *lane) { l.own.failures = 1 }, forUnserved, forUnserved, forUnserved, forUnserved},
		"one has failed beside it":   {func(l *lane) { l.namespace.health.failures = 1 }, forUnserved, forUnserved, forUnserved, forUnserved},
		"served, and one has failed": {func(l *lane) { l.namespace.proven, l.own.failures = true, 1 }, forMixed, forMixed, forMixed, forMixed},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, l := oneLane()
			tt.is(l)
			want := [...]wait{ofServer: tt.atServer, ofGroup: tt.atGroup, ofNamespace: tt.atSpace, ofLane: tt.atIt}
			for _, at := range l.chain() {
				if got := l.standing(at); got != want[at.scope] {
					t.Errorf("at scope %d: %d, expected %d", at.scope, got, want[at.scope])
				}
			}
		})
	}
}

// TestWhenASickScopeMayBeTried with lanes of each list: soon, unless the lane is known to fail in this very scope, or the server is away for
// certain; at once with one of which nothing bad is known, if the scope is eager.
func TestWhenASickScopeMayBeTried(t *testing.T) {
	const soon, next = time.Second, 8 * time.Second
	tests := []struct {
		trouble trouble
		want    [waits]time.Duration // for Warning, Normal, unknown, mixed, unserved, failing
	}{
		{trouble{scope: ofServer}, [waits]time.Duration{soon, soon, soon, soon, soon, soon}},
		{trouble{scope: ofGroup}, [waits]time.Duration{soon, soon, soon, soon, soon, soon}},
		{trouble{scope: ofNamespace}, [waits]time.Duration{soon, soon, soon, soon, soon, next}},
		{trouble{scope: ofLane}, [waits]time.Duration{soon, soon, soon, soon, soon, next}},
		{trouble{scope: ofServer, sure: true, eager: true}, [waits]time.Duration{next, next, next, next, next, next}},
		{trouble{scope: ofServer, eager: true}, [waits]time.Duration{0, 0, 0, soon, soon, soon}},
	}
	for _, tt := range tests {
		tt.trouble.soon, tt.trouble.next = soon, next
		for w := range waits {
			if got := tt.trouble.dueIn(w); got != tt.want[w] {
				t.Errorf("scope %d, sure %v, eager %v, list %d: %v, expected %v", tt.trouble.scope, tt.trouble.sure, tt.trouble.eager, w, got, tt.want[w])
			}
		}
	}
}

// TestWhatFailsGoesBehindOthers: a lane that waits moves behind those of which nothing bad is known once a call of its namespace has failed
// or hangs, and a namespace that was served before goes ahead of those that never were.
func TestWhatFailsGoesBehindOthers(t *testing.T) {
	d, l := oneLane()
	group := l.group
	group.sick = true
	other := d.lookUp("other", l.door)
	for _, waiting := range []*lane{l, other} {
		waiting.ready[correlator.Normal] = 1
		d.hold(waiting, group)
	}
	l.own.failures = 1
	d.demote(l.namespace)
	if l.heldIn != forUnserved || group.candidate() != other {
		t.Errorf("a lane that has failed waits in list %d, before another one", l.heldIn)
	}
	other.own.failures, other.namespace.proven = 1, true
	d.hold(other, group)
	if group.candidate() != other {
		t.Error("a namespace that was never served goes before one that was")
	}
}

// TestWhatKeepsALaneFromATry of its namespace: a wider scope that admits nothing, or the lane's own trouble unless the try can count as one of
// that, too.
func TestWhatKeepsALaneFromATry(t *testing.T) {
	const now = 5 * time.Second
	tests := map[string]struct {
		is   func(*lane)
		want scope
	}{
		"nothing":                        {func(*lane) {}, ofNamespace},
		"the server is sick":             {func(l *lane) { l.server.sick = true }, ofServer},
		"its group is sick":              {func(l *lane) { l.group.sick = true }, ofGroup},
		"its group is full":              {func(l *lane) { l.group.inFlight = l.group.full }, ofGroup},
		"it is sick and due":             {func(l *lane) { l.own.sick, l.own.next = true, now }, ofNamespace},
		"it is sick and not due":         {func(l *lane) { l.own.sick, l.own.next = true, now+1 }, ofLane},
		"it is sick and being tried":     {func(l *lane) { l.own.sick, l.own.next, l.own.tries = true, now, 1 }, ofLane},
		"it is full":                     {func(l *lane) { l.own.next, l.own.inFlight = now, l.own.full }, ofLane},
		"it recovers, and is not due":    {func(l *lane) { l.own.limit, l.own.next = 2, now+1 }, ofNamespace},
		"it recovers, and has two calls": {func(l *lane) { l.own.limit, l.own.tries = 2, 2 }, ofLane},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, l := oneLane()
			l.namespace.health.sick = true
			tt.is(l)
			got := ofNamespace // none but the scope that is tried
			if o := l.obstacleBeside(&l.namespace.health, now); o != nil {
				got = o.scope
			}
			if got != tt.want {
				t.Errorf("scope %d, expected %d", got, tt.want)
			}
		})
	}
}

// TestALaneIsForgottenWhenItHasNothing: neither work, nor anything in flight, nor a trouble, nor a place in a queue.
func TestALaneIsForgottenWhenItHasNothing(t *testing.T) {
	has := map[string]func(*lane){
		"a Warning":                 func(l *lane) { l.ready[correlator.Warning] = 1 },
		"a Normal event":            func(l *lane) { l.ready[correlator.Normal] = 1 },
		"something to try again":    func(l *lane) { l.ready[correlator.Retry] = 1 },
		"something to refuse":       func(l *lane) { l.refuse = 1 },
		"a call in flight":          func(l *lane) { l.own.inFlight = 1 },
		"a trouble":                 func(l *lane) { l.own.sick = true },
		"a place at a trouble":      func(l *lane) { l.heldBy = l.server },
		"a place among Warnings":    func(l *lane) { l.queued[correlator.Warning] = true },
		"a place among Normal ones": func(l *lane) { l.queued[correlator.Normal] = true },
		"a place among retries":     func(l *lane) { l.queued[correlator.Retry] = true },
	}
	for name, is := range has {
		_, l := oneLane()
		l.ready, l.queued = [correlator.Kinds]uint64{}, [correlator.Kinds]bool{}
		if !l.idle() {
			t.Error("a lane with nothing is not idle")
		}
		if is(l); l.idle() {
			t.Errorf("a lane with %s is idle", name)
		}
	}
}
