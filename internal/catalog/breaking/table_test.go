package breaking

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

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

// Each row with a rule has a change in testdata, in both directions: an archive of testdata/changes
// expects findings of the change and of the change back.
func TestEveryRowHasBothDirections(t *testing.T) {
	tried := map[string]bool{}
	for key, r := range table {
		if r.rule == "" || r.parts {
			continue
		}
		was := r
		t.Cleanup(func() { table[key] = was })
		unless, pairs := r.unless, r.pairs
		r.unless = func(s *site, before, after reflect.Value) bool {
			tried[key] = true
			return unless != nil && unless(s, before, after)
		}
		if pairs != nil {
			r.pairs = func(s *site, before, after reflect.Value) []pairing {
				all := pairs(s, before, after)
				if slices.ContainsFunc(all, func(p pairing) bool { return !p.was.IsValid() || !p.is.IsValid() }) {
					tried[key] = true
				}
				return all
			}
		}
		table[key] = r
	}
	files, _ := filepath.Glob("testdata/changes/*.txtar")
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		old, now := state(t, archive, "before/"), state(t, archive, "after/")
		lines(old, now)
		lines(now, old)
	}
	for key, r := range table {
		if r.rule != "" && !r.parts && !tried[key] {
			t.Errorf("no change in testdata/changes is one of %s (%s)", key, r.rule)
		}
	}
}
