package initialize

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestController(t *testing.T) {
	for modulePath, want := range map[string]string{
		"example.com/widgets":               "example.com/widgets-controller",
		"example.com/org/widgets/v2":        "example.com/widgets-controller",
		"example.com/Widgets-controller":    "example.com/widgets-controller",
		"widgets":                           "widgets-controller",
		"internal.corp/a/b":                 "internal.corp/b-controller",
		"localmodule/thing":                 "thing-controller",
		"example.com/org/widget-controller": "example.com/widget-controller",
		"example.com/org/Widget-Operator":   "example.com/widget-operator",
		"example.com/operator":              "example.com/operator",
	} {
		if got := Controller(modulePath); got != want {
			t.Errorf("%s: %s, want %s", modulePath, got, want)
		}
	}
}

func TestPackage(t *testing.T) {
	for modulePath, want := range map[string]string{
		"example.com/widgets":           "widgetsevents",
		"example.com/widget-operator":   "widgetevents",
		"example.com/widget-controller": "widgetevents",
		"example.com/9-lives/v2":        "module9livesevents",
		"operator":                      "operatorevents",
	} {
		if got := Package(modulePath); got != want {
			t.Errorf("%s: %s, want %s", modulePath, got, want)
		}
	}
}

func TestEntries(t *testing.T) {
	imports, objects := entries([]Kind{
		{Name: "Widget", Path: "m/api/v1", Package: "v1", Versioned: true},
		{Name: "Widget", Path: "m/api/v2", Package: "v2", Versioned: true},
		{Name: "Thing", Path: "m/other/api/v1", Package: "v1", Versioned: true},
		{Name: "Gadget", Path: "m/my-group/v1", Package: "v1", Versioned: true},
		{Name: "Lost", Path: "m/lost", Package: "lost"},
	})
	wantImports := []entry{{Alias: "apiv1", Path: "m/api/v1"}, {Alias: "apiv2", Path: "m/api/v2"}, {Alias: "apiv12", Path: "m/other/api/v1"},
		{Alias: "v1", Path: "m/my-group/v1"}}
	wantObjects := []entry{{Alias: "Widget", Value: "{type: apiv1.Widget}"}, {Alias: "Widget2", Value: "{type: apiv2.Widget}"},
		{Alias: "Thing", Value: "{type: apiv12.Thing}"}, {Alias: "Gadget", Value: "{type: v1.Gadget}"}}
	if diff := cmp.Diff(wantImports, imports); diff != "" {
		t.Errorf("imports differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(wantObjects, objects); diff != "" {
		t.Errorf("objects differ (-want +got):\n%s", diff)
	}
}

func TestImportable(t *testing.T) {
	for _, tt := range []struct {
		rel, from string
		want      bool
	}{
		{"api/v1", "internal/events", true},
		{"internal/api", "internal/events", true},
		{"pkg/internal/api", "internal/events", false},
		{"pkg/internal/api", "pkg/events", true},
		{"pkg/internal/api", "pkgs/events", false},
		{".", "internal/events", true},
	} {
		if got := importable(tt.rel, tt.from); got != tt.want {
			t.Errorf("%s from %s: %v", tt.rel, tt.from, got)
		}
	}
}

// A link that leads out of the module is not followed.
func TestWriteStaysInside(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Write(t.Context(), []File{{Root: root, Path: "link/x", Content: []byte("x")}}); err == nil {
		t.Error("a file was written through a link")
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("%v stands outside", entries)
	}
}
