package model

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"strings"
	"testing"
)

// TestConditionsAreProven checks which types have conditions that generated code can read. The
// comment beside a type is the expected problem.
func TestConditionsAreProven(t *testing.T) {
	const source = `package p

type Text string
type Condition struct { Type, Status Text; Reason, Message string; Since int }
type Conditions []Condition
type Embedded struct { Conditions Conditions }

type Fine struct { Status struct { Conditions []Condition } } //
type Promoted struct { Status struct { Embedded } } //
type Whole struct { Embedded } // expected a field Status, and Whole has none
type ByPointer struct { Status *Embedded } // expected Status to be a struct, found *p.Embedded
type Empty struct { Status struct{} } // expected a field Status.Conditions, and Status has none
type Strings struct { Status struct { Conditions []string } } // expected Status.Conditions to be a list of structs, found []string
type Pointers struct { Status struct { Conditions []*Condition } } // expected Status.Conditions to be a list of structs, found []*p.Condition
type Map struct { Status struct { Conditions map[string]Condition } } // expected Status.Conditions to be a list of structs, found map[string]p.Condition
type Bools struct { Status struct { Conditions []struct { Type string; Status bool; Message string } } } // it lacks Status, Reason
type Method struct{ Embedded } // expected a field Status, and Method has none
func (Method) Status() Embedded { return Embedded{} }
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	config := gotypes.Config{Importer: importer.Default()}
	pkg, err := config.Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for line := range strings.SplitSeq(source, "\n") {
		declaration, want, judged := strings.Cut(line, "//")
		if !judged {
			continue
		}
		tried++
		name := strings.Fields(declaration)[1]
		got := conditionsProblem(pkg.Scope().Lookup(name).Type().(*gotypes.Named))
		if want = strings.TrimSpace(want); (got == "") != (want == "") || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if tried != 10 {
		t.Errorf("tried %d types", tried)
	}
}
