package e2e

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// TestCheck has Broadcaster.Check look at a server in five troubles: a right, a name, a webhook, a
// namespace that is gone, no answer. Nothing is stored by it.
func TestCheck(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	check := func(o broadcaster.Options, controllers []string, namespaces ...string) error {
		err := o.Check(t.Context(), controllers, namespaces...)
		t.Log(err)
		return err
	}
	expect := func(err error, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v, want %q", err, part)
			}
		}
	}
	admin := broadcaster.Options{Sink: kube.Auto(c.RESTConfig()), ReportingController: "example.com/check"}

	for _, cluster := range []string{"default", "kube-system"} { // the server takes both
		o := admin
		o.ClusterNamespace = cluster
		if err := check(o, nil, namespace, ""); err != nil {
			t.Errorf("all is well, but: %v", err)
		}
	}
	core := broadcaster.Options{Sink: kube.CoreV1(c.RESTConfig()), ClusterNamespace: "kube-system"}
	expect(check(core, nil, ""), `in namespace "kube-system" are refused`, "involvedObject.namespace")

	// A right: none at all, one to create only, and events.k8s.io beside the core group.
	limited := broadcaster.Options{Sink: kube.Auto(c.UserConfig(cluster.LimitedUser))}
	expect(check(limited, nil, namespace), "add one of these rules: "+ruleOf(eventsGroup), ruleOf(coreGroup), namespace)
	half, whole := allowedNamespace(t, clients, eventsGroup, "create"), allowedNamespace(t, clients, coreGroup, "create", "patch")
	writeOnceAllowed(t, kube.CoreV1(c.UserConfig(cluster.LimitedUser)), newWrite(whole))
	expect(check(limited, nil, half, whole), ruleOf(eventsGroup), "(patch)", half)
	if err := check(limited, nil, whole); err != nil {
		t.Errorf("the core group is granted, but: %v", err)
	}

	// A name.
	expect(check(admin, []string{"example.com/fine", "a b", "example.com/a/b"}, namespace), `events of "a b"`, `events of "example.com/a/b"`, "reportingController")

	// A webhook that refuses, and one that is not there.
	hooked := newNamespace(t, clients)
	hook := newHook(t, clients, hooked)
	hook.Set(func(context.Context, admissionv1.Operation, string) (string, error) {
		return "", errors.New("no events today")
	})
	expect(check(admin, nil, hooked), `admission webhook "hook.example.com" denied the request`, hooked)
	hook.Down()
	expect(check(admin, nil, hooked, namespace), `failed calling webhook "hook.example.com"`, hooked)

	// A namespace that is gone.
	expect(check(admin, nil, namespace, "nowhere"), `in namespace "nowhere" are refused, because the namespace is gone or terminating`)

	if stored := eventsOf(t, clients, namespace); len(stored) > 0 {
		t.Errorf("stored: %v", stored)
	}
	everywhere, err := clients.EventsV1().Events("").List(t.Context(), metav1.ListOptions{FieldSelector: "reason=EventsCheck"})
	if err != nil || len(everywhere.Items) > 0 {
		t.Errorf("stored: %v (%v)", everywhere.Items, err)
	}

	// No answer: a server that hangs, and one that is away.
	if err := c.PauseAPIServer(); err != nil {
		t.Fatal(err)
	}
	short := admin
	short.WriteTimeout = 2 * time.Second
	expect(check(short, nil, namespace, hooked), "are not taken for now", "deadline exceeded")
	if err := c.ResumeAPIServer(); err != nil {
		t.Fatal(err)
	}
	if err := c.StopAPIServer(); err != nil {
		t.Fatal(err)
	}
	expect(check(admin, nil, namespace, hooked), "are not taken for now", "connect")
}
