package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// TestParamsOutOfHand checks that the reader reads nothing of an absurdly long list of params
// except its length.
func TestParamsOutOfHand(t *testing.T) {
	items := make([]string, 20_000)
	for i := range items {
		items[i] = fmt.Sprintf("p%d nonsense", i)
	}
	text := "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: p}\n  objects: {Pod: v1}\n" +
		"  events: [{reason: A, message: \"a\", regarding: Pod, params: [" + strings.Join(items, ", ") + "]}]\n"
	catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(text))
	if len(findings) != 1 || findings[0].Rule != diag.TooManyParams {
		t.Fatalf("%d findings, want one of %s: %.300v", len(findings), diag.TooManyParams, findings)
	}
	for _, c := range catalogs {
		for i := range c.Events {
			if n := len(c.Events[i].Params); n != 0 {
				t.Errorf("%d params were read", n)
			}
		}
	}
}
