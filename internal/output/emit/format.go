package emit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// target is a Go file to generate.
type target struct {
	name    string // of the Go package
	path    string // its import path; empty if it is unknown
	doc     []string
	imports []model.Import
	p       *model.Package
}

// file collects one section of a Go file: as jennifer's tree, or, if the section is large and simple, as text in gofmt's form with the
// packages that the text names.
type file struct {
	*jen.File
	p     *model.Package
	text  bytes.Buffer
	names map[string]bool
}

// write adds text.
func (f *file) write(format string, args ...any) { fmt.Fprintf(&f.text, format, args...) }

// name refers to a name of another package, and notes the import.
func (f *file) name(path, name string) string {
	i := slices.IndexFunc(f.p.Imports, func(i model.Import) bool { return i.Path == path })
	f.names[importLine(f.p.Imports[i])] = true
	return f.p.Imports[i].Alias + "." + name
}

// rt refers to a name of the run time.
func (f *file) rt(name string) string { return f.name(model.RuntimePath, name) }

// importLine returns an import as jennifer writes it.
func importLine(i model.Import) string {
	if i.Plain {
		return strconv.Quote(i.Path)
	}
	return i.Alias + " " + strconv.Quote(i.Path)
}

// section writes some declarations of a file.
type section func(*file)

// piece is a finished section: its declarations in gofmt's form, and the lines of their imports.
type piece struct {
	imports []string
	body    []byte
	err     error
}

// assemble makes the sections of a file and joins them. Making them takes most of a run, so it uses all processors.
func assemble(t target, sections []section) ([]byte, error) {
	pieces := make([]piece, len(sections))
	var wg sync.WaitGroup
	for i, s := range sections {
		wg.Go(func() { pieces[i] = makePiece(t, s) })
	}
	wg.Wait()
	bodies := [][]byte{nil}
	imports := map[string]bool{}
	for _, piece := range pieces {
		if piece.err != nil {
			return nil, piece.err
		}
		if len(piece.body) > 0 {
			bodies = append(bodies, piece.body)
		}
		for _, line := range piece.imports {
			imports[line] = true
		}
	}
	bodies[0] = head(t, slices.SortedFunc(maps.Keys(imports), byPath))
	return append(bytes.Join(bodies, []byte("\n\n")), '\n'), nil
}

// makePiece makes a section. It turns a panic into an error, because no caller can recover one of another goroutine.
func makePiece(t target, s section) (out piece) {
	defer func() {
		if r := recover(); r != nil {
			out.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	f := newFile(t)
	s(f)
	if f.text.Len() > 0 {
		out.imports = slices.Collect(maps.Keys(f.names))
		out.body, out.err = parsed(f.text.Bytes())
		return out
	}
	imports, source, err := rendered(f, t)
	if err != nil {
		out.err = err
		return out
	}
	out.imports = imports
	out.body, out.err = gofmt(source)
	return out
}

// rendered returns jennifer's unformatted text of a section, and its imports.
func rendered(f *file, t target) (imports []string, source []byte, err error) {
	var raw bytes.Buffer
	if err := f.Render(&raw); err != nil {
		return nil, nil, err
	}
	imports, source = cutImports(bytes.TrimPrefix(raw.Bytes(), []byte("package "+t.name+"\n\n")))
	return imports, source, nil
}

func newFile(t target) *file {
	// Jennifer does not qualify names of the file's own path. If that is unknown, a path that no type has will do.
	f := &file{File: jen.NewFilePathName(cmp.Or(t.path, "."), t.name), p: t.p, names: map[string]bool{}}
	f.NoFormat = true
	for _, i := range t.imports {
		if i.Plain {
			f.ImportName(i.Path, i.Alias)
		} else {
			f.ImportAlias(i.Path, i.Alias)
		}
	}
	return f
}

// cutImports splits jennifer's unformatted text into its imports, one or a block, and the declarations.
func cutImports(source []byte) (lines []string, rest []byte) {
	if block, ok := bytes.CutPrefix(source, []byte("import (\n")); ok {
		imports, rest, _ := bytes.Cut(block, []byte(")\n\n"))
		return strings.Split(strings.TrimSpace(string(imports)), "\n"), rest
	}
	if one, ok := bytes.CutPrefix(source, []byte("import ")); ok {
		line, rest, _ := bytes.Cut(one, []byte("\n\n"))
		return []string{string(line)}, rest
	}
	return nil, source
}

// packageClause turns declarations into a file. The formatter would treat the first comment of bare declarations differently.
const packageClause = "package piece\n\n"

func gofmt(declarations []byte) ([]byte, error) {
	source := append([]byte(packageClause), declarations...)
	formatted, err := format.Source(source)
	if err != nil {
		return nil, rejected(source, err)
	}
	return bytes.TrimSpace(formatted[len(packageClause)-1:]), nil
}

// parsed checks declarations that are in gofmt's form already: they must be valid Go.
func parsed(declarations []byte) ([]byte, error) {
	source := append([]byte(packageClause), declarations...)
	if _, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution); err != nil {
		return nil, rejected(source, err)
	}
	return bytes.TrimSpace(declarations), nil
}

// rejected adds the rejected line to an error of the formatter.
func rejected(source []byte, err error) error {
	line := ""
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		lines := strings.Split(string(source), "\n")
		if n := list[0].Pos.Line; n >= 1 && n <= len(lines) {
			line = "\n\t" + lines[n-1]
		}
	}
	return fmt.Errorf("%w%s", err, line)
}

// head returns the package clause and the imports: the standard library's, a blank line, then the others.
func head(t target, imports []string) []byte {
	var b bytes.Buffer
	for _, line := range t.doc {
		b.WriteString(line + "\n")
	}
	fmt.Fprintf(&b, "package %s\n\nimport (\n", t.name)
	for i, line := range imports {
		if i > 0 && isStandard(imports[i-1]) && !isStandard(line) {
			b.WriteByte('\n')
		}
		b.WriteString("\t" + line + "\n")
	}
	b.WriteString(")")
	return b.Bytes()
}

func byPath(a, b string) int {
	switch aStandard := isStandard(a); {
	case aStandard == isStandard(b):
		return strings.Compare(importPath(a), importPath(b))
	case aStandard:
		return -1
	}
	return 1
}

// importPath returns the quoted path in a line of an import block.
func importPath(line string) string { return line[strings.Index(line, `"`):] }

func isStandard(line string) bool {
	first, _, _ := strings.Cut(importPath(line), "/")
	return !strings.Contains(first, ".")
}
