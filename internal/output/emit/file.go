package emit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/format"
	"go/scanner"
	"reflect"
	"slices"
	"strings"

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

// file is a Go file under construction.
type file struct {
	*jen.File
	p *model.Package
}

// source returns the text of a file with the declarations that write adds.
func (t target) source(write func(*file)) ([]byte, error) {
	// Jennifer does not qualify names of the file's own path. If that is unknown, any path that no
	// type has will do.
	f := &file{File: jen.NewFilePathName(cmp.Or(t.path, "."), t.name), p: t.p}
	f.NoFormat = true
	for _, line := range t.doc {
		f.PackageComment(line)
	}
	for _, i := range t.imports {
		if i.Plain {
			f.ImportName(i.Path, i.Alias)
		} else {
			f.ImportAlias(i.Path, i.Alias)
		}
	}
	write(f)
	var raw bytes.Buffer
	if err := f.Render(&raw); err != nil {
		return nil, fmt.Errorf("package %s: %w", t.name, err)
	}
	return formatted(t.name, standardFirst(raw.Bytes()))
}

func formatted(name string, source []byte) ([]byte, error) {
	out, err := format.Source(source)
	if err == nil && bytes.Contains(out, []byte("]: ")) {
		// the first pass moves the definition of a link to the end, which can leave an empty item
		out, err = format.Source(out)
	}
	if err != nil {
		return nil, fmt.Errorf("package %s: the generated code is not valid Go: %w%s", name, err, rejectedLine(source, err))
	}
	return out, nil
}

// rejectedLine returns the line that the formatter rejects.
func rejectedLine(source []byte, err error) string {
	var list scanner.ErrorList
	if lines := strings.Split(string(source), "\n"); errors.As(err, &list) && len(list) > 0 && list[0].Pos.Line <= len(lines) {
		return "\n\t" + lines[list[0].Pos.Line-1]
	}
	return ""
}

// standardFirst puts the imports of the standard library first, with a blank line after them.
// Jennifer sorts all imports by path.
func standardFirst(source []byte) []byte {
	const open, end = "\nimport (\n", ")\n\n"
	before, rest, found := strings.Cut(string(source), open)
	block, after, _ := strings.Cut(rest, end)
	if !found {
		return source
	}
	standard := func(line string) bool {
		first, _, _ := strings.Cut(line[strings.Index(line, `"`):], "/")
		return !strings.Contains(first, ".")
	}
	lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
	others := slices.DeleteFunc(slices.Clone(lines), standard)
	lines = slices.DeleteFunc(lines, func(line string) bool { return !standard(line) })
	return []byte(before + open + strings.Join(lines, "\n") + "\n\n" + strings.Join(others, "\n") + "\n" + end + after)
}

// declare adds a declaration below its comment.
func (f *file) declare(doc []string, declaration ...jen.Code) {
	f.Line()
	for _, line := range doc {
		f.Comment(line)
	}
	f.Add(declaration...)
}

// variable adds a variable.
func (f *file) variable(doc []string, name string, value expr) {
	f.declare(doc, jen.Var().Id(name).Op("="), value.code)
}

// function is a function to add.
type function struct {
	doc            []string
	receiver, name string
	params         []parameter
	result         expr
	body           []jen.Code
	short          bool // on one line, if it has the room
}

// function adds a function.
func (f *file) function(fn function) {
	s, head := jen.Func(), len("func ")+len(fn.name)+len("() {")
	if fn.receiver != "" {
		s.Params(jen.Id(fn.receiver))
		head += len("() ") + len(fn.receiver)
	}
	if fn.result.code != nil {
		head += len(" ") + fn.result.width
	}
	s.Id(fn.name).Params(wrapped(declared(fn.params), head, 1)).Add(fn.result.code)
	if fn.short {
		f.declare(fn.doc, s.Op("{").Add(fn.body...).Op("}"))
		return
	}
	f.declare(fn.doc, s.Block(fn.body...))
}

// calling returns a call, the only statement of a function. Arguments that do not fit continue on
// the lines below. The arguments in before come first, on lines of their own.
func calling(function expr, args []expr, before ...expr) jen.Code {
	columns := tabColumns + function.width + len("()")
	s := jen.Add(function.code).Op("(")
	for _, arg := range before {
		s.Add(arg.code).Op(",")
		columns = tabColumns + len("\t}, )")
	}
	return s.Add(wrapped(args, columns, 2)).Op(")")
}

// parameter is a parameter of a function.
type parameter struct {
	name   string
	goType expr
}

// declared returns parameters as a function declares them. Of neighbours with the same type, only
// the last one names it.
func declared(parameters []parameter) []expr {
	out := make([]expr, len(parameters))
	for i, p := range parameters {
		out[i] = id(p.name)
		if i+1 == len(parameters) || !reflect.DeepEqual(parameters[i+1].goType, p.goType) {
			out[i] = join(id(p.name+" "), p.goType)
		}
	}
	return out
}
