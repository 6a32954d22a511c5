package apiserver

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/runtime/internal/seed"
	"github.com/event-gen/event-gen/runtime/sink"
)

func TestManyCauses(t *testing.T) {
	var errs field.ErrorList
	for range maxCauses + 3 {
		errs = append(errs, field.Required(field.NewPath("reason"), ""))
	}
	a, _ := Classify(Request{Operation: sink.Create}, apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Event").GroupKind(), "e", errs))
	if text := a.Err.Error(); strings.Count(text, "reason") != maxCauses || !strings.HasSuffix(text, "; and 3 more") {
		t.Error(text)
	}
}

// TestNoValueInText has the server find fault with random values, quoted as it quotes them.
func TestNoValueInText(t *testing.T) {
	seed.Check(t, func(t *rapid.T) {
		value := rapid.String().Draw(t, "before") + "hunter2" + rapid.String().Draw(t, "after")
		at := field.NewPath("reason")
		errs := field.ErrorList{
			field.Invalid(at, value, "too long"),
			field.Invalid(at, map[string]string{value: value}, "too long"),
			field.NotSupported(at, value, []string{"Normal"}),
			field.Duplicate(at, value),
			field.TypeInvalid(at, value, "not a string"),
			field.NotFound(at, value),
		}
		err := apierrors.NewInvalid(corev1.SchemeGroupVersion.WithKind("Event").GroupKind(), value, errs)
		a, ok := Classify(Request{Operation: sink.Create}, err)
		if !ok || strings.Contains(a.Err.Error(), "hunter2") {
			t.Fatalf("error %v", a.Err)
		}
		if !apierrors.IsInvalid(a.Err) {
			t.Fatal("the whole answer is not wrapped")
		}
	})
}

func TestDetail(t *testing.T) {
	for message, want := range map[string]string{
		`Invalid value: "a: \"b\"": too long`: "Invalid value: too long",
		`Invalid value: "": must be set`:      "Invalid value: must be set",
		`Invalid value: "cut short`:           "Invalid value",
		`Invalid value: {"a":"b: c"}: no`:     "Invalid value: no",
		`Invalid value: T{A:"b"}: no`:         "Invalid value",
		`Invalid value: 7: too small`:         "Invalid value: too small",
		`Duplicate value: "a"`:                "Duplicate value",
		"Required value":                      "Required value",
		"Required value: set it":              "Required value: set it",
		"Too long: may not be more than 5":    "Too long: may not be more than 5",
		"Of a webhook's own: hunter2":         "T",
		"":                                    "T",
	} {
		if got := withoutValue(metav1.StatusCause{Type: "T", Message: message}); got != want {
			t.Errorf("%s: %q, want %q", message, got, want)
		}
	}
}
