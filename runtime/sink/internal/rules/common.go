package rules

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/form"
)

// common are the rules for every event, new or changed, through either group. An event time decides
// between two sets.
func common(e *corev1.Event, f form.Form) (errs field.ErrorList) {
	if e.EventTime.IsZero() {
		errs = withoutEventTime(e)
	} else {
		errs = withEventTime(e, f)
	}
	return errs
}

func withoutEventTime(e *corev1.Event) field.ErrorList {
	if e.Namespace == cmp.Or(e.InvolvedObject.Namespace, metav1.NamespaceDefault) || e.Namespace == e.InvolvedObject.Namespace {
		return nil
	}
	return field.ErrorList{namespaceMismatch(e)}
}

func withEventTime(e *corev1.Event, f form.Form) (errs field.ErrorList) {
	if e.InvolvedObject.Namespace == "" && e.Namespace != metav1.NamespaceDefault && e.Namespace != metav1.NamespaceSystem {
		errs = append(errs, namespaceMismatch(e))
	}
	errs = append(errs, controller(e, f)...)
	errs = append(errs, text("reportingInstance", e.ReportingInstance)...)
	errs = append(errs, text("action", e.Action)...)
	errs = append(errs, text("reason", e.Reason)...)
	return append(errs, bound("message", e.Message, eventrt.MaxNoteBytes)...)
}

func namespaceMismatch(e *corev1.Event) *field.Error {
	return field.Invalid(field.NewPath("involvedObject", "namespace"), e.InvolvedObject.Namespace,
		"does not match event.namespace")
}

// controller must be a qualified name. The core group calls the field by another name.
func controller(e *corev1.Event, f form.Form) (errs field.ErrorList) {
	at := field.NewPath("reportingController")
	if f == form.CoreV1 {
		at = field.NewPath("reportingComponent")
	}
	if e.ReportingController == "" {
		errs = append(errs, field.Required(at, ""))
	}
	for _, msg := range validation.IsQualifiedName(e.ReportingController) {
		errs = append(errs, field.Invalid(at, e.ReportingController, msg))
	}
	return errs
}

// text is required, and as short as a reason.
func text(name, value string) field.ErrorList {
	if value == "" {
		return field.ErrorList{field.Required(field.NewPath(name), "")}
	}
	return bound(name, value, eventrt.MaxReasonBytes)
}

func bound(name, value string, limit int) field.ErrorList {
	if len(value) <= limit {
		return nil
	}
	return field.ErrorList{field.Invalid(field.NewPath(name), "", fmt.Sprintf("can have at most %d characters", limit))}
}
