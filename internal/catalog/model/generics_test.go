package model_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// A type argument that can't be valid is reported. Whether a valid one exists is known only after
// loading.
func TestInstanceForms(t *testing.T) {
	const instance = "is no Go type; an instance of a generic type is written alias.Type[X]"
	atBound := "x.T[" + strings.Repeat("A", 1000-len("x.T[]")) + "]"
	for form, want := range map[string]string{
		"x.T[int]":                  "",
		"x.T[x.U[int], *string]":    "",
		atBound:                     "",
		atBound[:5] + atBound[4:]:   instance,
		"x.T[int]y":                 instance,
		"x.T[[int]":                 instance,
		"x.T[int]]":                 instance,
		"x.T[]":                     instance,
		"x.T[ ]":                    instance,
		"x.T[int,]":                 "is no Go type",
		"x.T[y.U]":                  "import y of type y.U is not in spec.imports",
		"x.T[lower]":                "is no Go type",
		strings.Repeat("x.T[", 300): instance,
	} {
		_, findings := build(t, head+fmt.Sprintf(`spec:
  go: {package: testevents}
  imports: {x: example.com/x}
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events:
  - {reason: A, message: "{p}", params: [{name: p, type: %q, values: [v]}]}
`, form), model.ResolveNever)
		got := lines(findings)
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%.60s: got %.300q, want %q", form, got, want)
		}
	}
}
