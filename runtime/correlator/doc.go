// Package correlator decides which occurrences are one event, when it is written, what is tried again, what folds into an
// aggregate, what gives way when a bound is reached, and accounts for all of it.
//
// It is a state machine. Observe takes an occurrence in, Next hands out a write that is due, Done takes the answer; time
// is an argument. For every identity it keeps three counts: recorded, carried by the write in flight, acknowledged. A
// write holds the absolute count, so one that is repeated does no harm.
//
// The first occurrence of an identity is written at once, later ones after 1 s, 2 s, 4 s … up to 5 minutes (with the default
// options) since the last write, all that have gathered by then in one. Writes about one object go one at a time.
//
// Nothing is thrown away because there is much of it: beyond a number of distinct messages, or a budget, of one {object,
// reason, type}, occurrences fold into an aggregate, an event whose note says so. Only the bounds on memory can cost an
// occurrence, and that is counted.
//
// The package has two rooms. What is held, and every link and size in it, is written in internal/store, which decides nothing.
// What is decided stands here, by file:
//
//	correlator.go  the doors: Observe, Next, Done, Drain, Abandon, Stats
//	identity.go    which occurrences are one event: hash and comparison
//	limits.go      threshold, budget, and what folds
//	schedule.go    when a write is due, and in which order
//	buckets.go     limits that shards share: tokens, and who waits for one
//	waiting.go     what of a correlator waits for a token
//	answer.go      what an answer does to the event that was written, as a table
//	render.go      from what is held to a runtime.Write
//	name.go        names of events and of reporting instances
//	bounds.go      what gives way, and what expires
//	lane.go        lanes: what an owner can put off by itself, by namespace and door
//	stuck.go       what is tried in vain, and steps aside
package correlator
