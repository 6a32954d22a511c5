package sinktest

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/event-gen/event-gen/runtime/internal/form"
)

// validationCase is an event that is created through the API itself, in the three ways there are.
// Each wants the fields that the API finds wrong, sorted; none if it takes the event.
type validationCase struct {
	name   string
	change func(e *corev1.Event)
	legacy []string // through the core group, without an event time
	timed  []string // through the core group, with one
	events []string // through events.k8s.io/v1
}

func validationCases() []validationCase {
	return slices.Concat(metaCases(), seriesCases(), deprecatedCases(), fieldCases())
}

func metaCases() []validationCase {
	name, labels := []string{"metadata.name"}, []string{"metadata.labels"}
	owners, finalizers := []string{"metadata.ownerReferences.uid"}, []string{"metadata.finalizers"}
	return []validationCase{
		{"valid", func(*corev1.Event) {}, nil, nil, nil},
		{"labels", func(e *corev1.Event) { e.Labels = map[string]string{"example.com/a": "b"} }, nil, nil, nil},
		{"label with a space", func(e *corev1.Event) { e.Labels = map[string]string{"a": "b c"} }, labels, labels, labels},
		{"name with a slash", func(e *corev1.Event) { e.Name += "/x" }, name, name, name},
		{"name of 254 bytes", func(e *corev1.Event) { e.Name += strings.Repeat("x", 254-len(e.Name)) }, nil, nil, name},
		{"owner without UID", func(e *corev1.Event) {
			e.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: "p"}}
		}, owners, owners, owners},
		{"finalizer with a space", func(e *corev1.Event) { e.Finalizers = []string{"a b"} }, finalizers, finalizers, finalizers},
	}
}

func seriesCases() []validationCase {
	series := func(count int32, last time.Time) func(*corev1.Event) {
		return func(e *corev1.Event) {
			e.Series = &corev1.EventSeries{Count: count, LastObservedTime: metav1.MicroTime{Time: last}}
		}
	}
	count := []string{"series.count"}
	return []validationCase{
		{"series of two", series(2, moment), nil, nil, nil},
		{"series of one", series(1, moment), nil, nil, count},
		{"series of none", series(0, moment), nil, nil, count},
		{"series of less than none", series(-1, moment), nil, nil, count},
		{"series without time", series(2, time.Time{}), nil, nil, []string{"series.lastObservedTime"}},
		{"empty series", series(0, time.Time{}), nil, nil, []string{"series.count", "series.lastObservedTime"}},
	}
}

func deprecatedCases() []validationCase {
	second := metav1.Time{Time: moment.Truncate(time.Second)}
	return []validationCase{
		{"first timestamp", func(e *corev1.Event) { e.FirstTimestamp = second }, nil, nil, []string{"firstTimestamp"}},
		{"last timestamp", func(e *corev1.Event) { e.LastTimestamp = second }, nil, nil, []string{"lastTimestamp"}},
		{"count", func(e *corev1.Event) { e.Count = 1 }, nil, nil, []string{"count"}},
		{"source component", func(e *corev1.Event) { e.Source.Component = "c" }, nil, nil, []string{"source"}},
		{"source host", func(e *corev1.Event) { e.Source.Host = "h" }, nil, nil, []string{"source"}},
		{"all of them", func(e *corev1.Event) {
			e.FirstTimestamp, e.LastTimestamp, e.Count, e.Source.Host = second, second, 2, "h"
		}, nil, nil, []string{"count", "firstTimestamp", "lastTimestamp", "source"}},
	}
}

func fieldCases() []validationCase {
	one := func(s string) []string { return []string{s} }
	mismatch := one("involvedObject.namespace")
	return []validationCase{
		{"no event time", func(e *corev1.Event) { e.EventTime = metav1.MicroTime{} }, nil, nil, one("eventTime")},
		{"no type", func(e *corev1.Event) { e.Type = "" }, nil, nil, one("type")},
		{"type unknown", func(e *corev1.Event) { e.Type = "Error" }, nil, nil, one("type")},
		{"no reason", func(e *corev1.Event) { e.Reason = "" }, nil, one("reason"), one("reason")},
		{"no action", func(e *corev1.Event) { e.Action = "" }, nil, one("action"), one("action")},
		{"no instance", func(e *corev1.Event) { e.ReportingInstance = "" }, nil, one("reportingInstance"), one("reportingInstance")},
		{"no controller", func(e *corev1.Event) { e.ReportingController = "" }, nil, one("reportingComponent"), one("reportingController")},
		{"bad controller", func(e *corev1.Event) { e.ReportingController = "a b" }, nil, one("reportingComponent"), one("reportingController")},
		{"long reason", func(e *corev1.Event) { e.Reason = strings.Repeat("é", 65) }, nil, one("reason"), one("reason")},
		{"long action", func(e *corev1.Event) { e.Action = strings.Repeat("é", 65) }, nil, one("action"), one("action")},
		{"long instance", func(e *corev1.Event) { e.ReportingInstance = strings.Repeat("é", 65) }, nil, one("reportingInstance"), one("reportingInstance")},
		{"long message", func(e *corev1.Event) { e.Message = strings.Repeat("é", 513) }, nil, one("message"), one("message")},
		{"object without namespace", func(e *corev1.Event) { e.InvolvedObject.Namespace = "" }, mismatch, mismatch, mismatch},
		{"object of another namespace", func(e *corev1.Event) { e.InvolvedObject.Namespace = "other" }, mismatch, nil, nil},
		{"everything at once", func(e *corev1.Event) {
			e.Reason, e.Action, e.ReportingInstance, e.Type, e.InvolvedObject.Namespace = "", "", "", "", ""
		}, mismatch, []string{"action", "involvedObject.namespace", "reason", "reportingInstance"},
			[]string{"action", "involvedObject.namespace", "reason", "reportingInstance", "type"}},
	}
}

func testValidation(t *testing.T, newHarness func(t *testing.T) Harness) {
	for _, c := range validationCases() {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t)
			if h.CreateCore == nil || h.CreateEvents == nil {
				t.Skip("the harness creates no events through the API itself")
			}
			checkWrong(t, "core/v1", c.legacy, createRaw(t.Context(), &h, legacyEvent(&h), form.CoreV1, c.change))
			checkWrong(t, "core/v1 with an event time", c.timed, createRaw(t.Context(), &h, timedEvent(&h), form.CoreV1, c.change))
			checkWrong(t, "events.k8s.io/v1", c.events, createRaw(t.Context(), &h, timedEvent(&h), form.EventsV1, c.change))
		})
	}
}

func createRaw(ctx context.Context, h *Harness, e *corev1.Event, f form.Form, change func(*corev1.Event)) error {
	change(e)
	if f == form.CoreV1 {
		return h.CreateCore(ctx, e)
	}
	converted := form.ToEvents(e)
	return h.CreateEvents(ctx, &converted)
}

// legacyEvent and timedEvent are valid events, as the core group shows them.
func legacyEvent(h *Harness) *corev1.Event {
	w := newWrite(h)
	e := expectNew(form.EventsV1, &w)
	e.EventTime = metav1.MicroTime{}
	c := form.ToCore(e)
	return &c
}

func timedEvent(h *Harness) *corev1.Event {
	e := legacyEvent(h)
	e.EventTime = micros(moment)
	return e
}

// checkWrong compares the fields that an answer of the API finds wrong.
func checkWrong(t *testing.T, what string, want []string, err error) {
	t.Helper()
	got := wrongFields(err)
	if err != nil && len(got) == 0 {
		got = []string{err.Error()}
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: fields found wrong (- expected, + answered):\n%s", what, diff)
	}
}

// wrongFields lists the fields of an Invalid answer, without the keys and indexes of entries.
func wrongFields(err error) []string {
	var status apierrors.APIStatus
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) || status.Status().Details == nil {
		return nil
	}
	fields := make([]string, 0, len(status.Status().Details.Causes))
	for _, cause := range status.Status().Details.Causes {
		fields = append(fields, cause.Field)
	}
	return distinct(fields)
}

// fieldsOf lists the fields of errors as wrongFields does.
func fieldsOf(errs field.ErrorList) []string {
	fields := make([]string, 0, len(errs))
	for _, err := range errs {
		fields = append(fields, err.Field)
	}
	return distinct(fields)
}

func distinct(fields []string) []string {
	for i := range fields {
		fields[i] = withoutIndexes(fields[i])
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

func withoutIndexes(field string) string {
	head, rest, found := strings.Cut(field, "[")
	if !found {
		return field
	}
	_, tail, _ := strings.Cut(rest, "]")
	return head + withoutIndexes(tail)
}
