// Package clientgo is event-gen's pipeline behind client-go's own interfaces, for controllers that generate nothing. A
// controller gains it by changing a package name:
//
//	broadcaster := clientgo.NewBroadcaster() // was record.NewBroadcaster
//	broadcaster.StartStructuredLogging(0)
//	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
//	recorder := broadcaster.NewRecorder(scheme, corev1.EventSource{Component: "widget-controller"})
//	…
//	broadcaster.Shutdown() // writes what is still pending
//
// NewEventsBroadcaster stands for events.NewBroadcaster, NewEventBroadcasterAdapter for the function of that name.
// FromRecord and FromEvents are for the opposite case: generated recorders on a team's existing client-go recorder.
//
// # What stays
//
// What is stored in the end is what client-go stores, for whatever client-go would not have filtered or lost: one event for
// each {source, object, field path, type, reason, message} in the core group, with a count; one for each {controller,
// regarding, related, type, reason, action, note} in events.k8s.io, with a series. Patches change the same fields. The tenth
// distinct message of a {source, object, type, reason} within ten minutes, and what comes after it, fold into one event
// whose message begins with "(combined from similar events): ". Watchers see each event as the recorder made it, in order,
// and none from before they were started.
//
// # What differs
//
//   - Repeats are written 1 s, 2 s, 4 s … up to 5 minutes (3 in events.k8s.io) after the last write, with the count of
//     then, and at Shutdown.
//     client-go writes every one of 25 and then nearly none (tools/record), or the second and then the last (tools/events).
//   - In events.k8s.io notes are told apart, and fold as messages of the core group do. client-go leaves the note out of an
//     event's identity, so that distinct notes count as one event with the first note. WithMergedNotes does so too.
//   - Sinks of one server share a recording (Broadcaster.StartRecordingToSink). client-go writes to each, and stores once, as
//     its names are those of the recorder.
//   - Nothing is filtered. The budget (BurstSize, QPS) is spent by new events of one {source, object, type, reason}, not
//     by repeats; what exceeds it folds. In events.k8s.io there is a budget too.
//   - Writes are tried again until they are answered, by class of answer; client-go gives up after 12 tries, and at once
//     after any answer with a status, 429 and 500 included.
//   - client-go's clients repeat a request that is answered 429 or 5xx with Retry-After by themselves, up to 10 times in one
//     call (rest/request.go). Such a call holds one worker meanwhile, with the count that it began with.
//   - Patches say which version of the event they change, and where that is not known, as a reply was lost, an empty patch asks
//     for it first. So one that arrives late can't take a count back. Sinks that tell no versions are spared both.
//   - Keys are compared field by field. Resource versions, and API versions of objects with a UID, are no part of them.
//   - A message that has passed below the threshold is counted on its own afterwards too; client-go forgets one at random
//     for each that it folds.
//   - An event that is created anew, as the server has forgotten it, has the annotations, field path and object version of
//     its first occurrence; client-go's has those of the last.
//   - Folded events keep the annotations and reporting fields of the first that folded.
//   - Text that is no format, in a call without arguments, is not treated as one. Invalid UTF-8 becomes U+FFFD.
//     In events.k8s.io notes are cut to 1024 bytes, reasons and actions to 128, the reporting instance to 128, and an empty
//     action becomes the reason: the server would refuse the event. In the core group messages are cut to 64 KiB, and reasons,
//     components and hosts to 1 KiB, reasons with a hash of the whole.
//   - Names are <object>.<hexadecimal>, valid whatever the object is called, without UUIDs.
//   - An event that was quiet for a day begins anew at count 1 in the core group; client-go forgets by number alone.
//   - A watcher that panics, or ends its goroutine, is called again with the next event; what a full one misses is counted (Watcher.Dropped) and
//     said once.
//   - Shutdown, Stop, and the end of a context let what is pending be written, for up to 10 seconds.
package clientgo
