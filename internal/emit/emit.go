// Package emit writes what is generated from a model. It knows neither YAML nor rules: whatever the model holds is
// written, and hostile text in it is harmless.
package emit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/header"
	"github.com/event-gen/event-gen/internal/model"
)

// HashPrefix starts the second line of a Go file; the hash, in hexadecimal digits, follows. It is of the catalog's
// document and of all that stands below the header, so that it changes with either.
const HashPrefix = "// event-gen: v1 sha256:"

// Go writes the Go file of a package. Its bytes depend on the model only, not on machine, folder or date. An error
// without a cause in w shows the line of the file that Go's formatter rejects.
func Go(w io.Writer, p *model.Package) error {
	body, err := goBody(p)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n%s%s\n\n%s", header.Go(oneLine(p.Source)), HashPrefix, hash(p, body), body)
	return err
}

func hash(p *model.Package, body []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n", p.Catalog.Hash)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

func goBody(p *model.Package) ([]byte, error) {
	f := newFile(p)
	f.NoFormat = true
	var raw bytes.Buffer
	if err := f.Render(&raw); err != nil {
		return nil, fmt.Errorf("package %s: writing Go: %w", p.Name, err)
	}
	formatted, err := formatPieces(groupImports(raw.Bytes()), pieceBytes)
	if err != nil {
		return nil, fmt.Errorf("package %s: the generated Go is not valid, which is a mistake of event-gen: %w", p.Name, err)
	}
	return formatted, nil
}

// groupImports puts the standard library's imports before the others, with a blank line between; jennifer writes one
// sorted block.
func groupImports(source []byte) []byte {
	const open, end = "import (\n", ")\n"
	start := bytes.Index(source, []byte(open))
	if start < 0 {
		return source
	}
	start += len(open)
	length := bytes.Index(source[start:], []byte(end))
	var std, others []string
	for line := range strings.Lines(string(source[start : start+length])) {
		path := line[strings.Index(line, `"`)+1:]
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			std = append(std, line)
		}
	}
	if len(std) > 0 {
		std = append(std, "\n")
	}
	block := strings.Join(append(std, others...), "")
	return append(append(bytes.Clone(source[:start]), block...), source[start+length:]...)
}

// file is the Go file in the making.
type file struct {
	*jen.File
	p *model.Package
}

func newFile(p *model.Package) *file {
	f := &file{File: jen.NewFilePathName(pathOf(p), p.Name), p: p}
	for _, i := range p.Imports {
		if i.Plain {
			f.ImportName(i.Path, i.Alias)
		} else {
			f.ImportAlias(i.Path, i.Alias)
		}
	}
	if !p.Documented {
		f.packageDoc()
	}
	f.Comment("The run time of this version or a later one is needed.")
	f.Const().Id("_").Op("=").Add(rt("SupportsCodeV1"))
	f.reasons()
	f.enums()
	f.recorder()
	for _, e := range p.Events {
		f.event(e)
		f.endPiece()
	}
	f.kindFuncs()
	f.specs()
	f.assertions()
	return f
}

// pathOf is the import path of the package; jennifer qualifies no name of it.
func pathOf(p *model.Package) string {
	if p.Path == "" {
		return "."
	}
	return p.Path
}

// rt is a name of the run time.
func rt(name string) *jen.Statement { return jen.Qual(model.RuntimePath, name) }

func (f *file) packageDoc() {
	text := fmt.Sprintf("Package %s records the events of %s, as %s declares them.", f.p.Name, f.reporter(), oneLine(f.p.Source))
	for _, line := range commentLines(paragraph(text)) {
		f.PackageComment(line)
	}
}

func (f *file) reporter() string {
	if f.p.Controller == "" {
		return "a controller that its host names"
	}
	return oneLine(f.p.Controller)
}
