package clientgo_test

import (
	"reflect"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestBuiltInKindsNeedNoScheme forwards an event about an object of each type with metadata that
// client-go's scheme knows, as typed clients return them: without TypeMeta.
func TestBuiltInKindsNeedNoScheme(t *testing.T) {
	stored := memory.New()
	b, err := broadcaster.New(broadcaster.Options{Sink: stored})
	if err != nil {
		t.Fatal(err)
	}
	recorder := eventrt.NewRecorder(b)
	want := map[metav1.TypeMeta]bool{}
	for gvk, typ := range scheme.Scheme.AllKnownTypes() {
		object, ok := reflect.New(typ).Interface().(k8sruntime.Object)
		meta, hasMeta := object.(metav1.Object)
		if !ok || !hasMeta || !strings.HasPrefix(typ.PkgPath(), "k8s.io/api/") {
			continue
		}
		meta.SetNamespace("shop")
		meta.SetName(strings.ToLower(gvk.Kind + "-" + gvk.Version))
		want[metav1.TypeMeta{APIVersion: gvk.GroupVersion().String(), Kind: gvk.Kind}] = true
		recorder.Forward(object, "Normal", "Seen", "", "x")
	}
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[metav1.TypeMeta]bool{}
	for _, e := range stored.List() {
		got[metav1.TypeMeta{APIVersion: e.Regarding.APIVersion, Kind: e.Regarding.Kind}] = true
	}
	t.Logf("%d types, events about %d kinds stored, %d rejected", len(want), len(got), b.Stats().Lost.Rejected)
	if !reflect.DeepEqual(got, want) {
		for kind := range want {
			if !got[kind] {
				t.Errorf("no event about %v", kind)
			}
		}
		for kind := range got {
			if !want[kind] {
				t.Errorf("an event about %v", kind)
			}
		}
	}
}
