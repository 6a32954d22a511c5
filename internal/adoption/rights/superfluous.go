package rights

import (
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// writeVerbs are verbs that change events. A recorder needs the first two. Recorders do not read
// events, so get, list and watch are not judged.
var writeVerbs = []string{createVerb, patchVerb, "update", "delete", "deletecollection", wildcard}

// superfluous reports rules that name events and grant more than any program needs. A group that a
// program uses by itself, without a recorder, is not judged. If a program's recorders are not all
// known, the finding says so and advises nothing.
func superfluous(accounts []*account, programs []Program) (findings diag.Findings) {
	seen := map[*Rule]bool{}
	for _, a := range accounts {
		for _, g := range a.grants {
			if !seen[g.rule] && g.rule.named() {
				a.judgeExcess(g.rule, programs, &findings)
			}
			seen[g.rule] = true
		}
	}
	return findings
}

func (a *account) judgeExcess(r *Rule, programs []Program, findings *diag.Findings) {
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
	excess := slices.DeleteFunc(eventGroups(r), func(g string) bool { return slices.Contains(keep, g) })
	if slices.Contains(r.Groups, wildcard) && len(keep) > 0 {
		excess = nil
	}
	switch unread := unreadOf(programs); {
	case len(excess)+len(excessive) > 0 && len(unread) > 0:
		findings.Warnf(r.Pos, callrules.Unread.ID, "whether a recorder needs %s on events of %s is not known: %s",
			strings.Join(verbs, ", "), namesOf(eventGroups(r)), some(unread))
	case len(keep) == 0:
		findings.Warnf(r.Pos, callrules.SuperfluousRight.ID, "no recorder writes to %s, so %s on events is not needed; %s", namesOf(eventGroups(r)), strings.Join(verbs, ", "), removal(r))
	case len(excess) > 0:
		findings.Warnf(r.Pos, callrules.SuperfluousRight.ID, "no recorder writes to %s; write for events: %s", namesOf(excess), Text(r.Marker, keep, rewritten(r.Verbs)))
	case len(excessive) > 0:
		findings.Warnf(r.Pos, callrules.SuperfluousRight.ID, "recorders create and patch events; %s is more than they need; write for events: %s",
			strings.Join(excessive, ", "), Text(r.Marker, keep, rewritten(r.Verbs)))
	}
}

// unreadOf returns the unknown parts of the programs' recorders, each text once.
func unreadOf(programs []Program) (all []string) {
	for _, p := range programs {
		for _, text := range p.Unread {
			if !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	return all
}

// mostUnread bounds the number of texts that a message lists.
const mostUnread = 3

func some(texts []string) string {
	listed := strings.Join(texts[:min(len(texts), mostUnread)], "; ")
	if more := len(texts) - mostUnread; more > 0 {
		listed += fmt.Sprintf("; and %d more", more)
	}
	return listed
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
