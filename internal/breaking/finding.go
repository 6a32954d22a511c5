package breaking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
	"github.com/event-gen/event-gen/internal/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// broken is one thing that a change breaks, for one event. Several with one cause at one place are one finding.
type broken struct {
	rule string
	pos  diag.Pos
	// cause tells changes at one place apart; empty: what is the cause.
	cause string
	// event is the name now, formerly the name before; both are empty for a whole package.
	event, formerly string
	what            string
	at              diag.Pos // where it was
	before, after   string
	was, is         []*model.Definition // found by alerts before and now
}

func (b broken) key() string {
	if b.cause == "" {
		return b.pos.String() + "\x00" + b.what
	}
	return b.pos.String() + "\x00" + b.cause
}

// findings makes one finding of all that has one cause.
func (c *comparison) findings() diag.Findings {
	var order []string
	groups := map[string][]broken{}
	for _, b := range c.breaks {
		key := b.key()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], b)
	}
	var findings diag.Findings
	for _, key := range order {
		findings = append(findings, c.finding(groups[key]))
	}
	findings.Sort()
	return findings
}

func (c *comparison) finding(group []broken) diag.Finding {
	slices.SortStableFunc(group, func(a, b broken) int { return cmp.Compare(severityOf(b.rule), severityOf(a.rule)) })
	f := diag.Finding{Pos: group[0].pos, Rule: group[0].rule, Change: &diag.Change{}}
	var what, events []string
	for _, b := range group {
		f.Severity = max(f.Severity, severityOf(b.rule))
		f.Change.Rules = addOnce(f.Change.Rules, b.rule)
		what, events = addOnce(what, b.what), addOnce(events, b.event)
		f.Change.Formerly = addOnce(f.Change.Formerly, b.formerly)
		f.Change.Before.Add(c.before(b.at), b.before)
		f.Change.After.Add("", b.after)
		addMatchers(&f.Change.Before, b.was)
		addMatchers(&f.Change.After, b.is)
	}
	f.Change.Events = events
	f.Message = eventrt.Clean(subject(events)+strings.Join(what, "; "), 0)
	return f
}

func addOnce(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// mostNamed is how many events a message names; all are in the JSON.
const mostNamed = 4

func subject(events []string) string {
	switch n := len(events); {
	case n == 0:
		return ""
	case n == 1:
		return "event " + events[0] + ": "
	case n <= mostNamed:
		return "events " + strings.Join(events[:n-1], ", ") + " and " + events[n-1] + ": "
	default:
		return fmt.Sprintf("events %s and %d more: ", strings.Join(events[:mostNamed-1], ", "), n-mostNamed+1)
	}
}
