package model_test

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// Types are found in a module that does not compile yet, because the generated package is missing.
func TestLoad(t *testing.T) {
	const path = "testdata/types/catalog.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	catalogs, findings := catalog.Read(path, bytes.NewReader(text))
	if len(findings) > 0 {
		t.Fatal(lines(findings))
	}
	set, findings := model.Build(t.Context(), catalogs, model.Options{})
	checkFindings(t, "testdata/types/findings", lines(findings))

	got := map[string]string{}
	for _, o := range set.Packages[0].Objects {
		got[o.Alias] = o.Kind.APIVersion + " " + o.Kind.Kind + " " + o.Scope
	}
	want := map[string]string{
		"Widget": "types.example.com/v1beta1 Widget Namespaced",
		"Crate":  "types.example.com/v1beta1 Crate Namespaced",
		"Tower":  "types.example.com/v1beta1 Tower Cluster",
	}
	bounds := map[string][]int{}
	for _, e := range set.Packages[0].Events {
		for _, p := range e.Params {
			bounds[e.Name] = append(bounds[e.Name], p.MaxBytes)
		}
	}
	if got, want := bounds["F"], []int{len("Pending"), len("Succeeded"), len("Terminating-Now")}; !slices.Equal(got, want) {
		t.Errorf("typed strings are bounded by %v, want %v", got, want)
	}
	if got, want := bounds["G"], []int{20, len("sized-tag"), 20}; !slices.Equal(got, want) {
		t.Errorf("instances are bounded by %v, want %v", got, want)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects differ (-want +got):\n%s", diff)
	}
}

func checkFindings(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the findings differ; run with -update if that is right (-want +got):\n%s", diff)
	}
}
