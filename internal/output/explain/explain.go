// Package explain reads stored events back. It finds the catalog entry of an event or a message,
// and the values of its params.
package explain

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// Reading is a catalog entry that a stored event may come from, with the values of its params.
type Reading struct {
	Pos        diag.Pos
	Event      *model.Event
	Definition *model.Definition
	// Former is the former name of the entry that was the event's reason; empty if it has the
	// current reason.
	Former string
	Values []Value
	// Aggregate is true if the event aggregates several events. The values are those of one of
	// them.
	Aggregate bool
	// Latest holds the values of the latest occurrence where Values may be those of an earlier
	// one; nil if they are unknown.
	Latest []Value

	literal int // bytes of the message that are no values
}

// Value is the value of a placeholder.
type Value struct {
	Name string
	Text string
}

// Entries are the entries of catalogs.
type Entries struct {
	// all holds the events in the order of the catalogs, and by their reasons.
	all      []*model.Event
	byReason map[string][]*model.Event
}

// NewEntries returns the entries of a set.
func NewEntries(set *model.Set) *Entries {
	x := &Entries{byReason: map[string][]*model.Event{}}
	for _, p := range set.Packages {
		for _, e := range p.Events {
			x.all = append(x.all, e)
			for _, d := range e.Definitions() {
				x.add(d.Runtime.Reason, e)
			}
			for _, former := range e.Formers {
				x.add(former.Name, e)
			}
		}
	}
	return x
}

func (x *Entries) add(reason string, e *model.Event) {
	if !slices.Contains(x.byReason[reason], e) {
		x.byReason[reason] = append(x.byReason[reason], e)
	}
}

// Readings returns the entries that an event may come from. The likeliest, with the most text that
// is no value, is first. An entry that any message fits is last.
func (x *Entries) Readings(s Stored) []Reading {
	message, aggregate := strings.CutPrefix(s.Message, eventrt.AggregatePrefix)
	candidates := x.all
	if s.Reason != "" {
		candidates = x.byReason[s.Reason]
	}
	var out []Reading
	for _, e := range candidates {
		out = append(out, readEvent(e, s, message, aggregate)...)
	}
	slices.SortStableFunc(out, func(a, b Reading) int {
		return cmp.Or(cmp.Compare(b.literal, a.literal), cmp.Compare(a.anything(s), b.anything(s)))
	})
	return out
}

// Almost tells which entry would have an event with another controller, action, type or reason, and
// in what it differs; empty if there is none.
func (x *Entries) Almost(s Stored) string {
	for _, f := range []struct {
		name string
		part func(*Stored) *string
		of   func(*eventrt.Definition) string
	}{
		{"from controller", func(s *Stored) *string { return &s.Controller }, func(d *eventrt.Definition) string { return d.ReportingController }},
		{"with action", func(s *Stored) *string { return &s.Action }, func(d *eventrt.Definition) string { return d.Action }},
		{"with type", func(s *Stored) *string { return &s.Type }, func(d *eventrt.Definition) string { return d.Type }},
		{"with reason", func(s *Stored) *string { return &s.Reason }, func(d *eventrt.Definition) string { return d.Reason }},
	} {
		other := s
		*f.part(&other) = ""
		if readings := x.Readings(other); *f.part(&s) != "" && len(readings) > 0 {
			r := readings[0]
			return fmt.Sprintf(" %s %q; %s: %s has this message, %s %q", f.name, *f.part(&s), r.Pos, r.Event.Name, f.name, f.of(&r.Definition.Runtime))
		}
	}
	return ""
}

// readEvent returns the readings of one catalog event. A message that several methods share is read
// once.
func readEvent(e *model.Event, s Stored, message string, aggregate bool) []Reading {
	var out []Reading
	for _, def := range e.Definitions() {
		former := ""
		if !s.fits(&def.Runtime) {
			if former = s.formerly(e, def); former == "" {
				continue
			}
		}
		values, ok := match(e, def, s, message)
		known := func(r Reading) bool {
			return r.Definition.Message == def.Message && r.Definition.Runtime.Reason == def.Runtime.Reason && slices.Equal(r.Values, values)
		}
		if ok && !slices.ContainsFunc(out, known) {
			r := Reading{Former: former, Pos: e.Source.Pos, Event: e, Definition: def, Values: values, Aggregate: aggregate, literal: literals(message, values)}
			if s.Latest != "" && (aggregate || def.Runtime.Correlation.LatestNote) {
				r.Latest, _ = match(e, def, s, s.Latest)
			}
			out = append(out, r)
		}
	}
	return out
}

// literals counts the bytes of a message that are no values.
func literals(message string, values []Value) int {
	n := len(message)
	for _, v := range values {
		n -= len(v.Text)
	}
	return n
}

// anything is 1 if any message fits the entry: its message is one placeholder for any text.
func (r *Reading) anything(s Stored) int {
	if expression, _ := pattern(r.Event, r.Definition, s); expression == "(?s)^(.*?)$" {
		return 1
	}
	return 0
}

// match returns the values in a message, and whether the message fits the definition.
func match(e *model.Event, def *model.Definition, s Stored, message string) ([]Value, bool) {
	expression, names := pattern(e, def, s)
	found := regexp.MustCompile(expression).FindStringSubmatchIndex(message)
	if found == nil {
		return nil, false
	}
	var values []Value
	for i, name := range names {
		if start, end := found[2*i+2], found[2*i+3]; start >= 0 {
			values = append(values, Value{Name: name, Text: message[start:end]})
		}
	}
	return values, true
}

// pattern returns a regular expression for all messages of a definition, and the names of its
// groups.
func pattern(e *model.Event, def *model.Definition, s Stored) (expression string, names []string) {
	var b strings.Builder
	b.WriteString("(?s)^")
	prefix := def.Runtime.RelatedPrefix
	for _, segment := range def.Runtime.Message {
		b.WriteString(regexp.QuoteMeta(segment.Text))
		switch {
		case segment.Value == eventrt.NoValue:
			continue
		case segment.Value == eventrt.ParamValue:
			names = append(names, e.Params[segment.Param].Name)
			b.WriteString(param(e.Params[segment.Param]))
			continue
		}
		names = append(names, model.Placeholders[segment.Value].Name)
		if segment.Value < eventrt.RelatedName {
			b.WriteString(group("", exactly(s.Regarding, segment.Value-eventrt.RegardingName), false))
			continue
		}
		b.WriteString(group(prefix, exactly(s.Related, segment.Value-eventrt.RelatedName), def.Runtime.RelatedOptional))
		prefix = ""
	}
	b.WriteString("$")
	return b.String(), names
}

// group returns a regular expression that captures a value after its prefix.
func group(prefix, value string, optional bool) string {
	text := regexp.QuoteMeta(prefix) + "(" + value + ")"
	if optional {
		return "(?:" + text + ")?"
	}
	return text
}

// exactly returns a regular expression for a part of an object: name, namespace, kind or UID. If
// the part is unknown, it matches any text without spaces. A kind matches in any case, because
// kubectl get events prints kinds in lower case.
func exactly(r Reference, part eventrt.Value) string {
	kind := ""
	if r.Kind != "" {
		kind = "(?i:" + regexp.QuoteMeta(r.Kind) + ")"
	}
	return cmp.Or([...]string{regexp.QuoteMeta(r.Name), regexp.QuoteMeta(r.Namespace), kind, regexp.QuoteMeta(r.UID)}[part], `\S*?`)
}

// param returns a regular expression for the texts of a param.
func param(p *model.Param) string {
	shape := p.Shape()
	switch {
	case p.Definition.Sensitive:
		shape = "<redacted>"
	case p.Definition.Quote:
		shape = `".*?"?…?`
	}
	return group(p.Definition.Prefix, shape, p.Definition.Optional)
}
