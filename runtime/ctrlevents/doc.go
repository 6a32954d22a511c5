// Package ctrlevents gives every reconciler of a controller-runtime manager this pipeline, by one
// changed line in main.go:
//
//	mgr, err := ctrlevents.NewManager(restConfig, manager.Options{…}) // was ctrl.NewManager
//	mgr, err := ctrlevents.Wrap(existing)                             // for an existing manager
//	events := widgetevents.For(mgr)                                   // typed
//	mgr.GetEventRecorder("widget-controller")                         // strings: the same pipeline
//	other, err := mgr.Cluster(ctx, other)                             // for a further cluster
//
// It works with controller-runtime v0.23.3, v0.24 and v0.25.
//
// The result is a manager.Manager. Reconcilers, builders and webhooks need no change:
// GetEventRecorder and GetEventRecorderFor return recorders of this package. Start returns after
// the pending events are written, once the inner manager, and with it the last reconciler, has
// ended.
//
// # What is stored where
//
//   - Typed events and events of GetEventRecorder share one broadcaster. They are written to
//     events.k8s.io, and to the core group if rights demand it (kube.Auto). Readers of events
//     notice the group (docs/adopting.md, "What changes for readers"); kube.CoreV1 as
//     Options.Broadcaster.Sink keeps the core group.
//   - Events of GetEventRecorderFor and of leader election go to the core group, as client-go's do.
//     A recorder's name need not be a qualified name there; the name that leader election uses is
//     none.
//
// Both have one client of their own, made from a copy of the manager's rest.Config, and one account
// (Manager.Stats). No goroutine starts before the first event.
//
// # What differs from controller-runtime
//
//   - Nothing is filtered, and events that are pending when the manager stops are written.
//     controller-runtime shuts its broadcasters down with contexts that have ended, and client-go
//     drops its queue.
//   - In events.k8s.io events whose notes differ are told apart, and are aggregated beyond ten;
//     client-go merges them into the first note. The count of repeats is written 1 s, 2 s, 4 s …
//     after the last write; client-go writes it after 6 minutes.
//   - A combined event of the core group names its reporting controller; client-go leaves that
//     field empty.
//   - Notes of over 992 bytes are cut. client-go sends them, and the API server refuses notes of
//     over 1024 bytes.
//   - The last event of leader election, and all events recorded while the manager stops, are
//     written.
//   - An empty action becomes the reason. client-go sends it, and the API server refuses the event.
//   - Names of events end in a hash of the event's identity, and in the core group in a number, not
//     in a time. Package clientgo lists the remaining differences; its rules hold for the core
//     group.
//
// Wrap can't reach leader election: the manager has made its lock before, with recorders of its
// own. NewManager builds the lock with controller-runtime's own function, but with a recorder of
// this package.
package ctrlevents
