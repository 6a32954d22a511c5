package eventtest

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/runtime/internal/problems"
)

// report shows all differences: expected events that were not recorded after "-", each with the
// event that comes closest; recorded events that are not expected after "+".
func (s *snapshot) report(r result, exactly bool) string {
	var b strings.Builder
	if exactly {
		b.WriteString("events differ (- expected, + recorded):")
	} else {
		b.WriteString("events are missing (- expected):")
	}
	r.rejected = s.rejected
	if r.ordered {
		r.inOrder(&b)
	} else {
		r.apart(&b, exactly)
	}
	for i := range s.rejected {
		b.WriteString("\n  ! rejected: " + s.rejected[i].text + ": " + s.rejected[i].problem)
	}
	return b.String()
}

// apart shows missing events, then surplus ones.
func (r *result) apart(b *strings.Builder, surplus bool) {
	for i := range r.want {
		if r.eventOf[i] == none {
			r.showMissing(b, i)
		}
	}
	for j := range r.got {
		if surplus && r.expectationOf[j] == none {
			b.WriteString("\n  + " + r.got[j].line())
		}
	}
}

// inOrder shows both sequences side by side.
func (r *result) inOrder(b *strings.Builder) {
	i, j := 0, 0
	for i < len(r.want) || j < len(r.got) {
		switch {
		case i < len(r.want) && r.eventOf[i] == none:
			r.showMissing(b, i)
			i++
		case j < len(r.got) && r.expectationOf[j] == none:
			b.WriteString("\n  + " + r.got[j].line())
			j++
		default:
			b.WriteString("\n    " + r.got[j].line())
			i, j = i+1, j+1
		}
	}
}

func (r *result) showMissing(b *strings.Builder, i int) {
	b.WriteString("\n  - " + r.want[i].String())
	j, distance, differences := r.closest(i)
	if rejected := r.closestRejected(i, distance); rejected != nil {
		b.WriteString("\n      closest: " + rejected.text + "\n        which was rejected: " + rejected.problem)
		return
	}
	if j == none {
		return
	}
	b.WriteString("\n      closest: " + r.got[j].line())
	switch {
	case len(differences) > 0:
	case r.expectationOf[j] == none:
		b.WriteString("\n        which was recorded in another place")
	default:
		b.WriteString("\n        which meets another expectation")
	}
	for _, line := range differences {
		b.WriteString("\n        " + line)
	}
}

// closest is the event that is likeliest meant by an expectation, and how far it is from it.
func (r *result) closest(i int) (closest int, least distance, differences []string) {
	closest, least = none, distance{otherName + 1}
	for j := range r.got {
		d := r.want[i].Mismatch(&r.got[j])
		far := distanceOf(d, r.expectationOf[j] != none)
		if far.compare(least) < 0 {
			closest, differences, least = j, d, far
		}
	}
	return closest, least, differences
}

// closestRejected is the rejected event of the expected method that is no further from an
// expectation than any recorded event; nil if there is none.
func (r *result) closestRejected(i int, recorded distance) (closest *rejection) {
	for j := range r.rejected {
		e := &r.rejected[j]
		if e.Emitted.Definition() == nil {
			continue
		}
		far := distanceOf(r.want[i].Mismatch(&e.Recorded), false)
		if e.Emitted.Problem() == problems.UnknownValue && far[0] == otherReason {
			far[0] = 0 // nobody chose the variant
		}
		if closer := far.compare(recorded); far[0] == 0 && (closer < 0 || closer == 0 && closest == nil) {
			closest, recorded = e, far
		}
	}
	return closest
}

// distance says how far an event is from an expectation. An event of the same method is closer than
// others, then one that meets no other expectation, then the one with the fewest different params,
// then the one with the fewest differences.
type distance [4]int

func distanceOf(differences []string, meetsAnother bool) distance {
	d := distance{otherMethod(differences), 0, params(differences), len(differences)}
	if meetsAnother {
		d[1] = 1
	}
	return d
}

func (d distance) compare(other distance) int { return slices.Compare(d[:], other[:]) }

// What otherMethod returns.
const (
	otherReason = 1 + iota
	otherName
)

// otherMethod is otherName if the differences say that another method recorded the event,
// otherReason if its reason differs, and 0 else.
func otherMethod(differences []string) int {
	begins := func(prefix string) func(string) bool {
		return func(line string) bool { return strings.HasPrefix(line, prefix) }
	}
	switch {
	case slices.ContainsFunc(differences, begins("name: ")):
		return otherName
	case slices.ContainsFunc(differences, begins("reason: ")):
		return otherReason
	}
	return 0
}

// params counts the differences of params.
func params(differences []string) (n int) {
	for _, line := range differences {
		if strings.HasPrefix(line, "param ") {
			n++
		}
	}
	return n
}
