package rights

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// eventsResource is the resource that both groups call events.
const eventsResource = "events"

// Rule is one rule of a role, or one marker of kubebuilder.
type Rule struct {
	Pos                      diag.Pos
	Groups, Resources, Verbs []string
	// Names are resourceNames: a rule with names grants nothing to a recorder, since the names of
	// events are made up.
	Names []string
	// Namespace is the namespace of a marker's rule; empty: all. For rules of roles, the role's
	// binding decides.
	Namespace string
	// Marker: the rule is a comment in Go.
	Marker bool
}

// aboutEvents reports whether the rule covers events of a group.
func (r *Rule) aboutEvents(group string) bool {
	return covers(r.Groups, group) && covers(r.Resources, eventsResource)
}

// grants reports whether the rule lets a recorder use a verb on events of a group.
func (r *Rule) grants(group, verb string) bool {
	return r.aboutEvents(group) && covers(r.Verbs, verb) && len(r.Names) == 0
}

// named reports whether the rule names events, and not only a wildcard that covers them.
func (r *Rule) named() bool { return slices.Contains(r.Resources, eventsResource) }

func covers(list []string, item string) bool {
	return slices.Contains(list, item) || slices.Contains(list, wildcard)
}

// Text returns a rule for events of groups, as YAML or as a marker.
func Text(marker bool, groups, verbs []string) string {
	if marker {
		quoted := joined(groups, func(g string) string { return cmp.Or(g, `""`) }, ";")
		return fmt.Sprintf("//+kubebuilder:rbac:groups=%s,resources=events,verbs=%s", quoted, strings.Join(verbs, ";"))
	}
	return fmt.Sprintf("- {apiGroups: [%s], resources: [events], verbs: [%s]}", joined(groups, strconv.Quote, ", "), strings.Join(verbs, ", "))
}

// joined applies a function to texts, and joins the results.
func joined(texts []string, as func(string) string, separator string) string {
	out := slices.Clone(texts)
	for i, t := range out {
		out[i] = as(t)
	}
	return strings.Join(out, separator)
}
