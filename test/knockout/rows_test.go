package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRowsApply: each row's edit still applies, and its test is there.
func TestRowsApply(t *testing.T) {
	t.Chdir("../..")
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	tests := ""
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests += string(text)
	}
	for _, r := range rows {
		if _, err := r.edited(); err != nil {
			t.Errorf("%s: %v", r.rule, err)
		}
		name := regexp.MustCompile(`^\w+`).FindString(r.test)
		if name == "" || !strings.Contains(tests, "func "+name+"(") {
			t.Errorf("%s: no test %s", r.rule, name)
		}
	}
}
