// Package eventtest holds a fake for tests of code that records events.
//
//	fake := eventtest.NewFake()
//	reconciler := &Reconciler{Events: cronjobevents.NewRecorder(fake.Recorder())}
//	…
//	fake.Expect(t,
//		eventtest.Same(cronjobevents.NewSuccessfulCreate(cronJob, job)),
//		eventtest.Event{Reason: cronjobevents.ReasonMissingJob, Regarding: eventtest.Ref(cronJob)},
//	)
//
// The fake takes every occurrence as it is: nothing is merged, written or limited, and recording never blocks. What is
// expected is a Matcher: an Event, whose zero fields match anything; Same, for an event just as a constructor makes it;
// Args, for some of its arguments; or a function. Where what was recorded differs, all differences are shown at once, each
// expectation beside the event that comes closest to it.
//
// The fake takes objects as a broadcaster does: typed, unstructured, or references. Events that a broadcaster would reject
// (a nil object, say) fail every expectation.
package eventtest
