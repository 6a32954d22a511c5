package eventtest

import "slices"

// result holds which event meets which expectation.
type result struct {
	want []Matcher
	got  []Recorded
	// eventOf is the index of the event for each expectation, expectationOf the reverse; none if
	// there is none.
	eventOf, expectationOf []int
	ordered                bool
	rejected               []rejection // what a report also looks at
	known                  []uint8     // what matches has found: for each pair unknown, no, or yes
}

const none = -1

func newResult(want []Matcher, got []Recorded) result {
	noneYet := func(n int) []int { return slices.Repeat([]int{none}, n) }
	return result{want: want, got: got, eventOf: noneYet(len(want)), expectationOf: noneYet(len(got)), known: make([]uint8, len(want)*len(got))}
}

func (r *result) pair(i, j int) { r.eventOf[i], r.expectationOf[j] = j, i }

const (
	unknown = iota
	no
	yes
)

func (r *result) matches(i, j int) bool {
	at := &r.known[i*len(r.got)+j]
	if *at == unknown {
		*at = no
		if len(r.want[i].Mismatch(&r.got[j])) == 0 {
			*at = yes
		}
	}
	return *at == yes
}

// missing is the number of expectations that no event meets. surplus is the number of events that
// meet no expectation.
func (r *result) missing() int { return count(r.eventOf) }
func (r *result) surplus() int { return count(r.expectationOf) }

func count(list []int) (n int) {
	for _, v := range list {
		if v == none {
			n++
		}
	}
	return n
}

// assign pairs as many expectations with events as can be, an event each: a maximum bipartite
// matching by augmenting paths, as a vague expectation must not take the only event that a precise
// one could have.
func assign(want []Matcher, got []Recorded) result {
	r := newResult(want, got)
	for i := range want {
		r.augment(i, make([]bool, len(got)))
	}
	return r
}

// augment finds an event for an expectation: a free one, else by moving others to other events.
func (r *result) augment(i int, tried []bool) bool {
	for j := range r.got {
		if r.expectationOf[j] == none && r.matches(i, j) {
			r.pair(i, j)
			return true
		}
	}
	for j := range r.got {
		if tried[j] || r.expectationOf[j] == none || !r.matches(i, j) {
			continue
		}
		tried[j] = true
		if r.augment(r.expectationOf[j], tried) {
			r.pair(i, j)
			return true
		}
	}
	return false
}

// align pairs as many expectations with events as can be without changing the order of either: a
// longest common subsequence.
func align(want []Matcher, got []Recorded) result {
	r := newResult(want, got)
	r.ordered = true
	longest := r.lengths()
	for i, j := 0, 0; i < len(want) && j < len(got); {
		switch {
		case r.matches(i, j) && longest[i][j] == longest[i+1][j+1]+1:
			r.pair(i, j)
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return r
}

// lengths returns the lengths of the longest common subsequences from each pair of places on.
func (r *result) lengths() [][]int {
	table := make([][]int, len(r.want)+1)
	for i := range table {
		table[i] = make([]int, len(r.got)+1)
	}
	for i := len(r.want) - 1; i >= 0; i-- {
		for j := len(r.got) - 1; j >= 0; j-- {
			table[i][j] = max(table[i+1][j], table[i][j+1])
			if r.matches(i, j) {
				table[i][j] = max(table[i][j], table[i+1][j+1]+1)
			}
		}
	}
	return table
}
