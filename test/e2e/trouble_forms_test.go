package e2e

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// TestAFormThatChangesItsGroup has one process write an event through one API group, and the next
// of its identity through another, by the choice of its sink or by its rights: what counts as
// written is stored.
func TestAFormThatChangesItsGroup(t *testing.T) {
	t.Parallel()
	c := startCluster(t)
	clients := newClientset(t, c)
	type way struct {
		name   string
		sink   func() sink.Sink
		rights []string
	}
	user := c.UserConfig(cluster.LimitedUser)
	const core, events = "", "events.k8s.io"
	ways := []way{
		{"CoreV1", func() sink.Sink { return kube.CoreV1(user) }, []string{core, events}},
		{"EventsV1", func() sink.Sink { return kube.EventsV1(user) }, []string{core, events}},
		{"Auto with core", func() sink.Sink { return kube.Auto(user) }, []string{core}},
		{"Auto with events.k8s.io", func() sink.Sink { return kube.Auto(user) }, []string{events}},
	}
	for _, before := range ways {
		for _, after := range ways {
			t.Run(before.name+", then "+after.name, func(t *testing.T) {
				namespace := newNamespace(t, clients)
				for _, w := range []way{before, after} {
					grant(t, clients, namespace, []string{"create", "patch"}, w.rights...)
					p := newPipeline(t, w.sink())
					for range 10 {
						p.record(newPod(namespace, "ours-pod"), corev1.EventTypeNormal, "Started", "it started")
					}
					if err := endWithin(t, []party{p}, faultBound)[p.name]; err != nil {
						t.Error(err)
					}
					if s := p.stats(); s.Written != 10 {
						t.Errorf("%s: %+v", w.name, s)
					}
				}
				if stored := storedBy(t, c, namespace, nil)[ours]; stored != 20 {
					t.Error(fmt.Sprintf("stored %d of 20", stored))
				}
			})
		}
	}
}

// grant gives the limited user verbs for the events of a namespace, in API groups, and takes what
// it had.
func grant(t *testing.T, clients kubernetes.Interface, namespace string, verbs []string, groups ...string) {
	t.Helper()
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "events"}, Rules: []rbacv1.PolicyRule{{APIGroups: groups, Resources: []string{"events"}, Verbs: verbs}}}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "events"}, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "events"},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: cluster.LimitedUser}},
	}
	rbac := clients.RbacV1()
	_ = rbac.Roles(namespace).Delete(t.Context(), role.Name, metav1.DeleteOptions{})
	if _, err := rbac.Roles(namespace).Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := rbac.RoleBindings(namespace).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
}
