package main

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestREADMEShowsMigrate holds that README.md shows what the script's commands print.
func TestREADMEShowsMigrate(t *testing.T) {
	script, err := txtar.ParseFile("testdata/script/migratereadme.txtar")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	printed := map[string]string{}
	for _, f := range script.Files {
		printed[f.Name] = string(f.Data)
	}
	_, change, found := strings.Cut(printed["diff.want"], "\n func (s *scaler)")
	if !found {
		t.Fatal("the script's diff has no function scale")
	}
	for name, text := range map[string]string{
		"scan.want": printed["scan.want"], "table.want": printed["table.want"], "written.want": printed["written.want"], "diff.want": change,
	} {
		if text == "" || !strings.Contains(string(readme), text) {
			t.Errorf("README.md does not show %s:\n%s", name, text)
		}
	}
}
