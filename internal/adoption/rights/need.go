package rights

import (
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Need is one way in which a program writes events.
type Need struct {
	// Group is the API group that the program writes to.
	Group string
	// Fallback: the program uses the core group if events.k8s.io is forbidden, so either group is
	// enough.
	Fallback bool
	// Local: one namespace is enough, as for leader election, whose events are about its Lease.
	Local bool
	// Unless is the condition under which the program does not write; empty: none.
	Unless string
	// Pos and What name the call that makes the recorder.
	Pos  diag.Pos
	What string
}

// ClusterSite is a call that records an event about a cluster-scoped object. Recorders store it in
// the namespace default (client-go, tools/record/event.go), because an event has a namespace. The
// call is a raw one, or one of generated code.
type ClusterSite struct {
	Pos  diag.Pos
	Kind string
	// Groups holds the API group that the recorder's type stands for; empty: unknown.
	Groups []string
}

// Program is a main package.
type Program struct {
	// Name is the program's name in messages.
	Name  string
	Needs []Need
	// Uses are the groups whose events the program reads or writes itself, not by a recorder.
	Uses map[string]bool
	// Cluster are the calls that record about cluster-scoped objects.
	Cluster []ClusterSite
	// ClusterNamespace: the program has the run time's option to store these events in kube-system.
	ClusterNamespace bool
	// Unread lists the unknown parts of the program's recorders. While there are any, no finding
	// calls a right superfluous.
	Unread []string
}

// clusterSite returns the first call about a cluster-scoped object that may write by a need, or
// nil. A recorder of either type can write to either group, unless the program also makes one that
// writes to the group of its type.
func (p *Program) clusterSite(need Need) *ClusterSite {
	i := slices.IndexFunc(p.Cluster, func(s ClusterSite) bool {
		return len(s.Groups) == 0 || slices.Contains(s.Groups, need.Group) ||
			!slices.ContainsFunc(p.Needs, func(n Need) bool { return !n.Local && slices.Contains(s.Groups, n.Group) })
	})
	if i < 0 {
		return nil
	}
	return &p.Cluster[i]
}

// canUseSystem reports whether a program can store events about cluster-scoped objects in
// kube-system. There the API server takes such events in the form of events.k8s.io only.
func (p *Program) canUseSystem(group string) bool { return p.ClusterNamespace && group == EventsGroup }

// writes reports whether a program writes to a group.
func (p *Program) writes(group string) bool {
	return slices.ContainsFunc(p.Needs, func(n Need) bool { return n.Group == group || n.Fallback && group == CoreGroup })
}
