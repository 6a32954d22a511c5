package sinktest

import (
	"cmp"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/event-gen/event-gen/runtime/internal/form"
)

// patchCase is a merge patch of a stored event through the API itself. The event was created in one
// of the three ways, and is patched through the same group; the fields are named as the core group
// names them.
type patchCase struct {
	name   string
	core   string // the patch, as the core group writes it
	as     string // the same for events.k8s.io/v1, where that differs
	legacy []string
	timed  []string
	events []string
}

func patchCases() []patchCase {
	immutable := func(name string) []string { return []string{name} }
	return []patchCase{
		{name: "nothing", core: `{}`},
		{name: "label", core: `{"metadata":{"labels":{"a":"b"}}}`},
		{name: "annotation", core: `{"metadata":{"annotations":{"a":"b"}}}`},
		{name: "bad annotation", core: `{"metadata":{"annotations":{"a b":"c"}}}`, legacy: immutable("metadata.annotations"),
			timed: immutable("metadata.annotations"), events: immutable("metadata.annotations")},
		{name: "message", core: `{"message":"x"}`, as: `{"note":"x"}`, events: immutable("message")},
		{name: "count", core: `{"count":3}`, as: `{"deprecatedCount":3}`, events: immutable("count")},
		{name: "last time", core: `{"lastTimestamp":"2026-01-02T03:04:05Z"}`,
			as: `{"deprecatedLastTimestamp":"2026-01-02T03:04:05Z"}`, events: immutable("lastTimestamp")},
		{name: "first time", core: `{"firstTimestamp":"2026-01-02T03:04:05Z"}`,
			as: `{"deprecatedFirstTimestamp":"2026-01-02T03:04:05Z"}`, events: immutable("firstTimestamp")},
		{name: "reason", core: `{"reason":"X"}`, events: immutable("reason")},
		{name: "no reason", core: `{"reason":null}`, timed: immutable("reason"), events: immutable("reason")},
		{name: "type", core: `{"type":"Warning"}`, events: immutable("type")},
		{name: "action", core: `{"action":"X"}`, events: immutable("action")},
		{name: "controller", core: `{"reportingComponent":"x"}`, as: `{"reportingController":"x"}`, events: immutable("reportingController")},
		{name: "instance", core: `{"reportingInstance":"x"}`, events: immutable("reportingInstance")},
		{name: "object", core: `{"involvedObject":{"name":"x"}}`, as: `{"regarding":{"name":"x"}}`, events: immutable("involvedObject")},
		{name: "object's namespace", core: `{"involvedObject":{"namespace":"x"}}`, as: `{"regarding":{"namespace":"x"}}`,
			legacy: immutable("involvedObject.namespace"), events: immutable("involvedObject")},
		{name: "related", core: `{"related":{"name":"x"}}`, events: immutable("related")},
		{name: "source", core: `{"source":{"host":"x"}}`, as: `{"deprecatedSource":{"host":"x"}}`, events: immutable("source")},
		{name: "series", core: `{"series":{"count":2,"lastObservedTime":"2026-01-02T03:04:05.000006Z"}}`},
		{name: "series of one", core: `{"series":{"count":1,"lastObservedTime":"2026-01-02T03:04:05.000006Z"}}`, events: immutable("series.count")},
		{name: "series without time", core: `{"series":{"count":2}}`, events: immutable("series.lastObservedTime")},
		{name: "event time", core: `{"eventTime":"2026-01-02T03:04:05.000006Z"}`, events: immutable("eventTime")},
		{name: "no event time", core: `{"eventTime":null}`, events: immutable("eventTime")},
	}
}

func testPatches(t *testing.T, newHarness func(t *testing.T) Harness) {
	for _, c := range patchCases() {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t)
			if h.CreateCore == nil || h.CreateEvents == nil || h.Patch == nil {
				t.Skip("the harness patches no events through the API itself")
			}
			checkWrong(t, "core/v1", c.legacy, patchRaw(t, &h, legacyEvent(&h), form.CoreV1, c.core))
			checkWrong(t, "core/v1 with an event time", c.timed, patchRaw(t, &h, timedEvent(&h), form.CoreV1, c.core))
			checkWrong(t, "events.k8s.io/v1", c.events, patchRaw(t, &h, timedEvent(&h), form.EventsV1, cmp.Or(c.as, c.core)))
		})
	}
	t.Run("missing event", func(t *testing.T) {
		h := newHarness(t)
		if h.Patch == nil {
			t.Skip("the harness patches no events through the API itself")
		}
		err := h.Patch(t.Context(), h.CoreV1, h.Namespace, newName(), []byte(`{}`))
		if !apierrors.IsNotFound(err) {
			t.Errorf("got %v, want NotFound", err)
		}
	})
}

func patchRaw(t *testing.T, h *Harness, e *corev1.Event, f form.Form, patch string) error {
	t.Helper()
	if err := createRaw(t.Context(), h, e, f, func(*corev1.Event) {}); err != nil {
		t.Fatalf("%v: create: %v", f, err)
	}
	return h.Patch(t.Context(), f == form.CoreV1, e.Namespace, e.Name, []byte(patch))
}
