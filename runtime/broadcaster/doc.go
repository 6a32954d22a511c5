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
package broadcaster
