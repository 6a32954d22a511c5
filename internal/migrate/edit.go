package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"slices"

	"github.com/event-gen/event-gen/internal/scan"
)

// edit replaces a piece of a file. Where nothing is replaced, text is inserted.
type edit struct {
	from, to int
	text     string
}

// change is what becomes of one site.
type change struct {
	site  *Site
	edits []edit
	// replaced are the nodes that go away, kept the expressions of which the new text has copies.
	replaced []ast.Node
	kept     []ast.Expr
	// after are the changes that must be made, too, if this one is.
	after []*change
}

// source is a file that is being edited.
type source struct {
	path string
	old  []byte
	file *ast.File // as the scan that is at work has it
	pkg  *scan.Package
	// owner is the scan that makes the changes. Those that read the file with other build tags must agree.
	owner, reader *scan.Result
	changes       []*change
	removed       []edit // definitions of variables that nothing uses any more
	// imports are what the new text needs, with the names that it goes by there.
	imports map[string]string
	// names are all identifiers of the file.
	names map[string]bool
	// fresh are the variables that were declared, by the block that they stand in.
	fresh []freshName
}

// editor makes the new text of files.
type editor struct {
	opts    Options
	result  *scan.Result
	sources map[string]*source
	used    []usedObject
}

func newEditor(o Options) *editor {
	return &editor{opts: o, sources: map[string]*source{}}
}

// source is the file of a site, as it is on disk.
func (e *editor) source(s *scan.Site) (*source, error) {
	path := s.Pos.Filename
	if known := e.sources[path]; known != nil {
		known.file, known.pkg = s.File, s.Package
		if known.reader != e.result {
			known.reader, known.fresh = e.result, nil
		}
		return known, nil
	}
	old, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	src := &source{path: path, old: old, file: s.File, pkg: s.Package, owner: e.result, reader: e.result, imports: map[string]string{}, names: map[string]bool{}}
	ast.Inspect(s.File, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			src.names[id.Name] = true
		}
		return true
	})
	e.sources[path] = src
	return src, nil
}

// offset is where a position lies in its file, whatever line directives say.
func (e *editor) offset(p token.Pos) int {
	return e.result.Program.Fset.PositionFor(p, false).Offset
}

// text is a piece of the old text.
func (e *editor) text(src *source, n ast.Node) string {
	return string(src.old[e.offset(n.Pos()):e.offset(n.End())])
}

// rewrite edits the text of a site; it says why it can't, or nothing.
func (e *editor) rewrite(s *Site) string {
	src, err := e.source(s.scan)
	if err != nil {
		return err.Error()
	}
	if len(src.old) != e.result.Program.Fset.File(src.file.FileStart).Size() {
		return "the file has changed meanwhile"
	}
	w := &writer{editor: e, src: src, site: s, change: &change{site: s}}
	if why := w.reachable(); why != "" {
		return why
	}
	why := ""
	if s.Scope == scan.Derived {
		why = w.derived()
	} else {
		why = w.direct()
	}
	if why != "" {
		return why
	}
	same := src.overlapping(w.change)
	switch {
	case src.owner != e.result && (same == nil || !slices.Equal(same.edits, w.change.edits)):
		return "it is another call with other build tags"
	case src.owner != e.result:
		return ""
	case same != nil:
		return "it stands inside of another site"
	}
	src.changes = append(src.changes, w.change)
	return ""
}

// overlapping is a change that touches the same text.
func (src *source) overlapping(c *change) *change {
	for _, o := range src.changes {
		for _, a := range o.edits {
			for _, b := range c.edits {
				if a.from < b.to && b.from < a.to || a == b && a.from == a.to {
					return o
				}
			}
		}
	}
	return nil
}

// drop takes back what was done for a site, and leaves it, with the sites whose changes depend on it.
func (src *source) drop(c *change, why string) {
	if !slices.Contains(src.changes, c) {
		return
	}
	src.changes = slices.DeleteFunc(src.changes, func(o *change) bool { return o == c })
	c.site.leave(why)
	for _, o := range slices.Clone(src.changes) {
		if slices.Contains(o.after, c) {
			src.drop(o, "an event before it in the statement is left: "+why)
		}
	}
}

// files are the files with their new text, sorted by path.
func (e *editor) files() ([]File, error) {
	var out []File
	for _, src := range e.sources {
		if len(src.changes) == 0 {
			continue
		}
		text, err := src.result()
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(text, src.old) {
			out = append(out, File{Path: src.path, Old: src.old, New: text})
		}
	}
	slices.SortFunc(out, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return out, nil
}

// result is the new text of a file.
func (src *source) result() ([]byte, error) {
	var edits []edit
	for _, c := range src.changes {
		edits = append(edits, c.edits...)
	}
	edits = append(edits, src.removed...)
	text := apply(src.old, edits)
	text, err := tidyImports(src.old, text, src.imports)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.path, err)
	}
	return inStyle(src.old, text)
}

// inStyle formats a text if the old one was formatted.
func inStyle(old, text []byte) ([]byte, error) {
	was, err := format.Source(old)
	if err != nil || !bytes.Equal(was, old) {
		return text, nil
	}
	return format.Source(text)
}

// apply makes edits, which do not overlap.
func apply(old []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.from < at { // a definition that was removed twice, or text in what is removed
			continue
		}
		out.Write(old[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(old[at:])
	return out.Bytes()
}

// usedObject is a package-level constant, or a function, that a raw call named.
type usedObject struct{ pkg, name string }

// use notes what the replaced nodes of a change named.
func (e *editor) use(src *source, c *change) {
	for _, n := range c.replaced {
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			obj := src.pkg.Info.Uses[id]
			if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
				return true
			}
			switch obj.(type) {
			case *types.Const, *types.Func, *types.Var:
				if u := (usedObject{obj.Pkg().Path(), obj.Name()}); !slices.Contains(e.used, u) {
					e.used = append(e.used, u)
				}
			}
			return true
		})
	}
}
