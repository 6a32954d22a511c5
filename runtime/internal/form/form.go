// Package form says what a Write looks like in each of the two API groups that hold events: as an
// object to create, as a change to one that is stored, and as the merge patch that makes this
// change. The in-memory sink and the sinks of package kube both go by it.
package form

import (
	"errors"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/event-gen/event-gen/runtime/sink"
)

// Form is the shape in which an event is written.
type Form uint8

const (
	// EventsV1 is events.k8s.io/v1: an event time, and a series from the second occurrence on. The
	// note never changes.
	EventsV1 Form = iota
	// CoreV1 is the form of the core group: a count, and the times of the first and the last
	// occurrence.
	CoreV1
)

// Named is CoreV1 if core is true, else EventsV1.
func Named(core bool) Form {
	if core {
		return CoreV1
	}
	return EventsV1
}

// Of is the form that an event was created in.
func Of(e *corev1.Event) Form {
	if e.EventTime.IsZero() {
		return CoreV1
	}
	return EventsV1
}

// Changes reports whether an update through the API group of f changes an event of another form.
// Both groups have one storage, but events.k8s.io drops the fields of the core group's form, and
// answers 200 all the same (kubernetes pkg/registry/core/event, tried on 1.37).
func (f Form) Changes(e Form) bool { return f == CoreV1 || e == EventsV1 }

// GroupVersion is the API group and version of the form.
func (f Form) GroupVersion() schema.GroupVersion {
	if f == CoreV1 {
		return corev1.SchemeGroupVersion
	}
	return eventsv1.SchemeGroupVersion
}

// String is "core/v1" or "events.k8s.io/v1".
func (f Form) String() string {
	if f == CoreV1 {
		return "core/v1"
	}
	return "events.k8s.io/v1"
}

// Check refuses a write that can't become a request: it has no operation, or its namespace or name
// can't stand in the path of a URL.
func Check(w *sink.Write) error {
	if w.Operation < sink.Create || w.Operation > sink.Read {
		return fmt.Errorf("a write has no operation (%d)", w.Operation)
	}
	return errors.Join(segment("namespace", w.Namespace), segment("name", w.Name))
}

func segment(what, s string) error {
	if s == "" {
		return fmt.Errorf("the event has no %s", what)
	}
	if problems := path.IsValidPathSegmentName(s); len(problems) > 0 {
		return fmt.Errorf("the event's %s %q %s", what, s, problems[0])
	}
	return nil
}

func meta(w *sink.Write) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name}
	for _, a := range w.Annotations {
		metav1.SetMetaDataAnnotation(&m, text(a.Key), text(a.Value))
	}
	for _, l := range w.Labels {
		metav1.SetMetaDataLabel(&m, text(l.Key), text(l.Value))
	}
	return m
}

func related(w *sink.Write) *corev1.ObjectReference {
	if !w.HasRelated {
		return nil
	}
	ref := w.Related
	return &ref
}

// text is valid UTF-8: protobuf would carry anything else as it is, and JSON would change it.
func text(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// seconds is the precision of metav1.Time in both encodings (apimachinery
// pkg/apis/meta/v1/time_proto.go).
func seconds(t time.Time) metav1.Time { return metav1.Time{Time: t.Truncate(time.Second).UTC()} }

// micros is the precision of metav1.MicroTime in both encodings.
func micros(t time.Time) metav1.MicroTime {
	return metav1.MicroTime{Time: t.Truncate(time.Microsecond).UTC()}
}

// Core is the object that creates the event in the core group. It leaves eventTime unset, so that
// the server applies the rules it has for such events (kubernetes
// pkg/apis/core/validation/events.go); source and reporting fields say the same.
func Core(w *sink.Write) *corev1.Event {
	controller, instance := text(w.ReportingController), text(w.ReportingInstance)
	return &corev1.Event{
		ObjectMeta:          meta(w),
		InvolvedObject:      w.Regarding,
		Reason:              text(w.Reason),
		Message:             text(string(w.Note)),
		Source:              corev1.EventSource{Component: controller, Host: instance},
		FirstTimestamp:      seconds(w.First),
		LastTimestamp:       seconds(w.Last),
		Count:               w.Count,
		Type:                w.Type,
		Action:              text(w.Action),
		Related:             related(w),
		ReportingController: controller,
		ReportingInstance:   instance,
	}
}

// minSeriesCount is the least count that the server takes in a series.
const minSeriesCount = 2

// Events is the object that creates the event in events.k8s.io/v1. A write that stands for several
// occurrences already has a series; the deprecated fields stay unset, as the server demands.
func Events(w *sink.Write) *eventsv1.Event {
	e := &eventsv1.Event{
		ObjectMeta:          meta(w),
		EventTime:           micros(w.First),
		ReportingController: text(w.ReportingController),
		ReportingInstance:   text(w.ReportingInstance),
		Action:              text(w.Action),
		Reason:              text(w.Reason),
		Regarding:           w.Regarding,
		Related:             related(w),
		Note:                text(string(w.Note)),
		Type:                w.Type,
	}
	if w.Count >= minSeriesCount {
		e.Series = &eventsv1.EventSeries{Count: w.Count, LastObservedTime: micros(w.Last)}
	}
	return e
}

// ToCore shows an event of events.k8s.io/v1 as the core group shows it. Both groups hold the same
// fields under different names (kubernetes pkg/apis/events/v1/conversion.go). What the result
// points at is shared with e.
func ToCore(e *eventsv1.Event) corev1.Event {
	return corev1.Event{
		ObjectMeta:          e.ObjectMeta,
		InvolvedObject:      e.Regarding,
		Reason:              e.Reason,
		Message:             e.Note,
		Source:              e.DeprecatedSource,
		FirstTimestamp:      e.DeprecatedFirstTimestamp,
		LastTimestamp:       e.DeprecatedLastTimestamp,
		Count:               e.DeprecatedCount,
		Type:                e.Type,
		EventTime:           e.EventTime,
		Action:              e.Action,
		Related:             e.Related,
		ReportingController: e.ReportingController,
		ReportingInstance:   e.ReportingInstance,
		Series:              (*corev1.EventSeries)(e.Series),
	}
}

// ToEvents shows an event of the core group as events.k8s.io/v1 shows it. What the result points at
// is shared with c.
func ToEvents(c *corev1.Event) eventsv1.Event {
	return eventsv1.Event{
		ObjectMeta:               c.ObjectMeta,
		EventTime:                c.EventTime,
		ReportingController:      c.ReportingController,
		ReportingInstance:        c.ReportingInstance,
		Action:                   c.Action,
		Reason:                   c.Reason,
		Regarding:                c.InvolvedObject,
		Related:                  c.Related,
		Note:                     c.Message,
		Type:                     c.Type,
		DeprecatedSource:         c.Source,
		DeprecatedFirstTimestamp: c.FirstTimestamp,
		DeprecatedLastTimestamp:  c.LastTimestamp,
		DeprecatedCount:          c.Count,
		Series:                   (*eventsv1.EventSeries)(c.Series),
	}
}
