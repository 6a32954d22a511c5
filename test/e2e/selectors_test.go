package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// matched is an event of a catalog, as it is stored. Each differs from another in one thing that a
// selector can tell.
type matched struct{ name, kind, reason, eventType, controller string }

var matchedEvents = []matched{
	{"Started", "Pod", "Started", "Normal", "example.com/first"},
	{"NodeStarted", "Node", "Started", "Normal", "example.com/first"},
	{"StartedBadly", "Pod", "Started", "Warning", "example.com/first"},
	{"StartedElsewhere", "Pod", "Started", "Normal", "second"},
	{"Stopped", "Pod", "Stopped", "Normal", "example.com/first"},
	{"Separators", "Pod", `a,type=b\c`, "Normal", "example.com/first"},
	{"Anonymous", "Pod", "Anonymous", "Normal", ""},
}

// TestPrintedSelectorsSelect lets event-gen breaking print the selector of each event, by removing
// all of them, and asks the real kubectl for each: it finds the event that was stored for it, in
// the form of either group, and no other.
func TestPrintedSelectorsSelect(t *testing.T) {
	t.Parallel() // most of its time is kubectl's
	selectors := printedSelectors(t)
	c := startCluster(t)
	clients := newClientset(t, c)
	for group, newSink := range groups {
		t.Run(group, func(t *testing.T) {
			namespace := storeMatched(t, clients, newSink(c.RESTConfig()))
			for _, e := range matchedEvents {
				checkSelects(t, c, namespace, selectors[e.name], "event/"+strings.ToLower(e.name))
			}
		})
	}
}

func checkSelects(t *testing.T, c *cluster.Cluster, namespace, selector, want string) {
	t.Helper()
	out, err := c.Kubectl(t.Context(), "get", "events", "--namespace", namespace, "--field-selector", selector, "--output", "name")
	if err != nil || strings.TrimSpace(out) != want {
		t.Errorf("%q selects %q, want %s; error %v", selector, out, want, err)
	}
}

// storeMatched stores all events in a new namespace, each under its name.
func storeMatched(t *testing.T, clients kubernetes.Interface, target sink.Sink) (namespace string) {
	t.Helper()
	namespace = newNamespace(t, clients)
	for _, e := range matchedEvents {
		w := newWrite(namespace)
		w.Name, w.Reason, w.Type = strings.ToLower(e.name), e.reason, e.eventType
		w.Regarding.APIVersion, w.Regarding.Kind = "v1", e.kind
		if e.controller != "" {
			w.ReportingController = e.controller
		}
		if a := target.Write(t.Context(), w); a.Outcome != sink.Done {
			t.Fatalf("%s: answer %+v", e.name, a)
		}
	}
	return namespace
}

// printedSelectors are those that the command prints, by event.
func printedSelectors(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	old, now := filepath.Join(dir, "old.yaml"), filepath.Join(dir, "now.yaml")
	writeCatalog(t, old, matchedEvents)
	writeCatalog(t, now, []matched{{"Unrelated", "Pod", "Unrelated", "Normal", "third"}})
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/event-gen", "breaking", "--category=WIRE", "--format=json", "--against="+old, now)
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOWORK=") // the root's workspace, which this module is not in
	out, err := cmd.Output()
	if err == nil {
		t.Fatal("the removal of all events breaks nothing")
	}
	selectors := map[string]string{}
	for line := range strings.Lines(string(out)) {
		var finding struct {
			Events, Formerly []string
			Before           struct{ FieldSelectors []string }
		}
		if err := json.Unmarshal([]byte(line), &finding); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if names := append(finding.Formerly, finding.Events...); len(finding.Before.FieldSelectors) == 1 {
			selectors[names[0]] = finding.Before.FieldSelectors[0]
		}
	}
	if len(selectors) != len(matchedEvents) {
		t.Fatalf("%d selectors for %d events: %s", len(selectors), len(matchedEvents), out)
	}
	return selectors
}

func writeCatalog(t *testing.T, file string, events []matched) {
	t.Helper()
	text := "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: p}\n  objects: {Pod: v1, Node: v1}\n  events:\n"
	for _, e := range events {
		text += fmt.Sprintf("  - {name: %s, regarding: %s, reason: '%s', type: %s, message: \"a\"", e.name, e.kind, e.reason, e.eventType)
		if e.controller != "" {
			text += ", reportingController: " + e.controller
		}
		text += "}\n"
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
