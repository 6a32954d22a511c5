package wellknown

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/event-gen/event-gen/internal/catalog/model/wellknown/extract"
)

// The table equals the declarations of k8s.io/api in the version that go.mod requires.
func TestTableIsCurrent(t *testing.T) {
	groups, err := extract.All()
	if err != nil {
		t.Fatal(err)
	}
	want := make([]group, 0, len(groups))
	for _, g := range groups {
		want = append(want, group{
			apiVersion: g.APIVersion,
			path:       g.Path,
			namespaced: strings.Join(g.Namespaced, " "),
			cluster:    strings.Join(g.Cluster, " "),
			strings:    strings.Join(g.Strings, " "),
			constants:  g.ConstantLines(),
		})
	}
	if diff := cmp.Diff(want, table, cmp.AllowUnexported(group{})); diff != "" {
		t.Errorf("the table is not that of k8s.io/api; run go generate here (-want +table):\n%s", diff)
	}
}

// Every object with metadata that client-go's scheme knows under a type of k8s.io/api is in the
// table, with its Go type.
func TestTableAgreesWithTheScheme(t *testing.T) {
	object := reflect.TypeFor[metav1.Object]()
	seen := 0
	for gvk, typ := range scheme.Scheme.AllKnownTypes() {
		if !strings.HasPrefix(typ.PkgPath(), root) || !reflect.PointerTo(typ).Implements(object) || gvk.Kind != typ.Name() {
			continue
		}
		if typ.PkgPath() != byPathOf(gvk.GroupVersion().String()) {
			continue // registered for conversion: autoscaling's Scale in apps
		}
		seen++
		k, _, ok := Lookup(gvk.GroupVersion().String(), gvk.Kind)
		if !ok || k.Path != typ.PkgPath() {
			t.Errorf("%s is %s in the scheme, and not in the table", gvk, typ)
		}
	}
	if seen < 100 {
		t.Errorf("looked at %d kinds only", seen)
	}
}

func byPathOf(apiVersion string) string {
	if g := byAPIVersion()[apiVersion]; g != nil {
		return root + g.path
	}
	return ""
}

func TestLookup(t *testing.T) {
	got, _, ok := Lookup("batch/v1", "CronJob")
	want := Kind{APIVersion: "batch/v1", Kind: "CronJob", Path: "k8s.io/api/batch/v1", Alias: "batchv1", Namespaced: true}
	if !ok || got != want {
		t.Errorf("CronJob is %+v, %v; want %+v", got, ok, want)
	}
	if node, _, ok := Lookup("v1", "Node"); !ok || node.Namespaced {
		t.Errorf("Node is %+v, %v; want a cluster-scoped kind", node, ok)
	}
	if _, known, ok := Lookup("batch/v1", "Pod"); !known || ok {
		t.Errorf("batch/v1 has no Pod, but known=%v ok=%v", known, ok)
	}
	if k, ok := LookupType("k8s.io/api/rbac/v1", "ClusterRole"); !ok || k.APIVersion != "rbac.authorization.k8s.io/v1" || k.Namespaced {
		t.Errorf("ClusterRole is %+v, %v", k, ok)
	}
	if !IsString("k8s.io/api/batch/v1", "JobConditionType") || IsString("k8s.io/api/batch/v1", "Job") {
		t.Error("JobConditionType is a string, and Job is not")
	}
}
