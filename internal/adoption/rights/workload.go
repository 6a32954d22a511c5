package rights

import (
	"cmp"

	"go.yaml.in/yaml/v3"
)

// podSpec holds the fields that this package reads of a pod.
type podSpec struct {
	ServiceAccountName string `yaml:"serviceAccountName"`
	ServiceAccount     string `yaml:"serviceAccount"` // its former name
	Containers         []yaml.Node
}

// workload holds the pods of the kinds that make some, and of a Pod itself.
type workload struct {
	Metadata struct{ Name, Namespace string }
	Spec     struct {
		podSpec     `yaml:",inline"`
		Template    struct{ Spec podSpec }
		JobTemplate struct {
			Spec struct{ Template struct{ Spec podSpec } }
		} `yaml:"jobTemplate"`
	}
}

// readOther reads the service accounts of manifests that are no roles.
func (s *Set) readOther(name string, n *yaml.Node, h head) {
	var w workload
	if n.Decode(&w) != nil && h.Kind != "ClusterServiceVersion" { // another kind, with other fields
		return
	}
	pos := position(name, valueOf(n, "kind"))
	if h.Kind == "ClusterServiceVersion" {
		s.Notes.Warnf(pos, "", "a ClusterServiceVersion is not read; write its clusterPermissions as ClusterRoles, and its permissions as Roles, each bound to its serviceAccountName")
		return
	}
	if h.Kind == kindServiceAccount {
		s.Accounts = append(s.Accounts, Account{pos, w.Metadata.Name, w.Metadata.Namespace})
		return
	}
	for _, pod := range []podSpec{w.Spec.podSpec, w.Spec.Template.Spec, w.Spec.JobTemplate.Spec.Template.Spec} {
		if account := cmp.Or(pod.ServiceAccountName, pod.ServiceAccount); len(pod.Containers) > 0 || account != "" {
			s.Workloads = append(s.Workloads, Account{pos, cmp.Or(account, "default"), w.Metadata.Namespace})
		}
	}
}
