package emit_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
)

// differingParams is an event whose definitions share the message but not the bounds of the params,
// because the lengths of the kinds differ.
const differingParams = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: p}
  reportingController: example.com/c
  objects: {Pod: v1, PersistentVolumeClaim: v1}
  events:
  - name: Moved
    regarding: Pod
    alsoOn: [PersistentVolumeClaim]
    message: "Did {cause} to {regarding.kind}"
    params: [cause error, {name: outcome, type: enum, values: [Won, Drawn, Lost]}]
    select: outcome
    variants: {Won: {reason: MovedWon}, Drawn: {reason: MovedDrawn}}
    other: {reason: MovedOther, type: Warning}
`

// TestDefinitionsHaveTheirParams checks that each definition of an array has the params of its
// message, also if the definitions share only the message. Without params, the run time rejects
// every event.
func TestDefinitionsHaveTheirParams(t *testing.T) {
	catalogs, findings := catalog.Read("catalog.yaml", bytes.NewReader([]byte(differingParams)))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	for path, text := range generate(t, t.TempDir(), catalogs) {
		if strings.Contains(path, "ptest") {
			continue
		}
		_, arrays, _ := strings.Cut(text, "var movedDefs = ")
		arrays, _, _ = strings.Cut(arrays, "// Definitions returns")
		if n := strings.Count(arrays, "Reason:"); n != 6 || strings.Count(arrays, "Params:") != n {
			t.Errorf("%d definitions, of which %d have params:\n%s", n, strings.Count(arrays, "Params:"), arrays)
		}
	}
}
