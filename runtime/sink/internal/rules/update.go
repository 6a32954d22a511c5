package rules

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"

	"github.com/event-gen/event-gen/runtime/internal/form"
)

// Update returns the errors of a change to a stored event that came in through the form's group.
func Update(changed, stored *corev1.Event, f form.Form) field.ErrorList {
	at := field.NewPath("metadata")
	errs := validation.ValidateObjectMeta(&changed.ObjectMeta, true, path.ValidatePathSegmentName, at)
	errs = append(errs, validation.ValidateObjectMetaUpdate(&changed.ObjectMeta, &stored.ObjectMeta, at)...)
	errs = append(errs, common(changed, f)...)
	if f == form.CoreV1 {
		return errs
	}
	if !equality.Semantic.DeepEqual(changed.Series, stored.Series) {
		errs = append(errs, series(changed)...)
	}
	return append(errs, immutable(changed, stored)...)
}

// immutable are the fields that events.k8s.io/v1 never lets change: all but series, labels and
// annotations.
func immutable(changed, stored *corev1.Event) (errs field.ErrorList) {
	fields := [...]struct {
		name string
		same bool
	}{
		{"involvedObject", changed.InvolvedObject == stored.InvolvedObject},
		{"reason", changed.Reason == stored.Reason},
		{"message", changed.Message == stored.Message},
		{"source", changed.Source == stored.Source},
		{"firstTimestamp", changed.FirstTimestamp.Equal(&stored.FirstTimestamp)},
		{"lastTimestamp", changed.LastTimestamp.Equal(&stored.LastTimestamp)},
		{"count", changed.Count == stored.Count},
		{"type", changed.Type == stored.Type},
		{"eventTime", micros(changed.EventTime).Equal(micros(stored.EventTime))},
		{"action", changed.Action == stored.Action},
		{"related", ptr.Equal(changed.Related, stored.Related)},
		{"reportingController", changed.ReportingController == stored.ReportingController},
		{"reportingInstance", changed.ReportingInstance == stored.ReportingInstance},
	}
	for _, f := range fields {
		if !f.same {
			errs = append(errs, field.Invalid(field.NewPath(f.name), "", validation.FieldImmutableErrorMsg))
		}
	}
	return errs
}

// micros returns the part of an event time that the server compares.
func micros(t metav1.MicroTime) time.Time { return t.Truncate(time.Microsecond) }
