package eventtest

import (
	"fmt"
	"slices"
	"strings"
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
	if r.ordered {
		r.inOrder(&b)
	} else {
		r.apart(&b, exactly)
	}
	for _, line := range s.rejected {
		b.WriteString("\n  ! rejected: " + line)
	}
	if s.dropped > 0 {
		fmt.Fprintf(&b, "\n  ! %d more were recorded than the fake keeps", s.dropped)
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
	j, differences := r.closest(i)
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

// closest is the event that is likeliest meant by an expectation: of the same method, then one that
// meets no other expectation, then with the fewest different params, then with the fewest
// differences.
func (r *result) closest(i int) (closest int, differences []string) {
	closest = none
	var least [4]int
	for j := range r.got {
		d := r.want[i].Mismatch(&r.got[j])
		distance := [4]int{otherMethod(d), 0, params(d), len(d)}
		if r.expectationOf[j] != none {
			distance[1] = 1
		}
		if closest == none || slices.Compare(distance[:], least[:]) < 0 {
			closest, differences, least = j, d, distance
		}
	}
	return closest, differences
}

// otherMethod is 2 if the differences say that another method recorded the event, 1 if its reason
// differs, and 0 else.
func otherMethod(differences []string) int {
	begins := func(prefix string) func(string) bool {
		return func(line string) bool { return strings.HasPrefix(line, prefix) }
	}
	switch {
	case slices.ContainsFunc(differences, begins("name: ")):
		return 2
	case slices.ContainsFunc(differences, begins("reason: ")):
		return 1
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
