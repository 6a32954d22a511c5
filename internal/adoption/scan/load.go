package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
)

// Options select what Read reads.
type Options struct {
	// Dir is the working directory. Empty: the process's own.
	Dir string
	// Patterns name packages as for the go command. Empty: ./... .
	Patterns []string
	// Tags are build tags. GOOS is the operating system to read for. Empty: the environment's.
	Tags []string
	GOOS string
	// Tests: Read reads _test.go files too.
	Tests bool
}

// Program holds packages that were read.
type Program struct {
	Fset *token.FileSet
	// Packages match the patterns. They are sorted by import path.
	Packages []*Package
	// Open: unread packages may import these packages, and store values in fields of their structs.
	Open bool
	// Formats reports whether a function of an unread package passes a format on to a recorder. It
	// may be nil.
	Formats func(*types.Func) (FormatFunction, bool)
	// Typed are the generated functions of unread packages.
	Typed []TypedFunction
	// Recorders are the recorders' methods of unread packages.
	Recorders []RecorderMethod
	// Dependencies import a recorder. They were read as source, because they may contain wrappers
	// and constructors.
	Dependencies []*Package
	// Problems lists code that does not compile and packages that were not found, sorted.
	Problems []Problem
	// Skipped lists the folders of modules below the patterns that were not read.
	Skipped []string
	// Unselected names files of the packages that were not read, because another build selects
	// them.
	Unselected []Cause

	// sources read dependencies on demand, one for each run of the go command.
	sources []*sourceReader
}

// Package is a package with its syntax and types.
type Package struct {
	// Path is the import path. An external test package has its own path.
	Path   string
	Name   string
	Syntax []*ast.File
	Types  *types.Package
	Info   *types.Info
	// Module is the path of the package's module. It is empty outside of modules.
	Module string
	// Dependency: the package matches no pattern.
	Dependency bool
	// Main: the package is a command.
	Main bool
	// Imports holds metadata of the imported packages, by path, with their own imports (see
	// go/packages).
	Imports map[string]*packages.Package
}

// Problem is an error of a package, as the go command or the type checker reports it.
type Problem struct {
	Package string
	// Pos is file:line:col, or empty.
	Pos string
	Msg string
}

// String returns the problem on one line.
func (p Problem) String() string {
	if p.Pos == "" || p.Pos == "-" {
		return fmt.Sprintf("%s: %s", p.Package, p.Msg)
	}
	return fmt.Sprintf("%s: %s", p.Pos, p.Msg)
}

// Position returns Pos, and whether it names a line.
func (p Problem) Position() (at token.Position, ok bool) {
	parts := strings.Split(p.Pos, ":")
	if len(parts) < 3 {
		return at, false
	}
	n := len(parts)
	at.Filename = strings.Join(parts[:n-2], ":")
	var wrong error
	at.Line, wrong = strconv.Atoi(parts[n-2])
	at.Column, _ = strconv.Atoi(parts[n-1])
	return at, wrong == nil
}

// In returns the problem on one line. The path of a file below dir is relative to dir.
func (p Problem) In(dir string) string {
	return strings.ReplaceAll(p.String(), dir+string(filepath.Separator), "")
}

// Program returns the input of a scan: the packages that were read, and the dependencies that
// record. Without tests, it leaves out the _test.go files. It fails if there is no package.
func (l *Loaded) Program(ctx context.Context, tests bool) (*Program, error) {
	p := &Program{Fset: l.Fset, Skipped: l.Skipped}
	for _, g := range l.Groups {
		roots := g.Roots
		if !tests {
			roots = withoutTests(roots)
		}
		p.add(ctx, roots)
	}
	p.Unselected = l.unselected(p, tests)
	if len(p.Packages) == 0 {
		for _, g := range l.Groups { // go/packages keeps some errors of the go command to itself
			if _, err := gocommand.Output(ctx, g.Dir, nil, append([]string{"list", "-e", "-compiled", "--"}, g.Patterns...)...); err != nil {
				return nil, err
			}
		}
		return nil, errors.New(p.noPackages())
	}
	p.sort()
	return p, nil
}

func (p *Program) noPackages() string {
	if len(p.Problems) > 0 {
		return p.Problems[0].String()
	}
	return "no Go packages found; name packages as for go build, such as ./... for all"
}

// add adds the packages that one run of the go command has found.
func (p *Program) add(ctx context.Context, loaded []*packages.Package) {
	for _, l := range widest(loaded) {
		p.problems(l)
		if l.Types == nil || len(l.Syntax) == 0 {
			continue
		}
		p.Packages = append(p.Packages, packageOf(l))
	}
	progress.From(ctx).Step("reading the dependencies that record")
	reader := newSourceReader(p.Fset, loaded)
	p.sources = append(p.sources, reader)
	p.Dependencies = append(p.Dependencies, reader.recording(ctx)...)
}

func packageOf(l *packages.Package) *Package {
	pkg := &Package{
		Path: RealPath(l.PkgPath), Name: l.Name, Syntax: l.Syntax, Types: l.Types, Info: l.TypesInfo,
		Main: l.Name == "main", Imports: l.Imports,
	}
	if l.Module != nil {
		pkg.Module = l.Module.Path
	}
	return pkg
}

func (p *Program) problems(l *packages.Package) {
	for _, e := range l.Errors {
		p.Problems = append(p.Problems, Problem{Package: l.PkgPath, Pos: e.Pos, Msg: firstLine(withCause(l, e.Msg))})
	}
}

// unresolved is the type checker's error about an import that the go command did not find. It has
// no cause.
var unresolved = regexp.MustCompile(`^(could not import (\S+)) \(invalid package name: ""\)$`)

// withCause returns the message of an error in a package. For an import that the go command did not
// find, it adds the go command's cause.
func withCause(l *packages.Package, message string) string {
	if m := unresolved.FindStringSubmatch(message); m != nil && l.Imports[m[2]] != nil {
		for _, e := range l.Imports[m[2]].Errors {
			return m[1] + ": " + strings.Join(strings.Fields(e.Msg), " ")
		}
	}
	return message
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// widest keeps the variant of each package with the most files: with Tests, go/packages loads a
// package with and without its _test.go files. It drops the commands that run tests. The order is
// not defined.
func widest(loaded []*packages.Package) []*packages.Package {
	best := map[string]*packages.Package{}
	for _, l := range loaded {
		b := best[l.PkgPath]
		if !strings.HasSuffix(l.ID, ".test") && (b == nil || len(l.CompiledGoFiles) > len(b.CompiledGoFiles)) {
			best[l.PkgPath] = l
		}
	}
	return slices.Collect(maps.Values(best))
}

func (p *Program) sort() {
	byPath := func(a, b *Package) int { return cmp.Compare(a.Path, b.Path) }
	slices.SortStableFunc(p.Packages, byPath)
	slices.SortStableFunc(p.Dependencies, byPath)
	p.Packages = slices.CompactFunc(p.Packages, func(a, b *Package) bool { return a.Path == b.Path && sameFiles(p.Fset, a, b) })
	p.Dependencies = slices.CompactFunc(p.Dependencies, func(a, b *Package) bool { return a.Path == b.Path })
	slices.SortFunc(p.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Msg, b.Msg))
	})
	p.Problems = slices.Compact(p.Problems)
	p.Dependencies = slices.DeleteFunc(p.Dependencies, func(d *Package) bool {
		_, asked := slices.BinarySearchFunc(p.Packages, d, byPath)
		return asked
	})
}

func sameFiles(fset *token.FileSet, a, b *Package) bool {
	return fset.Position(a.Syntax[0].Pos()).Filename == fset.Position(b.Syntax[0].Pos()).Filename
}

// All returns the packages and the dependencies.
func (p *Program) All() []*Package { return slices.Concat(p.Packages, p.Dependencies) }

// Relative returns a position whose path is relative to dir, if the file lies below dir.
func Relative(at token.Position, dir string) token.Position {
	if rel, err := filepath.Rel(dir, at.Filename); err == nil && filepath.IsLocal(rel) {
		at.Filename = filepath.ToSlash(rel)
	}
	return at
}
