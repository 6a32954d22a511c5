package main

import (
	"go/parser"
	"go/token"
	"testing"
)

// Only the functions of internal/catalog and internal/catalog/model that report findings are changed.
func TestReports(t *testing.T) {
	for body, want := range map[string]bool{
		`findings.Errorf(pos, diag.Syntax, "a")`:  true,
		`w.findings.Warnf(pos, diag.Syntax, "a")`: true,
		`s.Findings.Unreadf(pos, "", "a")`:        true,
		`w.reject(n, "a")`:                        true,
		`return fmt.Errorf("a")`:                  false,
		`f()`:                                     false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n\nfunc a() {\n"+body+"\n}\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := reports(file.Decls[0]); got != want {
			t.Errorf("%s: %v", body, got)
		}
	}
}
