package correlator

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

// TestNoAnswerIsAskedForWithoutEnd: creates, updates and reads each get one answer for ever, in
// every mixture. No event is written in a loop without a pause.
func TestNoAnswerIsAskedForWithoutEnd(t *testing.T) {
	answers := map[string]sink.Answer{
		"done": done(), "conflict": {Outcome: sink.Retry, Conflict: true, Scope: sink.ScopeWrite}, "fails": fails(sink.ScopeObject),
		"gone": {Outcome: sink.Gone}, "exists": {Outcome: sink.Exists}, "quiet": gone(), "forbidden": forbidden(),
		"refused": {Outcome: sink.Refused, Scope: sink.ScopeObject}, "invalid": {Outcome: sink.Refused, Scope: sink.ScopeWrite, Invalid: true},
	}
	rng := newRand(t)
	for _, identity := range []Identity{Instance, Unique} {
		for create, toCreate := range answers {
			for update, toUpdate := range answers {
				for read, toRead := range answers {
					// a read that is done returns nothing, this event, or another one
					for stored := range 3 {
						if stored > 0 && read != "done" {
							continue
						}
						w := drawnWorld(t, Options{}, rng, Writer{Identity: identity, Tag: 1})
						w.answer = func(write *sink.Write) (sink.Answer, time.Duration) {
							switch write.Operation {
							case sink.Create:
								return toCreate, 5 * ms
							case sink.Update:
								return toUpdate, 5 * ms
							}
							a := toRead
							if stored > 0 {
								a.Stored = &corev1.Event{Count: 1, InvolvedObject: write.Regarding, Reason: write.Reason, Type: write.Type, Action: write.Action, ReportingController: write.ReportingController, ReportingInstance: write.ReportingInstance}
								if stored == 2 {
									a.Stored.Reason = "Foreign"
								}
							}
							return a, 5 * ms
						}
						for n := range 60 {
							w.at(time.Duration(n)*time.Second, func() { w.record("prod", "o", "same") })
						}
						w.run(10 * minute)
						if len(w.calls) > 10*40 {
							t.Errorf("%v: creates %s, updates %s, reads %s (%d): %d calls", identity, create, update, read, stored, len(w.calls))
						}
					}
				}
			}
		}
	}
}
