// Package broadcaster takes events from recorders, has correlators merge them, and carries what is due to a sink.
//
//	b, err := broadcaster.New(broadcaster.Options{Sink: kube.Auto(restConfig)})
//	…
//	recorder := widgetevents.NewRecorder(eventrt.NewRecorder(b))
//	…
//	err = b.Shutdown(ctx)
//
// There is no queue: an event is taken into the state of its shard, under that shard's lock, in the goroutine of the
// caller. A fixed number of workers writes what is due, one write at a time for each object. While the server is away,
// one probe at a time tries. Start a broadcaster before the manager and shut it down after the manager has returned, since
// reconcilers record until their end.
//
// Beside the sink, subscribers see every occurrence (Attach, Subscribe), each with a bound and a drop counter of its own;
// package eventlog has some for logs and files. Observers are told of events and writes for metrics (AttachObserver); package
// metrics is one. Recording can be switched off while the program runs (SetEnabled, SetNamespaceFilter), and what a context
// says, such as a trace id, can go with the events (Options.TraceAnnotation). What nobody uses of this costs a recorded
// event one load.
package broadcaster
