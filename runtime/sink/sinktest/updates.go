package sinktest

import (
	"math"
	"slices"
	"strings"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

func updateScenarios() []scenario {
	return slices.Concat(countUpdates(), conditionalUpdates(), repeatedCreates(), goneUpdates(), aggregateUpdates(), noteUpdates(), writerUpdates())
}

func countUpdates() []scenario {
	return []scenario{
		{"second occurrence", []step{first(unchanged), then(sink.Done, raise(2))}},
		{"many updates in a row", []step{first(unchanged), then(sink.Done, raise(2)), then(sink.Done, raise(3)),
			then(sink.Done, raise(1000))}},
		{"update of a merged create", []step{first(raise(5)), then(sink.Done, raise(6))}},
		{"update to MaxInt32", []step{first(unchanged), then(sink.Done, raise(math.MaxInt32))}},
		{"the same update again", []step{first(unchanged), then(sink.Done, raise(2)), then(sink.Done, raise(2))}},
		{"update to a lower count", []step{first(raise(9)), then(sink.Done, raise(4))}},
		{"update of one occurrence", []step{first(unchanged), then(sink.Done, raise(1))}},
		{"update without a last time", []step{first(unchanged), {core: sink.Done, events: sink.Refused,
			change: func(w *sink.Write) { w.Count, w.Last = 2, time.Time{} }}}},
		{"what an update does not carry", []step{first(unchanged), then(sink.Done, func(w *sink.Write) {
			raise(2)(w)
			w.Note, w.Reason, w.First = []byte("another"), "Another", moment.Add(time.Hour)
		})}},
	}
}

func conditionalUpdates() []scenario {
	return []scenario{
		{"unconditional update", []step{first(unchanged), then(sink.Done, unconditional(2))}},
		{"stale precondition, then none", []step{first(unchanged), then(sink.Done, raise(2)),
			stale(func(w *sink.Write) { raise(3)(w); w.ResourceVersion-- }), then(sink.Done, unconditional(3))}},
		{"precondition of the future", []step{first(unchanged),
			stale(func(w *sink.Write) { raise(2)(w); w.ResourceVersion += 1 << 40 })}},
	}
}

func repeatedCreates() []scenario {
	return []scenario{
		{"second create", []step{first(unchanged), then(sink.Exists, again)}},
		{"second create, then update", []step{first(unchanged), then(sink.Exists, again), then(sink.Done, unconditional(2))}},
		{"second create, then update of one", []step{first(unchanged), then(sink.Exists, again), then(sink.Done, unconditional(1))}},
		{"invalid second create", []step{first(unchanged), then(sink.Refused, func(w *sink.Write) {
			again(w)
			w.Annotations = []eventrt.Annotation{{Key: "bad key"}}
		})}},
	}
}

func goneUpdates() []scenario {
	missing := func(change func(*sink.Write)) []step {
		return []step{then(sink.Gone, func(w *sink.Write) { w.Operation = sink.Update; raise(2)(w); change(w) })}
	}
	return []scenario{
		{"update of a missing event", missing(unchanged)},
		{"update of a missing event, conditional", missing(func(w *sink.Write) { w.ResourceVersion = 7 })},
		{"update in a missing namespace", missing(func(w *sink.Write) { w.Namespace = MissingNamespace })},
	}
}

func aggregateUpdates() []scenario {
	raised := func(change func(*sink.Write)) func(*sink.Write) {
		return func(w *sink.Write) { raise(2)(w); change(w) }
	}
	return []scenario{
		{"aggregate", []step{first(aggregate("one", "1")),
			then(sink.Done, raised(aggregate("two \"quoted\"\n\\ 日本 \u2028 \xff", "2 \"\\\n\x01 \xfe")))}},
		{"aggregate gains annotations", []step{first(unchanged), then(sink.Done, raised(aggregate("combined", "3"))),
			then(sink.Done, raise(3))}},
		{"labels stay", []step{first(labels("first")), then(sink.Done, raised(labels("second"))),
			then(sink.Done, raised(aggregate("combined", "3"))), then(sink.Done, raise(4))}},
		{"aggregate with a bad annotation", []step{first(unchanged), then(sink.Refused, raised(func(w *sink.Write) {
			w.Aggregate, w.Annotations = true, []eventrt.Annotation{{Key: "bad key", Value: "v"}}
		}))}},
		{"aggregate with a note beyond its limit", []step{first(unchanged),
			then(sink.Done, raised(aggregate(strings.Repeat("n", noteLimit+1), "1")))}},
	}
}

func noteUpdates() []scenario {
	latest := func(n int32, note string) func(*sink.Write) {
		return func(w *sink.Write) {
			raise(n)(w)
			w.LatestNote, w.Note, w.Annotations = true, []byte(note), nil
		}
	}
	return []scenario{
		{"latest note", []step{first(unchanged), then(sink.Done, latest(2, "now \"quoted\"\n\\ 日本 \u2028 \xff")), then(sink.Done, latest(3, "and now"))}},
		{"latest note of one occurrence", []step{first(unchanged), then(sink.Done, latest(1, "the same"))}},
		{"latest note, then none", []step{first(unchanged), then(sink.Done, latest(2, "now")), then(sink.Done, func(w *sink.Write) {
			raise(3)(w)
			w.LatestNote = false
		})}},
		{"latest note of a create", []step{first(latest(3, "begun"))}},
	}
}

// writerUpdates are those of an event that several writers write.
func writerUpdates() []scenario {
	key := func(id string) string { return sink.WriterAnnotation + id }
	counts := func(n int32, id, own string, dropped ...string) func(*sink.Write) {
		return func(w *sink.Write) {
			raise(n)(w)
			w.Annotations, w.Dropped = []eventrt.Annotation{{Key: key(id), Value: own}}, dropped
		}
	}
	joins := func(change func(*sink.Write)) func(*sink.Write) {
		return func(w *sink.Write) {
			change(w)
			w.Joins, w.First, w.Note = true, moment.Add(-time.Hour), []byte("joined")
		}
	}
	return []scenario{
		{"a writer's count", []step{first(counts(1, "a", "1")), then(sink.Done, counts(2, "a", "2")), then(sink.Done, counts(5, "b", "3"))}},
		{"a writer joins", []step{first(counts(1, "a", "1")), then(sink.Done, joins(counts(2, "b", "1"))), then(sink.Done, counts(3, "b", "2"))}},
		{"a writer's count is summed up", []step{first(counts(1, "a", "1")), then(sink.Done, joins(counts(2, "b", "1", key("a")))),
			then(sink.Done, counts(3, "c", "1", key("b"), key("none")))}},
		{"a writer's count with a bad key", []step{first(unchanged), then(sink.Refused, counts(2, "bad key", "1"))}},
	}
}

// raise is an update to a count, with a time that goes with it.
func raise(n int32) func(*sink.Write) {
	return func(w *sink.Write) { w.Count, w.Last = n, moment.Add(time.Duration(n)*time.Millisecond) }
}

func unconditional(n int32) func(*sink.Write) {
	return func(w *sink.Write) { raise(n)(w); w.ResourceVersion = 0 }
}

// stale is an update whose precondition does not hold.
func stale(change func(*sink.Write)) step {
	return step{change: change, core: sink.Retry, events: sink.Retry, conflict: true}
}

func again(w *sink.Write) { w.Operation, w.ResourceVersion = sink.Create, 0 }

// labels are set by a create, and sent by no update.
func labels(value string) func(*sink.Write) {
	return func(w *sink.Write) { w.Labels = []eventrt.Annotation{{Key: "example.com/team", Value: value}} }
}

func aggregate(note, distinct string) func(*sink.Write) {
	return func(w *sink.Write) {
		w.Aggregate = true
		w.Note = []byte(note)
		w.Annotations = []eventrt.Annotation{{Key: "example.com/distinct", Value: distinct}, {Key: "example.com/kept", Value: "k"}}
	}
}
