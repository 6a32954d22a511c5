package sinktest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// expect is what should be stored once a write is done. It is kept apart from what sinks are made
// of.
func expect(f form.Form, stored *eventsv1.Event, w *sink.Write) *eventsv1.Event {
	e := stored.DeepCopy()
	if w.Operation == sink.Create {
		e = expectNew(f, w)
	}
	for _, key := range w.Dropped {
		delete(e.Annotations, key)
	}
	for _, a := range w.Annotations {
		metav1.SetMetaDataAnnotation(&e.ObjectMeta, a.Key, valid(a.Value))
	}
	if f == form.CoreV1 {
		e.DeprecatedCount = w.Count
		e.DeprecatedLastTimestamp = metav1.Time{Time: w.Last.Truncate(time.Second)}
		if w.Aggregate || w.LatestNote || w.Joins {
			e.Note = valid(string(w.Note))
		}
		if w.Joins {
			e.DeprecatedFirstTimestamp = metav1.Time{Time: w.First.Truncate(time.Second)}
		}
	} else if w.Count > 1 {
		e.Series = &eventsv1.EventSeries{Count: w.Count, LastObservedTime: micros(w.Last)}
	}
	if w.Operation == sink.Update && f == form.EventsV1 && w.LatestNote {
		metav1.SetMetaDataAnnotation(&e.ObjectMeta, sink.LatestNoteAnnotation, valid(string(w.Note)))
	}
	return e
}

func expectNew(f form.Form, w *sink.Write) *eventsv1.Event {
	e := &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name},
		ReportingController: w.ReportingController,
		ReportingInstance:   w.ReportingInstance,
		Action:              w.Action,
		Reason:              valid(w.Reason),
		Regarding:           w.Regarding,
		Note:                valid(string(w.Note)),
		Type:                w.Type,
	}
	for _, l := range w.Labels {
		metav1.SetMetaDataLabel(&e.ObjectMeta, l.Key, l.Value)
	}
	if w.HasRelated {
		e.Related = w.Related.DeepCopy()
	}
	if f == form.EventsV1 {
		e.EventTime = micros(w.First)
		return e
	}
	e.DeprecatedSource = corev1.EventSource{Component: w.ReportingController, Host: w.ReportingInstance}
	e.DeprecatedFirstTimestamp = metav1.Time{Time: w.First.Truncate(time.Second)}
	return e
}

func micros(t time.Time) metav1.MicroTime {
	return metav1.MicroTime{Time: t.Truncate(time.Microsecond)}
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// checkStored compares what is stored with what should be.
func checkStored(t *testing.T, what string, h *Harness, namespace, name string, want *eventsv1.Event) {
	t.Helper()
	if namespace == "" || name == "" || name == ".." || strings.ContainsAny(name+namespace, "/%") {
		return // there is no asking for such an event
	}
	got, err := h.Get(t.Context(), namespace, name)
	if err != nil {
		t.Fatalf("%s: read back: %v", what, err)
	}
	if diff := cmp.Diff(want, asStored(got), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: the stored event differs (- expected, + stored):\n%s", what, diff)
	}
}

// asStored leaves out what only the store can know.
func asStored(e *eventsv1.Event) *eventsv1.Event {
	if e == nil {
		return nil
	}
	e = e.DeepCopy()
	e.TypeMeta = metav1.TypeMeta{}
	e.ObjectMeta = metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name, Annotations: e.Annotations, Labels: e.Labels}
	return e
}

// cloneWrite copies the slices too, so that a step changes nothing of the one before.
func cloneWrite(w *sink.Write) sink.Write {
	c := *w
	c.Note = slices.Clone(w.Note)
	c.Annotations, c.Labels = slices.Clone(w.Annotations), slices.Clone(w.Labels)
	return c
}
