package emit_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/emit"
)

// BenchmarkGenerate measures the way from YAML to Go, for 1,000 events without loading types.
func BenchmarkGenerate(b *testing.B) {
	text := manyEvents(1000)
	dir := b.TempDir()
	for b.Loop() {
		catalogs, findings := catalog.Read("catalog.yaml", strings.NewReader(text))
		if len(findings) > 0 {
			b.Fatal(findings)
		}
		set, findings := model.Build(b.Context(), catalogs, model.Options{Dir: dir})
		if len(findings) > 0 {
			b.Fatal(findings)
		}
		if err := emit.Go(io.Discard, set.Packages[0]); err != nil {
			b.Fatal(err)
		}
	}
}

func manyEvents(n int) string {
	var b strings.Builder
	b.WriteString("apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: manyevents}\n" +
		"  reportingController: many\n  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n  params: {cause: error}\n  events:\n")
	for i := range n {
		fmt.Fprintf(&b, "  - {reason: Event%d, type: Warning, message: \"Event %d from {from} to {to}: {cause}\", params: [from int32, to int32, cause]}\n", i, i)
	}
	return b.String()
}
