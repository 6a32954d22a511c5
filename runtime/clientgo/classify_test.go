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
	const want = `user "x" has no right to write events in namespace "shop"; add this rule: apiGroups: ["events.k8s.io"], resources: ["events"], verbs: ["create", "patch"]`
	if a.Outcome != sink.Forbidden || a.Err.Error() != want || !errors.Is(a.Err, cause) {
		t.Errorf("forbidden: %+v", a)
	}
}

// TestDone: fakes may return nothing. A client that returns another object has asked something else
// than the API server, and so has client-go's own that returns none.
func TestDone(t *testing.T) {
	w := &sink.Write{Operation: sink.Create, Namespace: "shop", Name: "web.1", Reason: "Failed", Count: 1}
	named := func(name, kind, version string) *corev1.Event {
		return &corev1.Event{TypeMeta: metav1.TypeMeta{Kind: kind}, ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "shop", ResourceVersion: version}}
	}
	renamed := named("web.2", "Event", "7")
	renamed.Reason = "Failed"
	for _, c := range []struct {
		stored          *corev1.Event
		lenient, strict sink.Outcome
	}{
		{nil, sink.Done, sink.Retry}, {&corev1.Event{}, sink.Done, sink.Retry},
		{named("web.1", "", ""), sink.Done, sink.Retry}, {named("", "", "7"), sink.Done, sink.Retry},
		{named("web.1", "", "7"), sink.Done, sink.Done}, {named("web.1", "Event", "7"), sink.Done, sink.Done},
		{named("web.2", "Event", "7"), sink.Retry, sink.Retry}, {named("", "Status", ""), sink.Retry, sink.Retry},
		{renamed, sink.Done, sink.Done},
	} {
		for strict, want := range map[bool]sink.Outcome{false: c.lenient, true: c.strict} {
			a := done(w, c.stored, strict)
			if a.Outcome != want || a.MaybeStored != (want == sink.Retry) || (a.Mark != 0) != (c.stored == renamed) {
				t.Errorf("%+v, strict %v: %+v", c.stored, strict, a)
			}
		}
	}
	update := *w
	update.Operation = sink.Update
	if a := done(&update, renamed, true); a.Outcome != sink.Retry {
		t.Errorf("an update was answered with another event: %+v", a)
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
