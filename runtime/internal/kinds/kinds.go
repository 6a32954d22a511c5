// Package kinds knows the kinds of k8s.io/api without a scheme, which would link all their types
// into each program.
package kinds

import (
	"reflect"
	"slices"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// groups are the API groups of the packages of k8s.io/api whose names are neither the group nor its
// first part.
var groups = map[string]string{
	"core":              "",
	"apps":              "apps",
	"autoscaling":       "autoscaling",
	"batch":             "batch",
	"extensions":        "extensions",
	"policy":            "policy",
	"apiserverinternal": "internal.apiserver.k8s.io",
	"flowcontrol":       "flowcontrol.apiserver.k8s.io",
	"rbac":              "rbac.authorization.k8s.io",
}

var known sync.Map // reflect.Type → metav1.TypeMeta

// Of returns the kind of a pointer to a type of k8s.io/api, by the type's package and name; zero
// for any other type.
func Of(t reflect.Type) metav1.TypeMeta {
	if k, ok := known.Load(t); ok {
		return k.(metav1.TypeMeta)
	}
	kind := fromPackage(t)
	known.Store(t, kind)
	return kind
}

func fromPackage(t reflect.Type) (kind metav1.TypeMeta) {
	if t == nil || t.Kind() != reflect.Pointer {
		return kind
	}
	path, ok := strings.CutPrefix(t.Elem().PkgPath(), "k8s.io/api/")
	name, version, _ := strings.Cut(path, "/")
	if !ok || version == "" {
		return kind
	}
	group, ok := groups[name]
	if !ok {
		group = name + ".k8s.io"
	}
	return metav1.TypeMeta{APIVersion: strings.TrimPrefix(group+"/"+version, "/"), Kind: t.Elem().Name()}
}

// namespaced are the kinds of k8s.io/api that live in namespaces, by group.
var namespaced = map[string][]string{
	"": {"ConfigMap", "Endpoints", "Event", "LimitRange", "PersistentVolumeClaim", "Pod", "PodTemplate", "ReplicationController",
		"ResourceQuota", "Secret", "Service", "ServiceAccount"},
	"apps":                      {"ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"},
	"autoscaling":               {"HorizontalPodAutoscaler"},
	"batch":                     {"CronJob", "Job"},
	"coordination.k8s.io":       {"Lease", "LeaseCandidate"},
	"discovery.k8s.io":          {"EndpointSlice"},
	"events.k8s.io":             {"Event"},
	"networking.k8s.io":         {"Ingress", "NetworkPolicy"},
	"policy":                    {"PodDisruptionBudget"},
	"rbac.authorization.k8s.io": {"Role", "RoleBinding"},
	"resource.k8s.io":           {"ResourceClaim", "ResourceClaimTemplate"},
	"storage.k8s.io":            {"CSIStorageCapacity"},
}

// Namespaced reports whether a kind certainly lives in namespaces. It is false for kinds that it
// does not know.
func Namespaced(group, kind string) bool { return slices.Contains(namespaced[group], kind) }

// GroupOf returns the API group of an apiVersion: "batch" for "batch/v1", "" for "v1".
func GroupOf(apiVersion string) string {
	return apiVersion[:max(0, strings.IndexByte(apiVersion, '/'))]
}
