package rights

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Judge compares the rights that programs need with the rights that the manifests grant. It looks
// for missing rights of the programs to judge, for superfluous rights that no program needs, and
// for a pod that is killed before its program has stopped. A name chooses a service account.
func Judge(set *Set, judged, all []Program, serviceAccount string) (findings diag.Findings) {
	accounts := set.accounts(serviceAccount)
	if len(accounts) == 0 {
		return nil
	}
	for _, p := range judged {
		findings = append(findings, missing(accounts, &p)...)
	}
	findings = append(findings, superfluous(accounts, all)...)
	findings.Sort()
	return slices.Compact(findings)
}

// missing reports the rights that the best-fitting account lacks, because a program runs as one
// account.
func missing(accounts []*account, p *Program) diag.Findings {
	var best diag.Findings
	for i, a := range accounts {
		found := a.missing(p)
		if i == 0 || worth(found) < worth(best) {
			best = found
		}
	}
	return best
}

// worth counts errors more than warnings.
func worth(findings diag.Findings) (sum int) {
	for _, f := range findings {
		sum += 1 + 100*int(f.Severity)
	}
	return sum
}

// missing reports each group once, for the first call that needs it.
func (a *account) missing(p *Program) (findings diag.Findings) {
	done := map[string]bool{}
	for _, n := range p.needsFirst() {
		if !done[n.Group] {
			done[n.Group] = a.judge(p, n, &findings)
		}
	}
	return findings
}

// needsFirst sorts the needs: all namespaces before one namespace, and needs with a fallback last,
// because the others ask for more.
func (p *Program) needsFirst() []Need {
	return slices.SortedStableFunc(slices.Values(p.Needs), func(a, b Need) int { return cmp.Compare(a.modesty(), b.modesty()) })
}

func (n Need) modesty() (m int) {
	if n.Local {
		m++
	}
	if n.Fallback {
		m += 2
	}
	return m
}

// judge reports the rights that a need lacks, and whether it lacks any.
func (a *account) judge(p *Program, n Need, findings *diag.Findings) bool {
	site := p.clusterSite(n)
	n.Group = a.chosen(n)
	create, everywhere := a.granted(n.Group, createVerb)
	patch, patchEverywhere := a.granted(n.Group, patchVerb)
	switch {
	case !create:
		a.reportMissing(p, n, findings)
	case !patch || !n.Local && everywhere && !patchEverywhere:
		at := a.granting(n.Group, createVerb)
		findings.Errorf(at.Pos, callrules.MissingRight.ID, "this lets %s create events in %s but not patch them, so repeats are refused; write verbs %s%s",
			p.Name, GroupName(n.Group), verbList(at.Marker), because(n))
	case !n.Local && !patchEverywhere && a.halfGranted(n.Group) != nil:
		g := a.halfGranted(n.Group)
		findings.Errorf(g.rule.Pos, callrules.MissingRight.ID, "in namespace %s this lets %s create events in %s but not patch them, so repeats are refused; write verbs %s%s",
			g.namespace, p.Name, GroupName(n.Group), verbList(g.rule.Marker), because(n))
	case !n.Local && !everywhere && !a.localOnly():
		at := a.granting(n.Group, createVerb)
		findings.Warnf(at.Pos, callrules.LocalRight.ID, "this lets %s write events to %s in one namespace only, while other rules of it hold everywhere: "+
			"events about objects in other namespaces are refused; add to the cluster role: %s%s",
			p.Name, GroupName(n.Group), Text(false, []string{n.Group}, []string{createVerb, patchVerb}), because(n))
	case !n.Local && !everywhere && site != nil && !a.grantedForCluster(p, n.Group):
		at, other := a.granting(n.Group, createVerb), ""
		if p.canUseSystem(n.Group) {
			other = " (or in kube-system, with broadcaster.Options.ClusterNamespace)"
		}
		findings.Warnf(at.Pos, callrules.LocalRight.ID, "this lets %s write events to %s in one namespace only, but the event about a %s at %s is stored in the namespace default, "+
			"because the object has none; grant it there too%s, or in a cluster role: %s",
			p.Name, GroupName(n.Group), site.Kind, site.Pos, other, Text(false, []string{n.Group}, []string{createVerb, patchVerb}))
	default:
		return false
	}
	return true
}

// chosen returns the group that a need is judged by. A fallback writes to the core group in
// namespaces in which events.k8s.io is forbidden. An event created in events.k8s.io stays there, so
// the right to patch in that group is needed, too.
func (a *account) chosen(n Need) string {
	some, everywhere := a.granted(EventsGroup, createVerb)
	patch, _ := a.granted(EventsGroup, patchVerb)
	core, coreEverywhere := a.granted(CoreGroup, createVerb)
	if n.Fallback && core && (!some || patch && !everywhere && coreEverywhere) {
		return CoreGroup
	}
	return n.Group
}

func (a *account) reportMissing(p *Program, n Need, findings *diag.Findings) {
	pos, marker := a.pos, a.marker
	if beside := a.named(); beside != nil {
		pos, marker = beside.Pos, beside.Marker
	}
	rest := ""
	switch u := a.unknown; {
	case u != nil && a.elsewhere != nil:
		rest = fmt.Sprintf("; %s %s, which %s binds in namespace %s, is in namespace %s at %s", u.RoleKind, u.RoleName, u.Pos, u.Namespace, a.elsewhere.Namespace, a.elsewhere.Pos)
	case u != nil:
		rest = fmt.Sprintf("; %s %s, which %s binds, was not read", u.RoleKind, u.RoleName, u.Pos)
	}
	groups := GroupName(n.Group)
	if n.Fallback {
		groups += ", nor of " + GroupName(CoreGroup)
	}
	findings.Errorf(pos, callrules.MissingRight.ID, "%s grants create and patch on events of %s, so what %s records there is refused; add: %s%s%s",
		a.who, groups, p.Name, Text(marker, []string{n.Group}, []string{createVerb, patchVerb}), because(n), rest)
}

func because(n Need) string {
	unless := ""
	if n.Unless != "" {
		unless = ", unless " + n.Unless
	}
	return fmt.Sprintf(" (%s at %s%s)", n.What, n.Pos, unless)
}

func verbList(marker bool) string {
	if marker {
		return "create;patch"
	}
	return "[create, patch]"
}

// granting returns the first rule that grants a verb.
func (a *account) granting(group, verb string) *Rule {
	for _, g := range a.grants {
		if g.rule.grants(group, verb) {
			return g.rule
		}
	}
	return nil
}

// named returns a rule of the account that names events. It prefers a rule that holds everywhere.
func (a *account) named() (found *Rule) {
	local := true
	for _, g := range a.grants {
		if g.rule.named() && (found == nil || local && !g.local) {
			found, local = g.rule, g.local
		}
	}
	return found
}
