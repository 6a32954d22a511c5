// Package dispatch decides which shard a worker serves next, and what each answer of the sink says about the rest of the work. Like
// the correlator it is a state machine without I/O, goroutines or a clock. It holds no events.
//
// Work is divided into lanes. A lane holds the writes of one namespace to one door of the server: its creates, or its updates by API
// group. Each shard announces the lanes in which it has something to write (Ready). A worker takes a job (Take), asks the shard
// for the write, and reports the answer (Done). Lanes take turns, lanes with Warning events first.
//
// Trouble has a scope: a lane, a namespace, an API group, the server. The narrowest trouble concerns one object; the correlator keeps it
// as a delay of that object's writes. An answer gives the widest scope that its trouble can have. A scope becomes sick when
// several of its members fail with no success in between, and well with the first success. A sick scope has one call in flight and at
// most one failed call a second. All sick scopes together use a quarter of the workers and ten failed calls a second. So nobody waits
// for a neighbour in trouble.
//
// A refusal for a missing right or a missing namespace is in doubt until the lane has answered nothing else for
// runtime.ForbiddenDoubt, because a starting server refuses everything, and namespaces are deleted and made again. An outage of the server
// begins the doubt anew. The events concerned stay pending until then.
package dispatch
