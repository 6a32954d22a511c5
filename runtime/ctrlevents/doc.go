// Package ctrlevents gives every reconciler of a controller-runtime manager this pipeline, by one changed line in main.go:
//
//	mgr, err := ctrlevents.NewManager(restConfig, manager.Options{…}, ctrlevents.Options{}) // was ctrl.NewManager
//	mgr, err := ctrlevents.Wrap(existing, ctrlevents.Options{})                             // for a manager that is there
//	events := widgetevents.NewRecorder(mgr.Events())                                        // typed
//	mgr.GetEventRecorder("widget-controller")                                               // strings: the same pipeline
//
// The result is a manager.Manager. Reconcilers, builders and webhooks need no change: GetEventRecorder and GetEventRecorderFor return
// recorders of this package. Start returns after what is pending was written, once the inner manager, and with it the last
// reconciler, has ended.
//
// # What is stored where
//
//   - Typed events and those of GetEventRecorder share one broadcaster. They are written to events.k8s.io, and to the core
//     group where rights demand it (kube.Auto).
//   - Events of GetEventRecorderFor, and of leader election, go to the core group, as client-go's do. Names of recorders need
//     be no qualified names there; that of leader election is none.
//
// Both have one client of their own, made from a copy of the manager's rest.Config, and one account (Manager.Stats). No
// goroutine is started before the first event.
//
// # What differs from controller-runtime
//
//   - Nothing is filtered, and what is pending when the manager stops is written. controller-runtime shuts its broadcasters down
//     with contexts that have ended, and client-go drops what is queued.
//   - In events.k8s.io events whose notes differ are told apart, and fold from the tenth on; client-go merges them into the first
//     note. The count of repeats is written 1 s, 2 s, 4 s … after the last write; client-go writes it after 6 minutes.
//   - A combined event of the core group names its reporting controller; client-go leaves that empty.
//   - Notes of over 992 bytes are cut; the API server refuses those of over 1024 bytes, which client-go sends.
//   - The last event of leader election, and whatever else is recorded while the manager stops, is written.
//   - An empty action becomes the reason; the API server refuses such events of client-go's.
//   - Names of events end in a number of this package's, not in one of the clock. The rest of what differs stands in package
//     clientgo, whose rules hold for the core group.
//
// Wrap can't reach leader election: the manager has made its lock before, with recorders of its own. NewManager builds the lock
// with controller-runtime's own function, but with a recorder of this package.
package ctrlevents
