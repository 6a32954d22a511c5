package rights

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// The kinds of rbac.authorization.k8s.io that are read.
const (
	kindRole               = "Role"
	kindClusterRole        = "ClusterRole"
	kindRoleBinding        = "RoleBinding"
	kindClusterRoleBinding = "ClusterRoleBinding"
	kindServiceAccount     = "ServiceAccount"
)

// clusterAdmin is the role of every cluster that grants everything.
const clusterAdmin = "cluster-admin"

// Role is a Role or ClusterRole.
type Role struct {
	Pos             diag.Pos
	Kind            string
	Name, Namespace string
	Labels          map[string]string
	// Aggregates select the cluster roles whose rules this one has as well.
	Aggregates []metav1.LabelSelector
	Rules      []*Rule
}

// Binding is a RoleBinding or ClusterRoleBinding.
type Binding struct {
	Pos                diag.Pos
	Kind               string
	Namespace          string
	RoleKind, RoleName string
	Subjects           []Subject
}

// Subject is an account in a binding.
type Subject struct{ Kind, Name string }

// Set holds everything that was read.
type Set struct {
	Roles    []*Role
	Bindings []*Binding
	// Markers are kubebuilder's comments in Go. Their rules are bound to the program.
	Markers []*Rule
	// Notes name the files that were not read, and a remedy for each.
	Notes diag.Findings
}

// Empty reports whether nothing was read that grants a right.
func (s *Set) Empty() bool { return len(s.Roles) == 0 && len(s.Markers) == 0 && len(s.Bindings) == 0 }

// rulesOf returns the rules of a role and of the roles that it aggregates.
func (s *Set) rulesOf(role *Role) []*Rule {
	rules := slices.Clone(role.Rules)
	for _, selector := range role.Aggregates {
		chosen, err := metav1.LabelSelectorAsSelector(&selector)
		if err != nil {
			continue
		}
		for _, other := range s.Roles {
			if other != role && other.Kind == kindClusterRole && chosen.Matches(labels.Set(other.Labels)) {
				rules = append(rules, other.Rules...)
			}
		}
	}
	return rules
}

// roles returns the roles that a binding refers to. Overlays of kustomize may hold the same role
// twice.
func (s *Set) roles(b *Binding) []*Role {
	return slices.DeleteFunc(slices.Clone(s.Roles), func(r *Role) bool {
		return r.Kind != b.RoleKind || r.Name != b.RoleName || r.Kind != kindClusterRole && r.Namespace != b.Namespace
	})
}

// names reports whether a binding is for a service account of a name.
func (b *Binding) names(account string) bool {
	return slices.ContainsFunc(b.Subjects, func(s Subject) bool { return s.Kind == kindServiceAccount && s.Name == account })
}
