package eventtest

import (
	"context"
	"fmt"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// TB is the part of testing.TB that expectations need; Ginkgo's GinkgoT has it too.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// ExpectExactly fails the test unless just these events were recorded, in this order, and reports
// whether they were. Each is an event as a constructor of a generated package makes it, a Matcher,
// or a slice of either, which those of entries with alsoOn are: pass it as it is. An event is
// compared in everything but time, resource versions, and additions of recorders.
func (f *Fake) ExpectExactly(want ...any) bool {
	f.t.Helper()
	s := f.snapshot()
	return s.check(f.t, align(matchers(want), s.events), true)
}

// ExpectInAnyOrder is ExpectExactly for events whose order does not matter.
func (f *Fake) ExpectInAnyOrder(want ...any) bool {
	f.t.Helper()
	s := f.snapshot()
	return s.check(f.t, assign(matchers(want), s.events), true)
}

// ExpectContains fails the test unless these events, given as to ExpectExactly, are among those
// that were recorded, in any order.
func (f *Fake) ExpectContains(want ...any) bool {
	f.t.Helper()
	s := f.snapshot()
	return s.check(f.t, assign(matchers(want), s.events), false)
}

// ExpectNone fails the test if an event was recorded.
func (f *Fake) ExpectNone() bool {
	f.t.Helper()
	return f.ExpectExactly()
}

// Wait waits until these events were recorded, in any order, and ignores other events. If ctx ends
// before that, it returns an error with the missing events.
func (f *Fake) Wait(ctx context.Context, want ...any) error {
	for {
		s := f.snapshot()
		r := assign(matchers(want), s.events)
		if r.missing() == 0 {
			return nil
		}
		select {
		case <-s.changed:
		case <-ctx.Done():
			return fmt.Errorf("%w; %s", context.Cause(ctx), s.report(r, false))
		}
	}
}

// matchers makes a list of expectations.
func matchers(want []any) (list []Matcher) {
	for _, w := range want {
		switch w := w.(type) {
		case Matcher:
			list = append(list, w)
		case []Matcher:
			list = append(list, w...)
		case eventrt.Event:
			list = append(list, same(w))
		case []eventrt.Event:
			for _, e := range w {
				list = append(list, same(e))
			}
		default:
			text := fmt.Sprintf("a %T, which is no expectation: expected an event, as a constructor makes it, or a matcher", w)
			list = append(list, function{text, func(*Recorded) differences { return differences{text} }})
		}
	}
	return list
}

func (s *snapshot) check(t TB, r result, exactly bool) bool {
	t.Helper()
	ok := r.missing() == 0 && len(s.rejected) == 0
	if exactly {
		ok = ok && r.surplus() == 0
	}
	if !ok {
		t.Errorf("%s", s.report(r, exactly))
	}
	return ok
}
