// Package report shows what was measured: as tables in Markdown, as verdicts on what was to be reached, and as a chart.
package report

import (
	"fmt"
	"math"
	"strings"
)

// Result is what a scenario has found.
type Result struct {
	Tables   []Table
	Verdicts []Verdict
	// Panels are the bars that the chart shows.
	Panels []Panel
}

// Add adds what another scenario has found.
func (r *Result) Add(o Result) {
	r.Tables = append(r.Tables, o.Tables...)
	r.Verdicts = append(r.Verdicts, o.Verdicts...)
	r.Panels = append(r.Panels, o.Panels...)
}

// Renamed returns the tables and verdicts with a suffix to their names. It leaves out what would be said twice: notes and panels.
func (r Result) Renamed(suffix string) (n Result) {
	for _, t := range r.Tables {
		t.Title += suffix
		t.Notes = nil
		n.Tables = append(n.Tables, t)
	}
	for _, v := range r.Verdicts {
		v.Scenario += suffix
		n.Verdicts = append(n.Verdicts, v)
	}
	return n
}

// Table is a table of medians.
type Table struct {
	Title   string
	Columns []string
	Rows    []Row
	Notes   []string
}

// Row is a figure of a table, with a value for each column; NaN where there is none.
type Row struct {
	Figure string
	Values []float64
	Better Better
}

// Better says which values of a figure are better, and so whether peers are compared with event-gen by it.
type Better uint8

// The kinds of figures.
const (
	Neither Better = iota
	Lower
	Higher
)

// Verdict is a row of what was to be reached.
type Verdict struct {
	Scenario  string
	Threshold string
	Measured  string
	State     State
}

// State is whether a threshold was reached.
type State uint8

// The states of a verdict.
const (
	Missed State = iota
	Met
	Elsewhere // measured by another test
)

// Is is Met if ok.
func Is(ok bool) State {
	if ok {
		return Met
	}
	return Missed
}

var stateTexts = [...]string{Missed: "**not met**", Met: "met", Elsewhere: "elsewhere"}

// String is the state as the table shows it.
func (s State) String() string { return stateTexts[s] }

// ratio is how many times better the last column, which is event-gen's, is than another; NaN where that says nothing.
func (r *Row) ratio(column int) float64 {
	own, peer := r.Values[len(r.Values)-1], r.Values[column]
	switch {
	case r.Better == Lower && own > 0:
		return peer / own
	case r.Better == Higher && peer > 0:
		return own / peer
	}
	return math.NaN()
}

// Number shows a value with three digits, or all digits before the decimal point.
func Number(v float64) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return thousands(fmt.Sprintf("%.0f", v))
	case math.Abs(v) >= 100:
		return thousands(fmt.Sprintf("%.0f", v))
	case math.Abs(v) >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// thousands separates groups of three digits, from five digits on.
func thousands(digits string) string {
	if len(strings.TrimPrefix(digits, "-")) < 5 {
		return digits
	}
	var b strings.Builder
	for i, c := range digits {
		if left := len(digits) - i; i > 0 && left%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}
