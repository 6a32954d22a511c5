package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

const (
	coreGroup   = corev1.GroupName
	eventsGroup = eventsv1.GroupName
)

// TestRights has a user who may do nothing but what each case allows, in a namespace of its own.
func TestRights(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	cfg := c.UserConfig(cluster.LimitedUser)
	both := []string{"create", "patch"}

	t.Run("none", func(t *testing.T) {
		w := newWrite(newNamespace(t, clients))
		checkForbidden(t, kube.EventsV1(cfg), w, ruleOf(eventsGroup))
		checkForbidden(t, kube.CoreV1(cfg), w, ruleOf(coreGroup))
		checkForbidden(t, kube.Auto(cfg), w, ruleOf(eventsGroup), ruleOf(coreGroup))
	})
	t.Run("events.k8s.io", func(t *testing.T) {
		w := newWrite(allowedNamespace(t, clients, eventsGroup, both...))
		a := writeOnceAllowed(t, kube.EventsV1(cfg), w)
		checkDone(t, kube.EventsV1(cfg), raised(w, a, 2))
		checkForbidden(t, kube.CoreV1(cfg), newWrite(w.Namespace), ruleOf(coreGroup))
		checkDone(t, kube.Auto(cfg), newWrite(w.Namespace))
	})
	t.Run("core", func(t *testing.T) {
		w := newWrite(allowedNamespace(t, clients, coreGroup, both...))
		writeOnceAllowed(t, kube.CoreV1(cfg), w)
		checkForbidden(t, kube.EventsV1(cfg), newWrite(w.Namespace), ruleOf(eventsGroup))
		testFallback(t, clients, c, w.Namespace)
	})
	t.Run("create only", func(t *testing.T) {
		w := newWrite(allowedNamespace(t, clients, eventsGroup, "create"))
		target := kube.Auto(cfg)
		a := writeOnceAllowed(t, target, w)
		checkForbidden(t, target, raised(w, a, 2), ruleOf(eventsGroup))
	})
	t.Run("unknown user", func(t *testing.T) {
		a := kube.Auto(c.UserConfig("nobody")).Write(t.Context(), newWrite("default"))
		if a.Outcome != sink.Retry || a.MaybeStored {
			t.Errorf("answer %+v", a)
		}
	})
}

// testFallback writes through Auto in a namespace where only the core group is allowed.
func testFallback(t *testing.T, clients kubernetes.Interface, c *cluster.Cluster, namespace string) {
	target := kube.Auto(c.UserConfig(cluster.LimitedUser))
	w := newWrite(namespace)
	a := checkDone(t, target, w)
	checkDone(t, target, raised(w, a, 7))
	e, err := getEvent(t.Context(), clients, namespace, w.Name)
	if err != nil || e == nil {
		t.Fatalf("event %v, error %v", e, err)
	}
	if e.DeprecatedCount != 7 || e.Series != nil || !e.EventTime.IsZero() {
		t.Errorf("not in the form of the core group: %+v", e)
	}
}

// ruleOf is the rule that a sink names where it is missing.
func ruleOf(group string) string {
	return fmt.Sprintf(`apiGroups: [%q], resources: ["events"], verbs: ["create", "patch"]`, group)
}

// allowedNamespace is a new namespace in which the limited user has one rule for events.
func allowedNamespace(t *testing.T, clients kubernetes.Interface, group string, verbs ...string) string {
	t.Helper()
	namespace := newNamespace(t, clients)
	meta := metav1.ObjectMeta{Name: "events"}
	_, err := clients.RbacV1().Roles(namespace).Create(t.Context(), &rbacv1.Role{ObjectMeta: meta,
		Rules: []rbacv1.PolicyRule{{APIGroups: []string{group}, Resources: []string{"events"}, Verbs: verbs}}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = clients.RbacV1().RoleBindings(namespace).Create(t.Context(), &rbacv1.RoleBinding{ObjectMeta: meta,
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: meta.Name},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: cluster.LimitedUser}}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return namespace
}

// writeOnceAllowed writes until the server's authorizer has seen a new rule.
func writeOnceAllowed(t *testing.T, target *kube.Sink, w *sink.Write) (a sink.Answer) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 10*time.Millisecond, faultBound, true, func(ctx context.Context) (bool, error) {
		a = target.Write(ctx, w)
		return a.Outcome != sink.Forbidden, nil
	})
	if err != nil || a.Outcome != sink.Done {
		t.Fatalf("answer %+v, error %v", a, err)
	}
	return a
}

func checkDone(t *testing.T, target *kube.Sink, w *sink.Write) sink.Answer {
	t.Helper()
	a := target.Write(t.Context(), w)
	if a.Outcome != sink.Done {
		t.Errorf("answer %+v", a)
	}
	return a
}

func checkForbidden(t *testing.T, target *kube.Sink, w *sink.Write, rules ...string) {
	t.Helper()
	a := target.Write(t.Context(), w)
	if a.Outcome != sink.Forbidden {
		t.Fatalf("answer %+v", a)
	}
	for _, part := range append(rules, fmt.Sprintf("namespace %q", w.Namespace)) {
		if !strings.Contains(a.Err.Error(), part) {
			t.Errorf("%q is not in %q", part, a.Err)
		}
	}
}

// TestKubectlShowsEvents writes through both groups and looks with kubectl.
func TestKubectlShowsEvents(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for name, target := range map[string]*kube.Sink{"EventsV1": kube.EventsV1(c.RESTConfig()), "CoreV1": kube.CoreV1(c.RESTConfig())} {
		t.Run(name, func(t *testing.T) {
			w := newWrite(newNamespace(t, clients))
			a := checkDone(t, target, w)
			checkDone(t, target, raised(w, a, 7))
			checkTable(t, c, w.Namespace, "Warning", "BackOff", "cronjob/nightly", "7", "Job failed: \"exit 1\"")
		})
	}
}

// checkTable looks for the cells of the one event in what kubectl prints.
func checkTable(t *testing.T, c *cluster.Cluster, namespace string, cells ...string) {
	t.Helper()
	out, err := c.Kubectl(t.Context(), "get", "events", "--namespace", namespace, "--output", "wide", "--no-headers")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(out, "\n") != 1 {
		t.Errorf("not one line: %s", out)
	}
	for _, cell := range cells {
		if !strings.Contains(out, cell) {
			t.Errorf("%q is not in %q", cell, out)
		}
	}
}

func newWrite(namespace string) *sink.Write {
	now := time.Now()
	return &sink.Write{
		Operation: sink.Create, Namespace: namespace, Name: fmt.Sprintf("nightly.%x", now.UnixNano()),
		Type: eventrt.Warning, Reason: "BackOff", Action: "Retry", Note: []byte(`Job failed: "exit 1"`),
		ReportingController: "example.com/controller", ReportingInstance: "controller-0",
		Regarding: corev1.ObjectReference{APIVersion: "batch/v1", Kind: "CronJob", Namespace: namespace, Name: "nightly", UID: "u-1"},
		Count:     1, First: now, Last: now,
	}
}

// raised is the update that follows an answer.
func raised(w *sink.Write, a sink.Answer, count int32) *sink.Write {
	u := *w
	u.Operation, u.Count, u.Last = sink.Update, count, time.Now()
	u.ResourceVersion, u.Mark = a.ResourceVersion, a.Mark
	return &u
}
