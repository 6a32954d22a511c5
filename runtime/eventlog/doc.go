// Package eventlog writes events to structured logs and to files of JSON lines, beside the API
// server.
//
//	b.Attach(eventlog.Logr(logger, 0))          // logr and klog; the logger of an event's context comes first
//	b.Attach(eventlog.Slog(slog.Default()))     // log/slog, likewise
//
//	file, err := eventlog.OpenJSON("/var/log/widget/events.json", eventlog.FileOptions{})
//	…
//	b.Attach(file.Subscriber())                 // flushed when nothing waits, closed at Shutdown
//
// Each of these subscribers sees every occurrence, merged or not, and has a bound and a drop
// counter of its own (broadcaster.Subscriber.Buffer, Broadcaster.SubscriberStats). None can block
// recording or lose an event that is to be stored.
package eventlog
