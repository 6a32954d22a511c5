package clientgo

import (
	"errors"
	"net"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

func TestClassify(t *testing.T) {
	w := &sink.Write{Operation: sink.Create, Namespace: "shop"}
	dial := &net.OpError{Op: "dial", Err: errors.New("refused")}
	if a := classify(w, "", dial); a.Outcome != sink.Retry || a.MaybeStored {
		t.Errorf("no connection: %+v", a)
	}
	if a := classify(w, "", &net.OpError{Op: "read", Err: errors.New("reset")}); a.Outcome != sink.Retry || !a.MaybeStored {
		t.Errorf("no reply: %+v", a)
	}
	cause := apierrors.NewForbidden(corev1.Resource("events"), "", errors.New(`User "x" cannot create resource "events"`))
	a := classify(w, "events.k8s.io", cause)
	const want = `no right to write events in namespace "shop"; add this rule: apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]`
	if a.Outcome != sink.Forbidden || a.Err.Error() != want || !errors.Is(a.Err, cause) {
		t.Errorf("forbidden: %+v", a)
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "…"}, {"abcdef", 5, "ab…"}, {"aéé", 5, "aéé"}, {"aééé", 5, "a…"}, {"a\xffb", 9, "a\uFFFDb"}, {"\xff\xff", 9, "\uFFFD"},
	} {
		if got := fit(c.text, c.limit); got != c.want {
			t.Errorf("fit(%q, %d) = %q, want %q", c.text, c.limit, got, c.want)
		}
	}
}
