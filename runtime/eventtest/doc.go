// Package eventtest holds a fake for tests of code that records events.
//
//	fake := eventtest.NewFake(t)
//	reconciler := &Reconciler{Events: cronjobevents.NewRecorder(fake.Recorder())}
//	…
//	fake.ExpectExactly(
//		cronjobevents.NewSuccessfulCreate(cronJob, job),
//		eventtest.Event{Reason: cronjobevents.ReasonMissingJob, Regarding: eventtest.Ref(cronJob)},
//	)
//
// The fake records every occurrence as it is. It merges, writes and limits nothing, and recording
// never blocks. An expectation is an event exactly as a constructor makes it, or a Matcher: an
// Event, whose zero fields match anything; Args, for some of its arguments; or a function. A failed
// comparison shows all differences at once, each expectation beside the event that comes closest to
// it.
//
// The fake takes objects as a broadcaster does: typed, unstructured, or references. An event that a
// broadcaster would reject, such as one about a nil object, fails every expectation.
package eventtest
