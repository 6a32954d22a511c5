package kube_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

func TestClassify(t *testing.T) {
	exists := apierrors.NewAlreadyExists(corev1.Resource("events"), "web.1")
	if a, ok := kube.Classify(sink.Create, exists); !ok || a.Outcome != sink.Exists || !errors.Is(a.Err, exists) {
		t.Errorf("answer %+v, %v", a, ok)
	}
	if a, ok := kube.Classify(sink.Create, errors.New("connection reset")); ok {
		t.Errorf("answer %+v for what no server said", a)
	}
}
