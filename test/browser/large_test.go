package browser

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const head = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: manyevents, output: manyevents/zz_generated.events.go}
  reportingController: many-controller
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events:
`

// A page with a thousand events finds the one that is searched for. What a change of the query
// takes is logged: no clock decides.
func TestThousandEvents(t *testing.T) {
	var catalog strings.Builder
	catalog.WriteString(head)
	for i := range 1000 {
		fmt.Fprintf(&catalog, "  - {reason: Reason%dOf%d, message: \"Step %d of {name} has failed: {cause}\", params: [name name, cause error], doc: \"Step %d.\"}\n",
			i, i%7, i, i)
	}
	path := filepath.Join(t.TempDir(), "catalog.yaml")
	if err := os.WriteFile(path, []byte(catalog.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, makePage(t, path))
	took := eval[float64](p, `(() => {
		const field = document.getElementById("ui/search"), start = performance.now();
		for (const text of ["R", "Reason7", "Step 77 of web has failed: no", "of3", ""]) {
			field.value = text;
			field.dispatchEvent(new Event("input"));
			document.body.offsetHeight;
		}
		return (performance.now() - start) / 5;
	})()`)
	t.Logf("a change of the query takes %.0f ms", took)
	p.search("Step 77 of web has failed: no")
	p.checkFirst("Reason77Of0.manyevents.Reason77Of0")
}
