package rawcall

import (
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// bothTypes is EV519.
func (c *checker) bothTypes() {
	type use struct {
		site      *scan.Site
		eventType string
	}
	first := map[string]use{}
	reported := map[string]bool{}
	for _, s := range c.Sites {
		reason, ok := s.Reason.Constant()
		eventType, known := s.Type.Constant()
		if callersDecide(s) || s.Either || !c.surelyOf(s) || !ok || !known || eventType != "Normal" && eventType != "Warning" {
			continue
		}
		before, found := first[reason]
		switch {
		case !found:
			first[reason] = use{s, eventType}
		case before.eventType != eventType && !reported[reason]:
			reported[reason] = true
			c.report(at(s, s.Reason), callrules.BothTypes, "the reason %s is %s here and %s at %s: an alert on it fires for both; use two reasons",
				reason, eventType, before.eventType, c.Where(at(before.site, before.site.Reason)))
		}
	}
}

// nearReasons is EV520.
func (c *checker) nearReasons() {
	var names spell.Names[string]
	first := map[string]*scan.Site{}
	for _, s := range c.Sites {
		if callersDecide(s) || s.Either {
			continue
		}
		for _, reason := range s.Reason.Constants() {
			if first[reason] != nil || !upperCamelCase.MatchString(reason) {
				continue
			}
			first[reason] = s
			if other, found := names.Add(reason, reason); found {
				c.report(at(s, s.Reason), callrules.NearReasons, "the reason %s is easily taken for %s at %s; use one of them, or names further apart",
					reason, other, c.Where(at(first[other], first[other].Reason)))
			}
		}
	}
}
