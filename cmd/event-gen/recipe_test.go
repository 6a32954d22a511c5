package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// recipe adds the key colour to events, as CONTRIBUTING.md describes: after each line of a file it
// adds another one.
var recipe = []struct{ file, line, added string }{
	{"internal/catalog/tree.go", "\tSelect Scalar `key:\"select\"`\n", "\t// the colour in which a terminal shows the event\n\tColour Scalar `key:\"colour\" form:\"red|green\"`\n"},
	{"internal/catalog/model/model.go", "\tSince   string\n", "\tColour  string\n"},
	{"internal/catalog/model/events.go", "Since: src.Lifecycle.Since.Value,\n", "\t\tColour: src.Colour.Value,\n"},
	{"internal/output/emit/eventdoc.go", "\td.add(e.Summary)\n", "\td.add(\"Colour: \" + e.Colour + \".\")\n"},
}

const coloured = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: paint}
  objects: {Pod: v1}
  defaults: {regarding: Pod}
  events: [{reason: Painted, message: "painted", colour: green}]
`

// A new event option takes one field, one value in the model and one line in emit. Reader, schema
// and canonical order follow.
func TestANewOption(t *testing.T) {
	dir := t.TempDir()
	bin := withOverlay(t, dir)
	run := func(text string, args ...string) string {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "catalog.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(bin, args...)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput() // its output is compared
		return string(out)
	}
	for _, tt := range []struct{ name, got, want string }{
		{"generated", run(coloured, "generate", "--stdout"), "\n// Colour: green.\n"},
		{"position", run(strings.Replace(coloured, "green", "blue", 1), "lint"), "catalog.yaml:7:58: error: colour: expected red or green, found \"blue\" [EV001]"},
		{"proposal", run(strings.Replace(coloured, "colour", "color", 1), "lint"), "unknown key \"color\" in an event; did you mean colour?"},
		{"schema", run(coloured, "schema"), `"description": "the colour in which a terminal shows the event",`},
		{"order", run(strings.Replace(coloured, "{reason: Painted, message: \"painted\", colour: green}", "{colour: green, message: \"painted\", reason: Painted}", 1), "lint", "--fix", "--diff"),
			"+  events: [{reason: Painted, message: \"painted\", colour: green}]"},
	} {
		if !strings.Contains(tt.got, tt.want) {
			t.Errorf("%s: there is no %q in\n%s", tt.name, tt.want, tt.got)
		}
	}
}

// withOverlay builds the command from the tree with the recipe's lines added.
func withOverlay(t *testing.T, dir string) string {
	t.Helper()
	replace := map[string]string{}
	for _, step := range recipe {
		path, err := filepath.Abs(filepath.Join("../..", step.file))
		if err != nil {
			t.Fatal(err)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Replace(string(source), step.line, step.line+step.added, 1)
		if text == string(source) {
			t.Fatalf("%s has no line %q", step.file, step.line)
		}
		replace[path] = filepath.Join(dir, filepath.Base(step.file))
		if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file, bin := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "event-gen")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-overlay", file, "-o", bin, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}
