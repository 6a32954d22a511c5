package clientgo

import (
	"errors"
	"net"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

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

// TestDone: fakes may return nothing; a client that returns another object has asked something
// else than the API server.
func TestDone(t *testing.T) {
	w := &sink.Write{Operation: sink.Create, Namespace: "shop", Name: "web.1"}
	named := func(name, kind string) *corev1.Event {
		return &corev1.Event{TypeMeta: metav1.TypeMeta{Kind: kind}, ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: "7"}}
	}
	for _, c := range []struct {
		stored *corev1.Event
		want   sink.Outcome
	}{
		{nil, sink.Done}, {&corev1.Event{}, sink.Done}, {named("web.1", ""), sink.Done}, {named("web.1", "Event"), sink.Done},
		{named("web.2", "Event"), sink.Retry}, {named("", "Status"), sink.Retry},
	} {
		if a := done(w, c.stored); a.Outcome != c.want || a.MaybeStored != (c.want == sink.Retry) {
			t.Errorf("%+v: %+v", c.stored, a)
		}
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
