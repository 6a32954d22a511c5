package cluster

import (
	"context"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

func TestUsersHaveNoRights(t *testing.T) {
	c := sharedCluster(t)
	for _, name := range []string{LimitedUser, "second"} {
		err := createEvent(t, newClient(t, c.UserConfig(name)), podEvent("default", "web."+name))
		if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), name) {
			t.Errorf("event created by %s: expected 403 that names the user, got %v", name, err)
		}
	}
}

func TestUserGetsRightsFromRBAC(t *testing.T) {
	c := sharedCluster(t)
	admin := newClient(t, c.RESTConfig())
	namespace := createNamespace(t, admin)
	allowEvents(t, admin, namespace, LimitedUser)
	limited := newClient(t, c.UserConfig(LimitedUser))
	err := wait.PollUntilContextCancel(bounded(t), 50*time.Millisecond, true, func(context.Context) (bool, error) {
		err := createEvent(t, limited, podEvent(namespace, "web.1"))
		if apierrors.IsForbidden(err) {
			return false, nil // the authorizer follows RBAC objects with a watch
		}
		return err == nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := createEvent(t, limited, podEvent("default", "web.1")); !apierrors.IsForbidden(err) {
		t.Errorf("event in a namespace without a rule: expected 403, got %v", err)
	}
}

func allowEvents(t *testing.T, admin kubernetes.Interface, namespace, user string) {
	t.Helper()
	meta := metav1.ObjectMeta{Namespace: namespace, Name: "events"}
	role := &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"events.k8s.io"}, Resources: []string{"events"}, Verbs: []string{"create"}},
	}}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: meta,
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "events"},
	}
	if _, err := admin.RbacV1().Roles(namespace).Create(bounded(t), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.RbacV1().RoleBindings(namespace).Create(bounded(t), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestUnknownUserIsUnauthorized(t *testing.T) {
	c := sharedCluster(t)
	err := createEvent(t, newClient(t, c.UserConfig("stranger")), podEvent("default", "web.stranger"))
	if !apierrors.IsUnauthorized(err) {
		t.Errorf("event created by an unknown user: expected 401, got %v", err)
	}
}

func TestConfigsAreCopies(t *testing.T) {
	c := sharedCluster(t)
	config := c.RESTConfig()
	config.Host, config.CAData[0] = "changed", 0
	if again := c.RESTConfig(); again.Host == "changed" || again.CAData[0] == 0 {
		t.Error("expected a change of one RESTConfig to leave the next one alone")
	}
}

func TestKubectlErrorCarriesStandardError(t *testing.T) {
	_, err := sharedCluster(t).Kubectl(bounded(t), "get", "pod", "absent")
	if err == nil || !strings.Contains(err.Error(), "kubectl get pod absent") || !strings.Contains(err.Error(), "NotFound") {
		t.Errorf("kubectl get pod absent: expected the command line and the server's answer, got %v", err)
	}
}

func TestVersionIsTheReleaseBuilt(t *testing.T) {
	c := sharedCluster(t)
	version, err := newClient(t, c.RESTConfig()).Discovery().ServerVersion()
	if err != nil {
		t.Fatal(err)
	}
	if version.Major != "1" || !strings.HasPrefix(version.GitVersion, "v1."+version.Minor+".") {
		t.Errorf("expected the version of a release, got %+v", version)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, name := range []string{"", "admin", "a,b", "a\nb", `a"b`} {
		if _, err := Start(t.Context(), Options{Users: []string{name}}); err == nil || !strings.Contains(err.Error(), "expected a name") {
			t.Errorf("user %q: expected to be told what a name may be, got %v", name, err)
		}
	}
	for _, ttl := range []time.Duration{-time.Second, time.Millisecond} {
		if _, err := Start(t.Context(), Options{EventTTL: ttl}); err == nil || !strings.Contains(err.Error(), "whole number of seconds") {
			t.Errorf("EventTTL %v: expected to be told the unit, got %v", ttl, err)
		}
	}
}
