package eventtest

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/problems"
)

// Matcher is an expectation of an event.
type Matcher interface {
	// Mismatch returns how the event differs, one difference a line; none if it matches.
	Mismatch(r *Recorded) []string
	// String returns the expectation in one line.
	String() string
}

// Any matches every event, and in Args every argument.
var Any = wildcard{}

type wildcard struct{}

func (wildcard) Mismatch(*Recorded) []string { return nil }
func (wildcard) String() string              { return "any" }

// All matches an event if all matchers do.
func All(matchers ...Matcher) Matcher { return all(matchers) }

type all []Matcher

func (a all) Mismatch(r *Recorded) (lines []string) {
	for _, m := range a {
		lines = append(lines, m.Mismatch(r)...)
	}
	return lines
}

func (a all) String() string {
	parts := make([]string, len(a))
	for i, m := range a {
		parts[i] = m.String()
	}
	return strings.Join(parts, ", ")
}

// NoRelated matches events without a related object. A nil related object in a generated matcher
// matches any.
var NoRelated Matcher = &function{"no related object", func(r *Recorded) (d differences) {
	d.noRelated(r)
	return d
}}

// same matches an event made by a constructor of a generated package. It compares everything but
// time, resource versions, and additions of recorders. If e has no related object, the recorded
// event must have none.
func same(e eventrt.Event) Matcher {
	want := eventOf(&e)
	want.Regarding.ResourceVersion, want.Related.ResourceVersion = "", ""
	return function{want.line(), func(r *Recorded) differences {
		d := differences(want.Mismatch(r))
		if problem := e.Problem(); problem != eventrt.NoProblem && problem != problems.UnknownKind {
			d = append(d, "what is expected can't be recorded: "+problem.String())
		}
		if !e.Related().Present() {
			d.noRelated(r)
		}
		if want.Message == "" && r.Message != "" {
			d.add("message", `""`, strconv.Quote(r.Message))
		}
		return d
	}}
}

// OnEach expects an event about each of the objects, except nil ones; if all are nil, one event
// about any object. The events have want in common, and args unless it is nil. Generated matchers
// of events with alsoOn call it.
func OnEach(want Event, args Matcher, objects ...corev1.ObjectReference) []Matcher {
	var list []Matcher
	add := func(m Matcher) {
		if args != nil {
			m = All(m, args)
		}
		list = append(list, m)
	}
	for _, o := range objects {
		if kindOnly := (corev1.ObjectReference{APIVersion: o.APIVersion, Kind: o.Kind}); o != kindOnly {
			about := want
			about.Regarding = o
			add(about)
		}
	}
	if len(list) == 0 {
		add(want)
	}
	return list
}

// MessageContains matches messages that hold a text.
func MessageContains(text string) Matcher {
	return Func(fmt.Sprintf("message with %q", text), func(e Event) bool { return strings.Contains(e.Message, text) })
}

// Func matches by a function; description describes it in reports.
func Func(description string, f func(Event) bool) Matcher {
	return function{description, func(r *Recorded) differences {
		if f(r.Event) {
			return nil
		}
		return differences{fmt.Sprintf("expected %s, recorded message %q", description, r.Message)}
	}}
}

// function is a Matcher of which a function compares.
type function struct {
	description string
	mismatch    func(*Recorded) differences
}

func (f function) Mismatch(r *Recorded) []string { return f.mismatch(r) }
func (f function) String() string                { return f.description }
