// Package correlator decides which occurrences are one event, when each event is written, which writes are tried again, what
// folds into an aggregate, and what is given up when a bound is reached. It accounts for every occurrence.
//
// It is a state machine. Observe takes an occurrence in, Next hands out a write that is due, Done takes the answer. Time is an
// argument. For each identity the correlator keeps three counts: recorded, carried by the write in flight, acknowledged. A
// write holds the absolute count, so a write that is sent twice does no harm.
//
// The first occurrence of an identity is written at once. Later occurrences gather, and are written 1 s, 2 s, 4 s … up to 5 minutes
// (with the default options) after the last write, in one write each. Writes about one object go one at a time.
//
// Nothing is thrown away because there is much of it. Beyond a number of distinct messages, or a budget, of one {object, reason,
// type}, occurrences fold into an aggregate, an event whose note says so. Only the bounds on memory can cost an occurrence, and
// the correlator counts it as shed.
//
// # Glossary
//
// The code, the documentation and the messages of this module use these words in one sense:
//
//   - Occurrence: one call that records an event.
//   - Identity: what makes occurrences one event: object, related object, declaration, controller and params. The correlator holds a
//     record for each identity, with its counts.
//   - Group: the identities of one {object, reason, type}, which share a threshold and a budget. An event with an interval or a limit has
//     a group of its own.
//   - Aggregate: the identity that a group's further distinct messages fold into, beyond its threshold or budget.
//   - Budget: the number of new events that a group may have: Burst at once, and one more each Every. Repeats spend none of it.
//   - Shed: given up because a bound on memory was reached, and counted as lost.
//   - Lane: what one namespace sends through one door: its creates, or its updates by API group. An owner can put off a lane by itself.
//   - Scope: a part of the server that can fail by itself: an object, a lane, a namespace, an API group, or the whole server.
//   - Trouble: calls of a scope fail. A sick scope takes one call at a time, until a call succeeds.
//   - Drain: the end of recording. Everything pending is due, whatever the schedule says.
//
// # Files
//
// What is held, and every link and size in it, is written in internal/store, which decides nothing. This package decides:
//
//	correlator.go  the entry points: Observe, Next, Done, Drain, Abandon, Stats
//	identity.go    which occurrences are one event: hash and comparison
//	limits.go      threshold, budget, and what folds
//	schedule.go    when a write is due, and in which order
//	buckets.go     limits that shards share: tokens, and the identities that wait for one
//	waiting.go     the part of a correlator that waits for a token
//	answer.go      what an answer does to the event that was written, as a table
//	render.go      from what is held to a runtime.Write
//	kept.go        texts that need not be made again for the next write
//	name.go        names of events and of reporting instances
//	bounds.go      what is given up, and what expires
//	lane.go        lanes, by namespace and door
//	stuck.go       events that fail again and again, and step aside
package correlator
