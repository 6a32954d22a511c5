package eventtest

import (
	"context"
	"fmt"
)

// TB is the part of testing.TB that expectations need; Ginkgo's GinkgoT has it too.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
}

// Expect fails the test unless exactly these events were recorded, in any order, and reports whether they were. Without matchers, it
// expects no event.
func (f *Fake) Expect(t TB, want ...Matcher) bool {
	t.Helper()
	s := f.snapshot()
	return s.check(t, assign(want, s.events), true)
}

// ExpectInOrder holds that just these events were recorded, in this order.
func (f *Fake) ExpectInOrder(t TB, want ...Matcher) bool {
	t.Helper()
	s := f.snapshot()
	return s.check(t, align(want, s.events), true)
}

// ExpectContains holds that these events were recorded, in any order, whatever others were.
func (f *Fake) ExpectContains(t TB, want ...Matcher) bool {
	t.Helper()
	s := f.snapshot()
	return s.check(t, assign(want, s.events), false)
}

// Wait waits until these events were recorded, in any order, and ignores other events. If ctx ends before that, it returns an
// error with the missing events.
func (f *Fake) Wait(ctx context.Context, want ...Matcher) error {
	for {
		s := f.snapshot()
		r := assign(want, s.events)
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

func (s *snapshot) check(t TB, r result, exactly bool) bool {
	t.Helper()
	ok := r.missing() == 0 && len(s.rejected) == 0
	if exactly {
		ok = ok && r.surplus() == 0 && s.dropped == 0
	}
	if !ok {
		t.Errorf("%s", s.report(r, exactly))
	}
	return ok
}
