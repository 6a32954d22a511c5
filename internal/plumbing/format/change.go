package format

import (
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// jsonSide is one side of a change.
type jsonSide struct {
	At             []string `json:"at,omitempty"`
	Values         []string `json:"values,omitempty"`
	LabelSelectors []string `json:"labelSelectors,omitempty"`
	FieldSelectors []string `json:"fieldSelectors,omitempty"`
	PromQL         []string `json:"promQL,omitempty"`
}

func newJSONSide(s diag.Side) *jsonSide {
	return &jsonSide{At: cleaned(s.At), Values: cleaned(s.Values), LabelSelectors: cleaned(s.LabelSelectors), FieldSelectors: cleaned(s.FieldSelectors), PromQL: cleaned(s.PromQL)}
}

func cleaned(list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, Clean(s))
	}
	return out
}

// mostMatchers bounds the selectors and queries of each side in text. JSON has all.
const mostMatchers = 3

// matchers returns lines with the selectors and queries that found the events of a change before,
// and with those that find them now.
func matchers(c *diag.Change) []string {
	if c == nil {
		return nil
	}
	return slices.Concat(sides("label selector", c.Before.LabelSelectors, c.After.LabelSelectors),
		sides("field selector", c.Before.FieldSelectors, c.After.FieldSelectors), sides("PromQL", c.Before.PromQL, c.After.PromQL))
}

func sides(what string, was, is []string) []string {
	if slices.Equal(was, is) {
		return side(what+" was and is", was)
	}
	lines := side(what+" was", was)
	if len(is) == 0 {
		return append(lines, fmt.Sprintf("%s: nothing matches now", what))
	}
	return append(lines, side(what+" is", is)...)
}

func side(what string, list []string) []string {
	var lines []string
	for i, s := range list {
		if i == mostMatchers {
			return append(lines, fmt.Sprintf("%s also %d more", what, len(list)-i))
		}
		lines = append(lines, what+" "+Clean(s))
	}
	return lines
}
