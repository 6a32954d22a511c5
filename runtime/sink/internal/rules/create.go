// Package rules restates what kube-apiserver v1.37 demands of an event (kubernetes
// pkg/apis/core/validation/events.go and pkg/registry/core/event/strategy.go; apiserver
// pkg/registry/rest/create.go and update.go). Field paths are those of the server's answers, which
// name the fields of the core group for both groups.
package rules

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/api/validation/path"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/event-gen/event-gen/runtime/internal/form"
)

// Create returns the errors of a new event that came in through the form's group.
func Create(e *corev1.Event, f form.Form) field.ErrorList {
	errs := common(e, f)
	if f == form.EventsV1 {
		errs = append(errs, strictMeta(e)...)
		errs = append(errs, series(e)...)
		errs = append(errs, strictFields(e)...)
	}
	if len(errs) > 0 {
		return errs
	}
	return validation.ValidateObjectMeta(&e.ObjectMeta, true, path.ValidatePathSegmentName, field.NewPath("metadata"))
}

func strictMeta(e *corev1.Event) field.ErrorList {
	return validation.ValidateObjectMeta(&e.ObjectMeta, true, validation.NameIsDNSSubdomain, field.NewPath("metadata"))
}

// strictFields returns the errors that events.k8s.io/v1 finds in new events only.
func strictFields(e *corev1.Event) (errs field.ErrorList) {
	if e.EventTime.IsZero() {
		errs = append(errs, field.Required(field.NewPath("eventTime"), ""))
	}
	if e.Type != corev1.EventTypeNormal && e.Type != corev1.EventTypeWarning {
		errs = append(errs, field.Invalid(field.NewPath("type"), "", "has invalid value: "+e.Type))
	}
	deprecated := []struct {
		name string
		set  bool
	}{
		{"firstTimestamp", !e.FirstTimestamp.IsZero()},
		{"lastTimestamp", !e.LastTimestamp.IsZero()},
		{"count", e.Count != 0},
		{"source", e.Source != corev1.EventSource{}},
	}
	for _, d := range deprecated {
		if d.set {
			errs = append(errs, field.Invalid(field.NewPath(d.name), "", "needs to be unset"))
		}
	}
	return errs
}

// series is checked when it is new and when it was changed, through events.k8s.io/v1 only.
func series(e *corev1.Event) (errs field.ErrorList) {
	if e.Series == nil {
		return nil
	}
	if e.Series.Count < 2 {
		errs = append(errs, field.Invalid(field.NewPath("series.count"), "", "should be at least 2"))
	}
	if e.Series.LastObservedTime.IsZero() {
		errs = append(errs, field.Required(field.NewPath("series.lastObservedTime"), ""))
	}
	return errs
}
