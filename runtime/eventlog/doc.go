// Package eventlog shows events elsewhere than on the API server: in structured logs and in files of JSON lines.
//
//	b.Attach(eventlog.Logr(logger, 0))          // logr and klog; the logger of an event's context comes first
//	b.Attach(eventlog.Slog(slog.Default()))     // log/slog, likewise
//
//	file, err := eventlog.OpenJSON("/var/log/widget/events.json", eventlog.FileOptions{})
//	…
//	b.Attach(file.Subscriber())                 // flushed when nothing waits, closed at Shutdown
//
// Each of these sees every occurrence, merged or not, has a bound and a drop counter of its own
// (broadcaster.Subscriber.Buffer, Broadcaster.SubscriberStats), and can neither block recording nor lose an event that is
// to be stored.
package eventlog
