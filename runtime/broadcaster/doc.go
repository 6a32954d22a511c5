// Package broadcaster takes events from recorders, keeps them in a correlator, and sends due writes
// to a sink.
//
//	b, err := broadcaster.New(broadcaster.Options{Sink: kube.Auto(restConfig)})
//	…
//	recorder := widgetevents.NewRecorder(eventrt.NewRecorder(b))
//	…
//	err = b.Shutdown(ctx)
//
// There is no queue. Publish puts an event into the correlator's state in the caller's goroutine,
// under one lock. A goroutine that writes starts when a write is due, and ends when none is. One
// timer starts such a goroutine when a write falls due later. An idle broadcaster has one
// goroutine. Make a broadcaster before the manager, and shut it down after the manager has
// returned, because reconcilers record until then.
//
// Beside the sink, subscribers see every occurrence (Attach, Subscribe). Each has a bound and a
// drop counter of its own; package eventlog has subscribers for logs and files. Observers are
// called for metrics (AttachObserver); package metrics has one. SetEnabled switches recording off
// while the program runs. SetFilter switches it off for some events; package eventfilter has a
// filter. Options.TraceID makes an annotation from a context, such as a trace id. If nobody uses
// these features, all of them together cost a recorded event one load.
//
// # Files
//
//	broadcaster.go  New, Publish, Stats
//	write.go        the goroutines that write, and the timer that starts them
//	shutdown.go     the end
//	options.go      options, and the trace annotation
//	labels.go       the labels of all events
//	switch.go       recording off, a filter, observers
//	subscribe.go    subscribers
//	log.go          the log lines, each once or at a bounded rate
//	lines.go        the goroutine that hands them to the Logger
//	trouble.go      scopes that take no events for now
//	snapshot.go     the state of the broadcaster and of each event, for people who look for trouble
package broadcaster
