package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// offPath is the package of the overlay that holds which part is off.
const offPath = "github.com/event-gen/event-gen/internal/adoption/off"

// ablate prints what each part pays. A part pays if its rows differ without it; one that does not
// has to say why it is kept.
func (e *evidence) ablate(ctx context.Context, update bool) error {
	if _, err := e.build(ctx, "./standin", "standin"); err != nil {
		return err
	}
	lines, err := exclusive(e.root)
	if err != nil {
		return err
	}
	overlay, err := e.overlay()
	if err != nil {
		return err
	}
	program, err := e.build(ctx, ".", "ablate", "-overlay="+overlay)
	if err != nil {
		return err
	}
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	changed := map[string][]string{}
	for _, r := range e.repositories {
		rows, err := e.measured(ctx, program, r, names)
		if err != nil {
			fmt.Printf("%s: not measured: %v\n", r["repository"], err)
			continue
		}
		for _, name := range names {
			if what := difference(rows[""], rows[name]); what != "" {
				changed[name] = append(changed[name], r["repository"]+" ("+what+")")
			}
		}
		fmt.Fprintln(os.Stderr, r["repository"])
	}
	return e.printRent(lines, changed, update)
}

// printRent prints the table, and fails for a part without rent and without a reason.
func (e *evidence) printRent(lines map[string]int, changed map[string][]string, update bool) error {
	rent := &table{path: filepath.Join(e.root, "docs", "evidence", "rent.csv"), columns: []string{"part", "lines", "rows", "what changes without it"}}
	var idle []string
	for _, p := range parts {
		what := strings.Join(changed[p.name], ", ")
		if len(changed[p.name]) == 0 {
			what = p.kept
			if p.kept == "" {
				idle = append(idle, p.name)
			}
		}
		fmt.Printf("%-42s %5d lines %3d rows  %s\n", p.name, lines[p.name], len(changed[p.name]), what)
		rent.rows = append(rent.rows, map[string]string{"part": p.name, "lines": fmt.Sprint(lines[p.name]), "rows": fmt.Sprint(len(changed[p.name])), "what changes without it": what})
	}
	if update {
		if err := rent.write(); err != nil {
			return err
		}
	}
	if len(idle) > 0 {
		return fmt.Errorf("these parts change no row, and no reason says why they are kept: %s", strings.Join(idle, "; "))
	}
	return nil
}

// difference counts the lines of a row that another one lacks or has more.
func difference(with, without row) string {
	var what []string
	for _, d := range []struct {
		name string
		a, b []string
	}{
		{"calls", with.Calls, without.Calls}, {"findings", with.Findings, without.Findings}, {"verdicts", with.Verdicts, without.Verdicts},
		{"changed lines", strings.Split(with.Diff, "\n"), strings.Split(without.Diff, "\n")},
	} {
		if n := len(missing(d.a, d.b)) + len(missing(d.b, d.a)); n > 0 {
			what = append(what, fmt.Sprintf("%d %s", n, d.name))
		}
	}
	if without.Problem != with.Problem {
		what = append(what, without.Problem)
	}
	return strings.Join(what, ", ")
}

// missing returns the lines of a that b does not have.
func missing(a, b []string) []string {
	has := map[string]bool{}
	for _, line := range b {
		has[line] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool { return has[line] })
}

// overlay writes the sources with switches in front of the parts' functions, and returns the file
// for the go command.
func (e *evidence) overlay() (string, error) {
	dir := filepath.Join(e.home, "bin", "overlay")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	texts := map[string]string{
		filepath.Join(e.root, "internal", "adoption", "off", "off.go"): "// Package off says which part is off.\npackage off\n\n// Part is its name.\nvar Part string\n",
		filepath.Join(e.root, "test", "corpora", "switch.go"):          "package main\n\nimport \"" + offPath + "\"\n\nfunc switchOff(part string) { off.Part = part }\n",
	}
	var problems []error
	for _, p := range parts {
		for _, f := range p.functions {
			path := filepath.Join(e.root, "internal", "adoption", filepath.FromSlash(f.file))
			if _, read := texts[path]; !read {
				text, err := os.ReadFile(path)
				if err != nil {
					return "", err
				}
				name, body, _ := strings.Cut(string(text), "\npackage ")
				first, rest, _ := strings.Cut(body, "\n")
				texts[path] = name + "\npackage " + first + "; import \"" + offPath + "\"\n" + rest
				if strings.HasPrefix(string(text), "package ") {
					first, rest, _ := strings.Cut(string(text), "\n")
					texts[path] = first + "; import \"" + offPath + "\"\n" + rest
				}
			}
			text, err := switched(texts[path], p.name, f)
			problems = append(problems, err)
			texts[path] = text
		}
	}
	if err := errors.Join(problems...); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for path, text := range texts {
		replace[path] = filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(replace[path], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o600)
}

// switched returns a source in which a function begins with a switch.
func switched(text, name string, f function) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, f.file, text, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && declared(fn) == f.name {
			at := fset.Position(fn.Body.Lbrace).Offset + 1
			return fmt.Sprintf("%s if off.Part == %q { %s }; %s", text[:at], name, f.body, text[at:]), nil
		}
	}
	return text, fmt.Errorf("%s has no function %s, which the part %q names", f.file, f.name, name)
}

// declared returns the name of a function, with that of its receiver's type.
func declared(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	t := fn.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name + "." + fn.Name.Name
	}
	return fn.Name.Name
}
