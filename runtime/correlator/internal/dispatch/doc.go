// Package dispatch decides which item goes to a server, and when. An item is something to write: it
// says by its Facts in which namespace, by which route and about which object, and nothing of its
// content. The package is a state machine without I/O, goroutines or a clock; time is an argument
// of the calls that begin with one: At, Begin, Done and Drain.
//
// # Files
//
//	dispatch.go  the dispatcher, its items, and the entry points
//	place.go     where an item waits: until it is due, and behind others of its object
//	limit.go     token buckets of limits, and the items that wait for a token
//	gate.go      the one door: whether a lane may have a call now
//	lanes.go     the order of lanes, and of the items in a lane
//	calls.go     calls in flight: slow ones, time-outs
//	answer.go    the effect of an answer on a lane and the server
//	retry.go     when a failed item goes again, and stepping aside
package dispatch
