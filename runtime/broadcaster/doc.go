// Package broadcaster takes events from recorders, has correlators merge them, and carries the writes that are due to a sink.
//
//	b, err := broadcaster.New(broadcaster.Options{Sink: kube.Auto(restConfig)})
//	…
//	recorder := widgetevents.NewRecorder(eventrt.NewRecorder(b))
//	…
//	err = b.Shutdown(ctx)
//
// There is no queue. Publish takes an event into the state of its shard, under that shard's lock, in the caller's goroutine.
// A fixed number of workers writes what is due, one write at a time for each object. A part of the server that takes no events
// gets one call at a time (package dispatch). Make a broadcaster before the manager, and shut it down after the manager has
// returned, because reconcilers record until then.
//
// Beside the sink, subscribers see every occurrence (Attach, Subscribe). Each has a bound and a drop counter of its own; package
// eventlog has subscribers for logs and files. Observers are called for metrics (AttachObserver); package metrics has one.
// SetEnabled and SetNamespaceFilter switch recording off while the program runs. Options.TraceAnnotation makes an annotation of a
// context, such as a trace id. All of these together cost a recorded event one load if nobody uses them.
package broadcaster
