package docs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/output/docs"
)

// Events of other controllers are left out. Events whose controller is set at run time stay.
func TestKeep(t *testing.T) {
	const other = "example.com/other-controller"
	set := build(t, "testdata/catalog.yaml")
	if got, want := docs.Controllers(set), []string{other, "example.com/widget-controller"}; !slices.Equal(got, want) {
		t.Fatalf("controllers %v, want %v", got, want)
	}
	docs.Keep(set, []string{other})
	if text := markdown(t, set); strings.Count(text, "<a id=") != 1 || !strings.Contains(text, "`Annotated`") {
		t.Errorf("of %s:\n%s", other, text)
	}
	set = build(t, "testdata/catalog.yaml")
	set.Packages[0].Controller = ""
	for _, m := range set.Packages[0].Events[0].Methods {
		for _, d := range m.Definitions {
			d.Runtime.ReportingController = ""
		}
	}
	docs.Keep(set, []string{other})
	if len(set.Packages) != 1 || len(set.Packages[0].Events) != 2 {
		t.Error("an event of an unknown controller is gone")
	}
}
