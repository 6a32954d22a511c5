package rights

import (
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// grant is a rule in force: everywhere, or in one namespace.
type grant struct {
	rule *Rule
	// local: the rule holds in one namespace only. The manifest may leave the choice of the
	// namespace to kustomize.
	local     bool
	namespace string
}

// account is an account that a program can run as: a service account with the rules bound to it. If
// no binding was read, it is an account with all rules.
type account struct {
	// who names what is bound to the account, in messages.
	who    string
	grants []grant
	// unknown is a binding of the account to a role that was not read.
	unknown *Binding
	// elsewhere is the binding's role, if it was read and is in another namespace than the binding.
	elsewhere *Role
	// pos is the first role of the account, or its first marker: a missing rule is reported there.
	pos    diag.Pos
	marker bool
}

// accounts returns the accounts that the manifests grant rights to. A name, or namespace/name,
// chooses one account.
func (s *Set) accounts(name string) []*account {
	if len(s.Bindings) == 0 {
		return []*account{s.unbound()}
	}
	var accounts []*account
	for _, a := range s.candidates(name) {
		accounts = append(accounts, s.account(a))
	}
	switch {
	case len(accounts) > 0:
	case len(s.Markers) > 0:
		accounts = append(accounts, s.unbound())
	case name == "": // the bindings are for groups and users
		accounts = append(accounts, s.account(Account{Pos: s.Bindings[0].Pos}))
	}
	return accounts
}

// Knows reports whether the manifests name a service account. If they do not, it returns the names
// in the manifests. If they name no account and bind nothing, any name counts.
func (s *Set) Knows(name string) (known bool, names []string) {
	all := s.named()
	if name == "" || len(s.Bindings) == 0 && len(all) == 0 || len(s.candidates(name)) > 0 {
		return true, nil
	}
	for _, a := range all {
		if !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	return false, names
}

// candidates returns the accounts in bindings. If a name chooses one, it also returns the accounts
// in other manifests.
func (s *Set) candidates(name string) (list []Account) {
	namespace, bare, found := strings.Cut(name, "/")
	if !found {
		namespace, bare = "", name
	}
	for _, a := range s.named() {
		bound := slices.ContainsFunc(s.Bindings, func(b *Binding) bool { return b.names(a) })
		switch {
		case name == "" && !bound, name != "" && (a.Name != bare || namespace != "" && a.Namespace != "" && a.Namespace != namespace):
		default:
			if namespace != "" {
				a.Namespace = namespace
			}
			list = append(list, a)
		}
	}
	return list
}

// named returns the service accounts that the manifests name.
func (s *Set) named() (list []Account) {
	for _, b := range s.Bindings {
		for _, subject := range b.Subjects {
			if subject.Kind == kindServiceAccount {
				list = append(list, Account{b.Pos, subject.Name, ""})
			}
		}
	}
	return slices.Concat(list, s.Workloads, s.Accounts)
}

// unbound returns an account with all rules of roles and markers.
func (s *Set) unbound() *account {
	a := &account{who: "nothing"}
	for _, r := range s.Roles {
		a.add(r.Pos, s.rulesOf(r), r.Kind == kindRole, r.Namespace)
	}
	a.addMarkers(s)
	return a
}

// account collects the rules that are bound to a service account. It adds the rules of all markers,
// which every program has.
func (s *Set) account(named Account) *account {
	a := &account{who: "nothing that a service account is bound to"}
	if named.Name != "" {
		a.who = "nothing that ServiceAccount " + named.Name + " is bound to"
	}
	for _, b := range s.Bindings {
		if !b.names(named) {
			continue
		}
		found, _ := s.roles(b)
		for _, r := range found {
			a.add(r.Pos, s.rulesOf(r), b.Kind == kindRoleBinding, b.Namespace)
		}
		switch {
		case len(found) == 0 && b.RoleKind == kindClusterRole && b.RoleName == clusterAdmin:
			all := []string{wildcard}
			a.add(b.Pos, []*Rule{{Pos: b.Pos, Groups: all, Resources: all, Verbs: all}}, b.Kind == kindRoleBinding, b.Namespace)
		case len(found) == 0 && a.unknown == nil:
			a.unknown, a.elsewhere = b, s.elsewhere(b)
		}
	}
	a.addMarkers(s)
	if a.pos.File == "" {
		a.pos = named.Pos
	}
	return a
}

func (a *account) add(pos diag.Pos, rules []*Rule, local bool, namespace string) {
	if len(rules) > 0 && (a.pos.File == "" || a.localOnly() && !local) {
		a.pos, a.marker = pos, false
	}
	for _, r := range rules {
		a.grants = append(a.grants, grant{rule: r, local: local, namespace: namespace})
	}
}

func (a *account) addMarkers(s *Set) {
	for _, r := range s.Markers {
		if a.pos.File == "" {
			a.pos, a.marker = r.Pos, true
		}
		a.grants = append(a.grants, grant{rule: r, local: r.Namespace != "", namespace: r.Namespace})
	}
}

// localOnly reports whether every rule holds in one namespace only.
func (a *account) localOnly() bool {
	return !slices.ContainsFunc(a.grants, func(g grant) bool { return !g.local })
}

// granted reports whether a verb on events of a group is granted at all, and whether it is granted
// everywhere.
func (a *account) granted(group, verb string) (somewhere, everywhere bool) {
	for _, g := range a.grants {
		if g.rule.grants(group, verb) {
			somewhere = true
			everywhere = everywhere || !g.local
		}
	}
	return somewhere, everywhere
}

// halfGranted returns a grant to create events in one namespace, without one to patch them there;
// nil if there is none.
func (a *account) halfGranted(group string) *grant {
	for i, g := range a.grants {
		if g.local && g.rule.grants(group, createVerb) && !a.grantedIn(g.namespace, group, patchVerb) {
			return &a.grants[i]
		}
	}
	return nil
}

// grantedForCluster reports whether events about cluster-scoped objects are granted where a program
// can store them: in default or, if it has the option, in kube-system.
func (a *account) grantedForCluster(p *Program, group string) bool {
	return a.grantedIn("default", group, createVerb) || p.canUseSystem(group) && a.grantedIn("kube-system", group, createVerb)
}

// grantedIn reports whether a verb on events of a group is granted by a rule for a namespace.
func (a *account) grantedIn(namespace, group, verb string) bool {
	return slices.ContainsFunc(a.grants, func(g grant) bool { return g.local && g.namespace == namespace && g.rule.grants(group, verb) })
}
