package sinktest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func namespaceScenarios() []scenario {
	in := func(namespace, regarding string) func(*eventrt.Write) {
		return func(w *eventrt.Write) { w.Namespace, w.Regarding.Namespace = namespace, regarding }
	}
	regarding := func(namespace string) func(*eventrt.Write) {
		return func(w *eventrt.Write) { w.Regarding.Namespace = namespace }
	}
	long := strings.Repeat("n", 64)
	return []scenario{
		create("cluster-scoped object in default", eventrt.Done, in("default", "")),
		creates("cluster-scoped object in kube-system", eventrt.Refused, eventrt.Done, in("kube-system", "")),
		create("cluster-scoped object elsewhere", eventrt.Refused, regarding("")),
		creates("object of another namespace", eventrt.Refused, eventrt.Done, regarding("default")),
		creates("object of a namespace that can't be", eventrt.Refused, eventrt.Done, regarding("Not A Namespace")),
		create("missing namespace", eventrt.RefusedQuietly, in(MissingNamespace, MissingNamespace)),
		create("namespace in upper case", eventrt.RefusedQuietly, in("Default", "Default")),
		create("namespace with an underscore", eventrt.RefusedQuietly, in("a_b", "a_b")),
		create("namespace beyond its limit", eventrt.RefusedQuietly, in(long, long)),
		create("invalid event in a missing namespace", eventrt.RefusedQuietly, func(w *eventrt.Write) {
			in(MissingNamespace, "")(w)
			w.Annotations = []eventrt.Annotation{{Key: "bad key"}}
		}),
	}
}

// testTermination ends a namespace in which there is an event: new ones are refused, the old one
// can be updated.
func testTermination(t *testing.T, h Harness) {
	if h.CreateNamespace == nil || h.Terminate == nil {
		t.Skip("the harness has no namespaces to end")
	}
	h.Namespace = fmt.Sprintf("sinktest-%x", time.Now().UnixNano())
	if err := h.CreateNamespace(t.Context(), h.Namespace); err != nil {
		t.Fatal(err)
	}
	old := &state{h: &h, write: newWrite(&h)}
	old.run(t, "before", first(unchanged))
	if err := h.Terminate(t.Context(), h.Namespace); err != nil {
		t.Fatal(err)
	}
	raise := func(w *eventrt.Write) { w.Count = 2 }
	old.run(t, "update", then(eventrt.Done, raise))
	fresh := &state{h: &h, write: newWrite(&h)}
	fresh.run(t, "new event", then(eventrt.RefusedQuietly, unchanged))
	fresh.write = newWrite(&h)
	fresh.run(t, "invalid new event", then(eventrt.RefusedQuietly, func(w *eventrt.Write) { w.Regarding.Namespace = "" }))
	old.run(t, "second create", then(eventrt.RefusedQuietly, again))
}
