package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/plumbing/format"
)

const catalogHead = "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: p}\n  objects: {Pod: v1}\n" +
	"  defaults: {regarding: Pod}\n  events:\n"

// What is wrong with a file is said at a position, in every format, without anything of the file that could harm a reader.
func TestLintBadInput(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		code int
		want string // in text form
	}{
		"newer":     {strings.Replace(catalogHead, "v1alpha1", "v9", 1), 2, ":1:13: expected kind EventCatalog of event-gen.github.io/v1alpha1"},
		"crlf":      {strings.ReplaceAll(catalogHead+"  - {reason: Started, message: Started}\n", "\n", "\r\n"), 1, ":8:32: error: message: the text must be quoted"},
		"bom":       {"\uFEFF" + catalogHead + "  - {reason: Started, message: Started}\n", 1, ":8:32: error: message: the text must be quoted"},
		"tabs":      {catalogHead + "\t- {reason: Started}\n", 1, ":8:1: error: a tab in the indentation"},
		"latin":     {catalogHead + "  - {reason: Started, message: \"\xe9\"}\n", 2, ":8:33: the file is not UTF-8 text"},
		"long":      {catalogHead + "  - {reason: Started, message: \"" + strings.Repeat("long ", 200_000) + "\"}\n", 1, ":8:32: error: the message can take"},
		"escapes":   {catalogHead + "  - {reason: \"\\e[31m\", message: \"\\e]0;title\\a\"}\n", 1, `the reason "\x1b[31m" is not UpperCamelCase`},
		"raw":       {catalogHead + "  - {reason: \x1b[31m, message: \"a\"}\n", 1, ":8:14: error: the control character U+001B"},
		"direction": {catalogHead + "  - {reason: \"\u202eA\", message: \"a\"}\n", 1, "is not UpperCamelCase"},
		"command":   {catalogHead + "  - {reason: \"A\\n::error::x\", message: \"a\"}\n", 1, `A\n::error::x`},
		"settings":  {"apiVersion: event-gen.github.io/v1alpha1\nkind: Configuration\n", 1, ":2:7: error: expected kind EventCatalog"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "catalog.yaml")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, form := range format.Names {
				var stdout, stderr bytes.Buffer
				code := run(context.Background(), []string{"lint", "--format=" + form, file}, &stdout, &stderr)
				if code != c.code || form == "text" && !strings.Contains(stdout.String()+stderr.String(), c.want) {
					t.Errorf("%s: exit code %d\n%.500s\n%.500s", form, code, stdout.String(), stderr.String())
				}
				if strings.ContainsAny(stdout.String()+stderr.String(), "\x1b\u202e\a") || strings.Contains(stdout.String(), "\n::error::x") {
					t.Errorf("%s: hostile text:\n%q", form, stdout.String())
				}
				if form == "text" && stdout.Len() > 4000 {
					t.Errorf("%d bytes for one finding", stdout.Len())
				}
			}
		})
	}
}

// A file that can't be read and one that is not there are said, and end the command with 2.
func TestLintUnreadable(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link.yaml")); err != nil {
		t.Fatal(err)
	}
	code := run(context.Background(), []string{"lint", filepath.Join(dir, "link.yaml")}, &stdout, &stderr)
	if code != int(exitUsage) || !strings.Contains(stderr.String(), "link.yaml: no such file or directory") {
		t.Errorf("exit code %d, %s", code, stderr.String())
	}
}
