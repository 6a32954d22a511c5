package view_test

import (
	"reflect"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime/internal/view"
)

func TestKindOf(t *testing.T) {
	scheme := k8sruntime.NewScheme()
	if err := batchv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	tests := map[reflect.Type]metav1.TypeMeta{
		reflect.TypeFor[*batchv1.Job](): {APIVersion: "batch/v1", Kind: "Job"},
		reflect.TypeFor[batchv1.Job]():  {}, // the objects are pointers
		reflect.TypeFor[*corev1.Pod]():  {}, // not in the scheme
		reflect.TypeFor[*string]():      {},
	}
	for typ, want := range tests {
		if got, ok := view.KindOf(scheme, typ); got != want || ok != (want.Kind != "") {
			t.Errorf("%v: %v %t, expected %v", typ, got, ok, want)
		}
	}
}
