package breaking

import (
	"reflect"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Each field of the model has a row: a rule, a reason why a change breaks nothing, or parts with
// rows of their own.
func TestEveryFieldHasARow(t *testing.T) {
	used := map[string]bool{}
	var visit func(reflect.Type)
	visit = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct {
			return
		}
		for i := range of.NumField() {
			f := of.Field(i)
			key := keyOf(of, f.Name)
			r, known := table[key]
			first := !used[key]
			used[key] = true
			parts := r.parts || r.pairs != nil || r.rule == "" && r.why == ""
			switch {
			case !known:
				t.Errorf("%s has no row", key)
			case r.why != "" && (r.rule != "" || r.parts || r.pairs != nil):
				t.Errorf("%s breaks nothing, and has a rule or parts", key)
			case r.rule != "" && r.name == "":
				t.Errorf("%s has no name", key)
			case r.rule != "" && severityOf(r.rule) == 0 && r.rule[:2] != "BW":
				t.Errorf("%s has an unknown rule", key)
			case parts && first:
				visit(f.Type)
			}
		}
	}
	visit(reflect.TypeFor[model.Package]())
	visit(reflect.TypeFor[model.Event]())
	for key := range table {
		if !used[key] {
			t.Errorf("%s is no field of the model", key)
		}
	}
}
