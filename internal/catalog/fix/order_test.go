package fix

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog/v1alpha1"
)

// Every key has a place in the canonical order: one without would keep its neighbours from being ordered.
func TestEveryKeyHasAPlace(t *testing.T) {
	for _, of := range []struct {
		order []string
		t     reflect.Type
	}{{specOrder, reflect.TypeFor[v1alpha1.Spec]()}, {eventOrder, reflect.TypeFor[v1alpha1.Event]()}} {
		var keys []string
		for i := range of.t.NumField() {
			key, _, _ := strings.Cut(of.t.Field(i).Tag.Get("json"), ",")
			keys = append(keys, key)
		}
		sorted := slices.Clone(of.order)
		slices.Sort(sorted)
		slices.Sort(keys)
		if !slices.Equal(sorted, keys) {
			t.Errorf("%s has the keys\n%q, in order are\n%q", of.t, keys, sorted)
		}
	}
}
