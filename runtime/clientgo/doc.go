// Package clientgo is event-gen's pipeline behind client-go's own interfaces, for controllers that
// generate nothing. A controller gains it by changing a package name:
//
//	broadcaster := clientgo.NewBroadcaster() // was record.NewBroadcaster
//	broadcaster.StartStructuredLogging(0)
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
//	recorder := broadcaster.NewRecorder(scheme, corev1.EventSource{Component: "widget-controller"})
//	…
//	broadcaster.Shutdown() // writes what is still pending
//
// NewEventsBroadcaster replaces events.NewBroadcaster, NewEventBroadcasterAdapter the function of
// the same name.
//
// # What stays
//
// The API server stores in the end what client-go stores, for all events that client-go would not
// have filtered or lost: one event for each {source, object, field path, type, reason, message} in
// the core group, with a count; one for each {controller, regarding, related, type, reason, action,
// note} in events.k8s.io, with a series. Patches change the same fields. The tenth distinct message
// of a {source, object, type, reason} within ten minutes, and all further ones, are aggregated into
// one event whose message begins with "(combined from similar events): ". Watchers see each event
// as the recorder made it, in order, beginning when the watcher starts.
//
// # What differs
//
//   - Repeats are written 1 s, 2 s, 4 s … up to 5 minutes (3 in events.k8s.io) after the last
//     write, with the current count, and at Shutdown. client-go writes every one of 25 and then
//     nearly none (tools/record), or the second and then the last (tools/events).
//   - In events.k8s.io events with different notes are different events, and are aggregated as in
//     the core group. client-go leaves the note out of an event's identity, so distinct notes count
//     as one event with the first note. WithMergedNotes does the same.
//   - Sinks of one server share a recording (RecordBroadcaster.StartRecordingToSink). client-go
//     writes to each sink, and stores once, because the recorder chooses the name.
//   - Nothing is filtered. New events of one {source, object, type, reason} spend the budget
//     (BurstSize, QPS), repeats do not; events beyond the budget are aggregated. In events.k8s.io
//     there is a budget too.
//   - Writes are tried again until they are answered, by class of answer; client-go gives up after
//     12 tries, and at once after any answer with a status, 429 and 500 included.
//   - A call of client-go's own sinks ends after 10 s. Other sinks of tools/record take no context:
//     a call that does not come back stays in flight.
//   - If an answer is 429 or 5xx with Retry-After, client-go's clients repeat the request by
//     themselves, up to 10 times in one call (rest/request.go). Such a call stays in flight
//     meanwhile, and keeps the count that it began with.
//   - A patch names the resource version that it changes. If a reply was lost, an empty patch first
//     asks for the version. So a patch that arrives late can't take a count back. Sinks that report
//     no versions get neither.
//   - Keys are compared field by field. They leave out resource versions, and the API versions of
//     objects with a UID.
//   - A message below the threshold stays an event of its own; client-go forgets one at random for
//     each message that it aggregates.
//   - If the server has forgotten an event, the event is created anew with the annotations, field
//     path and object version of its first occurrence; client-go uses those of the last.
//   - Aggregated events keep the annotations and reporting fields of the first one.
//   - A call without arguments does not treat its text as a format. Invalid UTF-8 becomes U+FFFD.
//     In events.k8s.io notes are cut to 1024 bytes, reasons and actions to 128, the reporting
//     instance to 128, and an empty action becomes the reason: the server would refuse the event.
//     In the core group messages are cut to 64 KiB, and reasons, components and hosts to 1 KiB,
//     reasons with a hash of the whole.
//   - Names are <object>.<hexadecimal>, valid whatever the object is called, without UUIDs.
//   - After a quiet day an event begins anew at count 1 in the core group; client-go forgets by
//     number alone.
//   - A watcher that panics, or ends its goroutine, is called again with the next event; a full
//     watcher's misses are counted (Watcher.Dropped) and logged once.
//   - Shutdown, Stop, and the end of a context first write what is pending, for up to 10 seconds.
package clientgo
