package also

import (
	"fmt"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/also/alsoevents"
	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/also/alsoevents/alsoeventstest"
)

func TestFake(t *testing.T) {
	fake := alsoeventstest.New(t)
	r := fake.Recorder()
	any := alsoeventstest.Any
	r.Blocked(node, claim, errBroken)
	r.PerKindOnNode(node, pod, other)
	r.Ended(node, nil, alsoevents.EndedOutcomeWon, "x")

	fake.ExpectExactly(
		alsoeventstest.MatchBlocked(node, claim, any),
		alsoevents.NewPerKindOnNode(node, pod, other),
		alsoevents.NewEnded(node, nil, alsoevents.EndedOutcomeWon, "x"),
	)
	fake.ExpectContains(alsoeventstest.MatchForKindOnNode(node, pod, other))
	fake.ExpectContains(alsoevents.NewOfKindOnNode(node, pod, other))
	fake.ExpectContains(alsoeventstest.MatchBlocked(node, claim, errBroken))
	fake.ExpectContains(alsoeventstest.MatchBlocked(nil, claim, errBroken))
	fake.ExpectContains(alsoeventstest.MatchBlocked(nil, nil, errBroken))
}

// Whoever expects an event on an object that got none is told which.
func TestFakeFindsWhatIsMissing(t *testing.T) {
	var wrong failures
	fake := alsoeventstest.New(&wrong)
	fake.Recorder().Blocked(node, nil, errBroken)
	if fake.ExpectContains(alsoeventstest.MatchBlocked(node, claim, errBroken)) || len(wrong) != 1 || !strings.Contains(wrong[0], "NodeClaim c") {
		t.Errorf("it was told: %q", wrong)
	}
	if !fake.ExpectContains(alsoeventstest.MatchBlocked(node, nil, errBroken)) {
		t.Error("the event on the node was not found")
	}
	if n := len(alsoeventstest.MatchBlocked(node, claim, errBroken)); n != 2 {
		t.Errorf("%d matchers", n)
	}
}

type failures []string

func (*failures) Helper() {}

func (f *failures) Errorf(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }
