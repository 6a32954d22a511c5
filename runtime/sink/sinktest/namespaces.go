package sinktest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

func namespaceScenarios() []scenario {
	in := func(namespace, regarding string) func(*sink.Write) {
		return func(w *sink.Write) { w.Namespace, w.Regarding.Namespace = namespace, regarding }
	}
	regarding := func(namespace string) func(*sink.Write) {
		return func(w *sink.Write) { w.Regarding.Namespace = namespace }
	}
	long := strings.Repeat("n", 64)
	return []scenario{
		create("cluster-scoped object in default", sink.Done, in("default", "")),
		creates("cluster-scoped object in kube-system", sink.Refused, sink.Done, in("kube-system", "")),
		create("cluster-scoped object elsewhere", sink.Refused, regarding("")),
		creates("object of another namespace", sink.Refused, sink.Done, regarding("default")),
		creates("object of a namespace that can't be", sink.Refused, sink.Done, regarding("Not A Namespace")),
		create("missing namespace", sink.RefusedQuietly, in(MissingNamespace, MissingNamespace)),
		create("namespace in upper case", sink.RefusedQuietly, in("Default", "Default")),
		create("namespace with an underscore", sink.RefusedQuietly, in("a_b", "a_b")),
		create("namespace beyond its limit", sink.RefusedQuietly, in(long, long)),
		create("invalid event in a missing namespace", sink.RefusedQuietly, func(w *sink.Write) {
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
	raise := func(w *sink.Write) { w.Count = 2 }
	old.run(t, "update", then(sink.Done, raise))
	fresh := &state{h: &h, write: newWrite(&h)}
	fresh.run(t, "new event", then(sink.RefusedQuietly, unchanged))
	fresh.write = newWrite(&h)
	fresh.run(t, "invalid new event", then(sink.RefusedQuietly, func(w *sink.Write) { w.Regarding.Namespace = "" }))
	old.run(t, "second create", then(sink.RefusedQuietly, again))
}
