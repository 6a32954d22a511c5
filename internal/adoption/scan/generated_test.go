package scan

import (
	"fmt"
	"slices"
	"testing"
)

// Scan reads generated code as the catalogs of the golden files declare it: each form of regarding
// and related objects, and of params.
func TestTypedFunctions(t *testing.T) {
	const golden = "github.com/event-gen/event-gen/internal/output/emit/testdata/golden/"
	loaded, err := Read(t.Context(), Options{Patterns: []string{golden + "features/featureevents", golden + "also/alsoevents", golden + "args/argsevents"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := loaded.Program(t.Context(), false)
	if err != nil || len(p.Problems) > 0 {
		t.Fatal(err, p.Problems)
	}
	found := map[string]string{}
	for _, pkg := range p.Packages {
		for _, f := range TypedFunctions(pkg) {
			found[pkg.Name+"."+f.Name] = fmt.Sprintf("%v %d %t %t %v", f.Regarding, f.Related, f.RelatedOptional, f.Transitions, f.Required)
		}
	}
	for name, want := range map[string]string{
		"featureevents.AboutTower":         "[0] -1 false false []",
		"featureevents.AboutAnything":      "[0] 1 false false []",
		"featureevents.ClosedSet":          "[0] -1 false false []",
		"featureevents.InContainer":        "[0] -1 false false [{1 }]",
		"featureevents.NoSecret":           "[0] 1 false false []",
		"featureevents.Drained":            "[0] 1 true false [{2 }]",
		"featureevents.OptionalRelated":    "[0] 1 true false []",
		"featureevents.NewOptionalRelated": "[0] 1 true false []",
		"featureevents.Optionals":          "[0] -1 false false []",
		"featureevents.Moody":              "[0] -1 false false [{1 }]",
		"featureevents.NewMoody":           "[0] -1 false false [{1 }]",
		"featureevents.SelectedOnWidget":   "[0] -1 false false [{1 } {2 }]",
		"featureevents.NoReplicas":         "[0] -1 false false [{1 } {2 }]",
		"featureevents.Record":             "[0] -1 false true []",
		"alsoevents.Plain":                 "[0 1 2] -1 false false []",
		"alsoevents.NewBlocked":            "[0 1] -1 false false [{2 }]",
		"argsevents.ScaleFailed":           "[0] 1 false false [{2 From} {2 To} {2 Cause}]",
		"argsevents.FailedScale":           "[0] 1 false false [{2 From} {2 To} {2 Cause}]",
		"argsevents.NewFailedScale":        "[0] 1 false false [{2 From} {2 To} {2 Cause}]",
		"alsoevents.ForKindOnNode":         "[0 1] 2 true false []",
		"argsevents.EndedOnNode":           "[0] -1 false false [{1 Outcome} {1 UID}]",
	} {
		if found[name] != want {
			t.Errorf("%s: %q, want %q", name, found[name], want)
		}
	}
	for _, other := range []string{"featureevents.For", "featureevents.Emit", "featureevents.WidgetTransitions", "featureevents.Definitions"} {
		if found[other] != "" {
			t.Errorf("%s records no event: %s", other, found[other])
		}
	}
	if !slices.ContainsFunc(p.Packages, func(p *Package) bool { return len(TypedFunctions(p)) > 50 }) {
		t.Error("few functions were found")
	}
}
