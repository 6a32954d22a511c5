package rights

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// writeVerbs are verbs that change events. A recorder needs the first two. Reading them is no business of recorders, so get, list and watch are not judged.
var writeVerbs = []string{createVerb, patchVerb, "update", "delete", "deletecollection", wildcard}

// superfluous reports rules that name events and grant more than any program needs. A group that a program uses by itself,
// without a recorder, is not judged.
func superfluous(accounts []*account, programs []Program) (findings diag.Findings) {
	seen := map[*Rule]bool{}
	for _, a := range accounts {
		for _, g := range a.grants {
			if !seen[g.rule] && g.rule.named() {
				judgeExcess(g.rule, programs, &findings)
			}
			seen[g.rule] = true
		}
	}
	return findings
}

func judgeExcess(r *Rule, programs []Program, findings *diag.Findings) {
	if len(r.Names) > 0 && len(only(r.Verbs, writeVerbs[:2])) > 0 {
		findings.Warnf(r.Pos, callrules.SuperfluousRight.ID, "a rule with resourceNames grants a recorder nothing, since it makes up the names of events; "+
			"write it without: %s", Text(r.Marker, needed(r, programs), []string{createVerb, patchVerb}))
		return
	}
	verbs := only(r.Verbs, writeVerbs)
	if len(verbs) == 0 || usedOtherwise(r, programs) {
		return
	}
	keep, excessive := needed(r, programs), only(verbs, writeVerbs[2:])
	switch {
	case len(keep) == 0:
		findings.Warnf(r.Pos, callrules.SuperfluousRight.ID, "no recorder writes to %s, so %s on events is not needed; %s", namesOf(eventGroups(r)), strings.Join(verbs, ", "), removal(r))
	case len(keep) < len(eventGroups(r)) && !slices.Contains(r.Groups, wildcard):
		excess := slices.DeleteFunc(eventGroups(r), func(g string) bool { return slices.Contains(keep, g) })
		findings.Warnf(r.Pos, callrules.SuperfluousRight.ID, "no recorder writes to %s; write for events: %s", namesOf(excess), Text(r.Marker, keep, rewritten(r.Verbs)))
	case len(excessive) > 0:
		findings.Warnf(r.Pos, callrules.SuperfluousRight.ID, "recorders create and patch events; %s is more than they need; write for events: %s",
			strings.Join(excessive, ", "), Text(r.Marker, keep, rewritten(r.Verbs)))
	}
}

// eventGroups returns the groups with events that the rule covers.
func eventGroups(r *Rule) []string {
	return slices.DeleteFunc([]string{CoreGroup, EventsGroup}, func(g string) bool { return !covers(r.Groups, g) })
}

// needed returns the groups of a rule that a program writes to.
func needed(r *Rule, programs []Program) []string {
	return slices.DeleteFunc(eventGroups(r), func(g string) bool {
		return !slices.ContainsFunc(programs, func(p Program) bool { return p.writes(g) })
	})
}

func usedOtherwise(r *Rule, programs []Program) bool {
	return slices.ContainsFunc(eventGroups(r), func(g string) bool {
		return slices.ContainsFunc(programs, func(p Program) bool { return p.Uses[g] })
	})
}

// rewritten keeps the verbs that read, and replaces the verbs that write by create and patch.
func rewritten(verbs []string) []string {
	kept := slices.DeleteFunc(slices.Clone(verbs), func(v string) bool { return slices.Contains(writeVerbs, v) })
	return append(kept, createVerb, patchVerb)
}

func only(list, of []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return !slices.Contains(of, s) })
}

func removal(r *Rule) string {
	if len(r.Resources) == 1 {
		return "remove the rule"
	}
	return "remove events from its resources"
}

func namesOf(groups []string) string { return joined(groups, GroupName, " or ") }
