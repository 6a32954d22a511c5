package emit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/model"
)

// target is a Go file to be made of a model.
type target struct {
	name    string // of the Go package
	path    string // its import path; empty where it is not known
	doc     []string
	imports []model.Import
	p       *model.Package
}

// file is a section of a Go file in the making.
type file struct {
	*jen.File
	p *model.Package
}

// section writes some declarations of a file.
type section func(*file)

// piece is a section that is done: gofmt's form of its declarations, and the lines of the imports that they need.
type piece struct {
	imports []string
	body    []byte
	err     error
}

// assemble makes the sections of a file, which takes most of a run, on all processors, and joins them.
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

// makePiece makes a section. A panic is an error, which in a goroutine nobody above could turn into one.
func makePiece(t target, s section) (out piece) {
	defer func() {
		if r := recover(); r != nil {
			out.err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	f := newFile(t)
	s(f)
	var raw bytes.Buffer
	if out.err = f.Render(&raw); out.err != nil {
		return out
	}
	source := bytes.TrimPrefix(raw.Bytes(), []byte("package "+t.name+"\n\n"))
	out.imports, source = cutImports(source)
	out.body, out.err = gofmt(source)
	return out
}

func newFile(t target) *file {
	// Of its own path, which may not be known, jennifer qualifies no name.
	f := &file{File: jen.NewFilePathName(cmp.Or(t.path, "."), t.name), p: t.p}
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

// cutImports takes the imports off unformatted declarations, where jennifer writes one, or a block of them.
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

// packageClause makes a file of declarations, as the formatter treats the first comment of mere declarations otherwise.
const packageClause = "package piece\n\n"

func gofmt(declarations []byte) ([]byte, error) {
	source := append([]byte(packageClause), declarations...)
	formatted, err := format.Source(source)
	if err != nil {
		return nil, rejected(source, err)
	}
	return bytes.TrimSpace(formatted[len(packageClause)-1:]), nil
}

// rejected is an error of the formatter with the line that it is about.
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

// head is the package clause and the imports: the standard library's, then, behind a blank line, the others.
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

// importPath is the path, with its quotes, of a line of an import block.
func importPath(line string) string { return line[strings.Index(line, `"`):] }

func isStandard(line string) bool {
	first, _, _ := strings.Cut(importPath(line), "/")
	return !strings.Contains(first, ".")
}
