package rights

import (
	"cmp"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// olmGroup is the API group of OLM's bundles, in any version.
const olmGroup = "operators.coreos.com/"

// podSpec holds the fields that this package reads of a pod.
type podSpec struct {
	ServiceAccountName string `yaml:"serviceAccountName"`
	ServiceAccount     string `yaml:"serviceAccount"` // its former name
	Grace              *int   `yaml:"terminationGracePeriodSeconds"`
	Containers         []yaml.Node
}

type podTemplate struct{ Spec podSpec }

// workload holds the pods of all kinds that make some, and of a Pod itself.
type workload struct {
	Metadata struct{ Name, Namespace string }
	Spec     struct {
		podSpec     `yaml:",inline"`
		Template    podTemplate
		JobTemplate struct {
			Spec struct{ Template podTemplate }
		} `yaml:"jobTemplate"`
		Install struct {
			Spec struct {
				Permissions        []permission
				ClusterPermissions []permission `yaml:"clusterPermissions"`
				Deployments        []struct {
					Spec struct{ Template podTemplate }
				}
			}
		}
	}
}

// permission holds the rights that OLM gives a service account.
type permission struct {
	ServiceAccountName string `yaml:"serviceAccountName"`
	Rules              []yaml.Node
}

// readOther reads the service accounts of manifests that are no roles, and the rights in a
// ClusterServiceVersion of OLM.
func (s *Set) readOther(name string, n *yaml.Node, h head, findings *diag.Findings) {
	var w workload
	csv := h.Kind == "ClusterServiceVersion" && strings.HasPrefix(h.APIVersion, olmGroup)
	if n.Decode(&w) != nil && !csv { // another kind, with other fields
		return
	}
	pos := position(name, valueOf(n, "kind"))
	if h.Kind == kindServiceAccount {
		s.Accounts = append(s.Accounts, Account{pos, w.Metadata.Name, w.Metadata.Namespace})
		return
	}
	pods := []podSpec{w.Spec.podSpec, w.Spec.Template.Spec, w.Spec.JobTemplate.Spec.Template.Spec}
	if csv {
		for _, d := range w.Spec.Install.Spec.Deployments {
			pods = append(pods, d.Spec.Template.Spec)
		}
	}
	for _, pod := range pods {
		account := cmp.Or(pod.ServiceAccountName, pod.ServiceAccount)
		if len(pod.Containers) > 0 || account != "" {
			grace := defaultGrace
			if pod.Grace != nil {
				grace = *pod.Grace
			}
			s.Workloads = append(s.Workloads, Workload{Account{pos, cmp.Or(account, "default"), w.Metadata.Namespace}, grace})
		}
	}
	if !csv {
		return
	}
	for i, p := range w.Spec.Install.Spec.Permissions {
		s.addPermission(name, pos, fmt.Sprintf("%s permissions %d", w.Metadata.Name, i), kindRole, kindRoleBinding, w.Metadata.Namespace, p, findings)
	}
	for i, p := range w.Spec.Install.Spec.ClusterPermissions {
		s.addPermission(name, pos, fmt.Sprintf("%s clusterPermissions %d", w.Metadata.Name, i), kindClusterRole, kindClusterRoleBinding, "", p, findings)
	}
}

// addPermission adds the role and the binding that OLM makes of a permission.
func (s *Set) addPermission(file string, pos diag.Pos, name, role, binding, namespace string, p permission, findings *diag.Findings) {
	made := &Role{Pos: pos, Kind: role, Name: name, Namespace: namespace}
	for i := range p.Rules {
		rule, err := ruleOf(file, &p.Rules[i])
		if err != nil {
			findings.Unreadf(position(file, &p.Rules[i]), diag.Syntax, "expected a rule with lists of apiGroups, resources and verbs, found %s", mismatch(err))
			continue
		}
		made.Rules = append(made.Rules, rule)
	}
	s.Roles = append(s.Roles, made)
	s.Bindings = append(s.Bindings, &Binding{
		Pos: pos, Kind: binding, Namespace: namespace, RoleKind: role, RoleName: name,
		Subjects: []Subject{{Kind: kindServiceAccount, Name: p.ServiceAccountName, Namespace: namespace}},
	})
}
