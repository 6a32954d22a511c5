package rights

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// The kinds of rbac.authorization.k8s.io that this package reads.
const (
	kindRole               = "Role"
	kindClusterRole        = "ClusterRole"
	kindRoleBinding        = "RoleBinding"
	kindClusterRoleBinding = "ClusterRoleBinding"
	kindServiceAccount     = "ServiceAccount"
	kindGroup              = "Group"
	kindUser               = "User"
)

// clusterAdmin is the role of every cluster that grants everything.
const clusterAdmin = "cluster-admin"

// Role is a Role or ClusterRole.
type Role struct {
	Pos             diag.Pos
	Kind            string
	Name, Namespace string
	Labels          map[string]string
	// Aggregates select the cluster roles whose rules this role has as well.
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

// Subject is an account in a binding, or a group of accounts.
type Subject struct{ Kind, Name, Namespace string }

// Account is a service account that a manifest names outside of bindings.
type Account struct {
	Pos             diag.Pos
	Name, Namespace string
}

// Set holds everything that was read.
type Set struct {
	Roles    []*Role
	Bindings []*Binding
	// Accounts are the service accounts that manifests declare.
	Accounts  []Account
	Workloads []Account
	// Markers are kubebuilder's comments in Go. Their rules are bound to the program.
	Markers []*Rule
	// Notes name the files that were not read, and a remedy for each.
	Notes diag.Findings
}

// Empty reports whether nothing was read that grants a right.
func (s *Set) Empty() bool { return len(s.Roles) == 0 && len(s.Markers) == 0 && len(s.Bindings) == 0 }

// rulesOf returns the rules of a role and of the roles that it aggregates, which may aggregate
// others.
func (s *Set) rulesOf(role *Role) (rules []*Rule) {
	sum := []*Role{role}
	for i := 0; i < len(sum); i++ {
		rules = append(rules, sum[i].Rules...)
		for _, other := range s.Roles {
			if other.Kind == kindClusterRole && sum[i].aggregates(other) && !slices.Contains(sum, other) {
				sum = append(sum, other)
			}
		}
	}
	return rules
}

func (r *Role) aggregates(other *Role) bool {
	return slices.ContainsFunc(r.Aggregates, func(l metav1.LabelSelector) bool {
		chosen, err := metav1.LabelSelectorAsSelector(&l)
		return err == nil && chosen.Matches(labels.Set(other.Labels))
	})
}

// roles returns the roles that a binding refers to. Overlays of kustomize may hold the same role
// twice. If a manifest leaves out the role's namespace or the binding's, any role of the name
// counts. guessed reports that the binding's was left out.
func (s *Set) roles(b *Binding) (found []*Role, guessed bool) {
	var exact, others []*Role
	for _, r := range s.Roles {
		switch {
		case r.Kind != b.RoleKind || r.Name != b.RoleName:
		case r.Kind == kindClusterRole || r.Namespace == b.Namespace:
			exact = append(exact, r)
		case r.Namespace == "", b.Namespace == "":
			others = append(others, r)
		}
	}
	if len(exact) > 0 {
		return exact, false
	}
	return others, b.Namespace == "" && len(others) > 0
}

// elsewhere returns the role that a binding names, if it is in another namespace, or nil.
func (s *Set) elsewhere(b *Binding) *Role {
	i := slices.IndexFunc(s.Roles, func(r *Role) bool { return r.Kind == kindRole && r.Kind == b.RoleKind && r.Name == b.RoleName })
	if i < 0 {
		return nil
	}
	return s.Roles[i]
}

// settle gives the objects without a namespace the only one that the manifests name, if there is
// one, and notes the bindings whose role is guessed.
func (s *Set) settle() {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	s.namespaces(func(n *string) { add(*n) })
	if len(names) == 1 {
		s.namespaces(func(n *string) { *n = names[0] })
	}
	for _, b := range s.Bindings {
		if found, guessed := s.roles(b); guessed {
			s.Notes.Warnf(b.Pos, "", "no namespace is given here; the binding is taken for one in %s, where Role %s is at %s", found[0].Namespace, b.RoleName, found[0].Pos)
		}
	}
	s.noteUnbound()
}

// noteUnbound notes the workloads that run as an account without a binding, unless another workload
// runs as one with a binding.
func (s *Set) noteUnbound() {
	var unbound []Account
	for _, w := range s.Workloads {
		switch {
		case slices.ContainsFunc(s.Bindings, func(b *Binding) bool { return b.names(w) }):
			return
		case len(s.Bindings) > 0:
			unbound = append(unbound, w)
		}
	}
	for _, w := range unbound {
		name := strings.TrimPrefix(w.Namespace+"/"+w.Name, "/")
		s.Notes.Warnf(w.Pos, "", "this runs as ServiceAccount %s, which no binding names; to judge its rights, give --service-account=%s", name, name)
	}
}

// namespaces yields the namespaces of the objects that have one.
func (s *Set) namespaces(yield func(*string)) {
	for _, r := range s.Roles {
		if r.Kind == kindRole {
			yield(&r.Namespace)
		}
	}
	for _, b := range s.Bindings {
		if b.Kind == kindRoleBinding {
			yield(&b.Namespace)
		}
		for i := range b.Subjects {
			if b.Subjects[i].Kind == kindServiceAccount {
				yield(&b.Subjects[i].Namespace)
			}
		}
	}
	for i := range s.Accounts {
		yield(&s.Accounts[i].Namespace)
	}
	for i := range s.Workloads {
		yield(&s.Workloads[i].Namespace)
	}
}

// names reports whether a binding is for a service account. If a namespace is left out, only the
// name counts.
func (b *Binding) names(a Account) bool {
	return slices.ContainsFunc(b.Subjects, func(s Subject) bool { return s.covers(a) })
}

// The groups of all service accounts. A namespace behind a colon makes the first one the group of
// the namespace's accounts.
const (
	everyone      = "system:serviceaccounts"
	authenticated = "system:authenticated"
)

// accountUser begins the user name of a service account; its namespace and name follow.
const accountUser = "system:serviceaccount:"

func (s Subject) covers(a Account) bool {
	if s.Kind == kindGroup {
		of, inNamespace := strings.CutPrefix(s.Name, everyone+":")
		return s.Name == everyone || s.Name == authenticated || inNamespace && (a.Namespace == "" || of == a.Namespace)
	}
	return s.Kind == kindServiceAccount && s.Name == a.Name && (s.Namespace == "" || a.Namespace == "" || s.Namespace == a.Namespace)
}
