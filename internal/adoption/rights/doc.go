// Package rights reads the rights to write events from manifests, and compares them with the rights
// that programs need.
//
// A recorder creates an event and patches it when it repeats (client-go, tools/record/event.go and
// tools/events/event_broadcaster.go). It needs no other verb. How the recorder was made decides
// which API group it writes to.
package rights

import "github.com/event-gen/event-gen/internal/adoption/facts"

// The API groups that hold events.
const (
	CoreGroup   = facts.CoreGroup
	EventsGroup = facts.EventsGroup
)

// The verbs that a recorder needs.
const (
	createVerb = "create"
	patchVerb  = "patch"
)

// wildcard means every group, resource or verb in a rule.
const wildcard = "*"

// GroupName returns the name of a group in messages.
func GroupName(group string) string {
	if group == CoreGroup {
		return "the core group"
	}
	return group
}
