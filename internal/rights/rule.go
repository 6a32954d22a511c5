package rights

import (
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/diag"
)

// eventsResource is the resource that both groups call events.
const eventsResource = "events"

// Rule is one rule of a role, or one marker of kubebuilder.
type Rule struct {
	Pos                      diag.Pos
	Groups, Resources, Verbs []string
	// Names are resourceNames: a rule with names grants nothing to a recorder, since the names of events are made up.
	Names []string
	// Namespace is the namespace of a marker's rule; empty: all. For rules of roles, the role's binding decides.
	Namespace string
	// Marker: the rule is a comment in Go.
	Marker bool
}

// aboutEvents reports whether the rule covers events of a group.
func (r *Rule) aboutEvents(group string) bool {
	return covers(r.Groups, group) && (covers(r.Resources, eventsResource))
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

// Text is a rule for events of groups, as it is written in YAML or as a marker.
func Text(marker bool, groups, verbs []string) string {
	if marker {
		quoted := slices.Clone(groups)
		for i, g := range quoted {
			if g == CoreGroup {
				quoted[i] = `""`
			}
		}
		return fmt.Sprintf("//+kubebuilder:rbac:groups=%s,resources=events,verbs=%s", strings.Join(quoted, ";"), strings.Join(verbs, ";"))
	}
	return fmt.Sprintf("- {apiGroups: [%s], resources: [events], verbs: [%s]}", quoteAll(groups), strings.Join(verbs, ", "))
}

func quoteAll(groups []string) string {
	quoted := make([]string, len(groups))
	for i, g := range groups {
		quoted[i] = fmt.Sprintf("%q", g)
	}
	return strings.Join(quoted, ", ")
}
