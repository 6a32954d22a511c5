// Package correlator is the whole state of recording. It decides which occurrences are one event,
// and when each event is written. It chooses the next write, keeps trouble to its scope, aggregates
// events, and keeps the bounds on memory. It accounts for every occurrence.
//
// It is a state machine without I/O, goroutines or a clock. Observe records an occurrence, Next
// hands out the next write, Done takes its answer. Time is an argument. Its owner holds one lock
// around each call. For each identity the correlator keeps three counts: recorded, carried by the
// write in flight, acknowledged. A write holds the absolute count, so sending a write twice does no
// harm. The name of an event is a hash of its identity, so that other processes write the same
// event; see stored.go.
//
// The first occurrence of an identity is written at once. Later occurrences gather, and are written
// 1 s, 2 s, 4 s … up to 5 minutes (with the default options) after the last write, in one write
// each. Writes about one object go one at a time.
//
// A burst loses nothing. If one {object, reason, type} exceeds its threshold of distinct messages,
// or its budget of new events, further occurrences are aggregated: an event whose note
// shows that it stands for several. Only the bounds on memory cost occurrences, and the correlator
// counts them as evicted.
//
// # Glossary
//
// The code, the documentation and the messages of this module use these words in one sense:
//
//   - Occurrence: one call that records an event.
//   - Identity: what makes occurrences one event: object, related object, declaration, controller
//     and params. The correlator holds a record for each identity, with its counts.
//   - Writer: a correlator that writes an event. An event may have several, in several processes.
//     Each keeps its own count in an annotation.
//   - Base: the occurrences of a stored event that were recorded by other writers.
//   - Group: the identities of one {object, reason, type}, which share a threshold and a budget. An
//     event with an interval or a limit has a group of its own.
//   - Aggregate: the identity that a group's further distinct messages are aggregated into, beyond
//     its threshold or budget.
//   - Budget: the number of new events that a group may have: Burst at once, and one more each
//     Every. Repeats spend none of it.
//   - Evicted: given up because a bound on memory was reached, and counted as lost.
//   - Call: a write that is with the sink; pages for users say request. A call without an answer
//     for a second is slow: it counts as a failure, and gives its slot to another.
//   - Lane: the writes into one namespace by one route. Healthy lanes take turns. One that fails,
//     or is denied, backs off: it has one call at a time, and a pause before each.
//   - Route: the way of a write: a create, or an update in one of the two API groups. RBAC grants
//     rights by route.
//   - Gate: the state of the calls of a lane, or of all calls. The function admit reads the gates
//     and decides about every call.
//   - Proven: a lane becomes proven by a call that succeeds. When a proven lane fails, no lane is
//     proven any more until its next success: what has failed for one may fail for all.
//   - Doubt: after sixteen failures in a row the server is in doubt. Then one call at a time goes,
//     soon one a second, and the calls of proven lanes, until a call succeeds.
//   - Scarce: slots are scarce while the server is in doubt, or a quarter of the slots are slow.
//     Unproven lanes then go newest first.
//   - Trial: a call that is likely to fail, because its lane backs off, or its write has failed
//     before. All trials share five failures a second.
//   - Denial: the server answers that a right, or a namespace, is missing. After a grace period of
//     30 s with no other answer the denial is confirmed. Until then writes wait; from then on
//     writes that fall due are lost.
//   - Stepping aside: a write that fails again and again lets the other writes of its object go
//     first.
//   - Drain: the end of recording. Everything pending is due, whatever the schedule says.
//
// # Rooms
//
// The state has three parts. The ledger knows events: what was recorded, and what is stored. The
// protocol knows one event's writes and their answers. The dispatcher knows neither: it orders
// items, keeps trouble to its scope, and decides when each goes. Data flows one way: the entry
// points ask the dispatcher for an item, and tell it what became of it.
//
//	correlator.go  the entry points: Observe, Next, Done, Drain, Abandon, Stats
//
//	record.go      ledger: records, groups and objects, and their links
//	ledger.go      the counts of one event
//	identity.go    which occurrences are one event: hash and comparison
//	hash.go        the hash of an identity, which is the event's name
//	name.go        names of events and of reporting instances
//	aggregate.go   threshold, budget, and aggregation
//	bounds.go      eviction, expiry, and the memory that is counted
//	namespaces.go  the pending events by namespace, and which event gives way
//	look.go        what the owner may see
//
//	schedule.go    protocol: when an event has its next write
//	outcome.go     the effect of an answer on the written event, as a table
//	stored.go      the results of Reads, and whose occurrences a stored event counts
//	render.go      a record as a sink.Write
//
//	internal/dispatch  the dispatcher
package correlator
