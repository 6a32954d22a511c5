package migrate

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/token"
	"os"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// Edit replaces a piece of a file. If nothing is replaced, Text is inserted.
type Edit struct {
	From, To int
	Text     string
}

// change holds the edits of one site.
type change struct {
	site  *Decision
	edits []Edit
	// replaced are the nodes that go away. kept are the expressions that the new text copies.
	replaced []ast.Node
	kept     []ast.Expr
	// after are the changes that this change depends on.
	after []*change
}

// source is a file that is being edited.
type source struct {
	path string
	old  []byte
	file *ast.File // as the current scan has read it
	pkg  *scan.Package
	// owner is the scan that makes the changes. Scans that read the file with other build tags must
	// agree.
	owner, reader *scan.Result
	changes       []*change
	removed       []Edit // definitions of variables that nothing uses any more
	names         *Names
	// fresh are the variables that were declared, by the block that they stand in.
	fresh []freshName
}

// editor makes the new text of files.
type editor struct {
	result  *scan.Result
	sources map[string]*source
}

func newEditor() *editor {
	return &editor{sources: map[string]*source{}}
}

// source returns the file of a site, as it is on disk.
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
	src := &source{path: path, old: old, file: s.File, pkg: s.Package, owner: e.result, reader: e.result}
	src.names = NewNames(s.File, s.Package.Types, s.Package.Info)
	e.sources[path] = src
	return src, nil
}

// offset returns the offset of a position in its file, whatever line directives say.
func (e *editor) offset(p token.Pos) int {
	return e.result.Program.Fset.PositionFor(p, false).Offset
}

// text returns a node's old text.
func (e *editor) text(src *source, n ast.Node) string {
	return string(src.old[e.offset(n.Pos()):e.offset(n.End())])
}

// rewrite edits the text of a site. It returns why it can't, or nothing.
func (e *editor) rewrite(s *Decision) string {
	if s.Scope == scan.ThroughWrapper {
		return e.rewriteBy(s, (*writer).derived)
	}
	return e.rewriteBy(s, (*writer).direct)
}

// rewriteBy is rewrite by a method of a writer.
func (e *editor) rewriteBy(s *Decision, write func(*writer) string) string {
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
	if why := write(w); why != "" {
		return why
	}
	same := src.overlapping(w.change)
	switch {
	case src.owner != e.result && (same == nil || !slices.Equal(same.edits, w.change.edits)):
		return "it is another call with other build tags"
	case src.owner != e.result:
		return ""
	case same != nil:
		return "it stands inside of another call"
	}
	src.changes = append(src.changes, w.change)
	return ""
}

// overlapping returns a change that touches the same text.
func (src *source) overlapping(c *change) *change {
	for _, o := range src.changes {
		for _, a := range o.edits {
			for _, b := range c.edits {
				if a.From < b.To && b.From < a.To || a == b && a.From == a.To {
					return o
				}
			}
		}
	}
	return nil
}

// drop removes the change of a site and leaves the site, together with the sites whose changes
// depend on it.
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

// files returns the files with their new text, sorted by path.
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

// result returns the new text of a file.
func (src *source) result() ([]byte, error) {
	var edits []Edit
	for _, c := range src.changes {
		edits = append(edits, c.edits...)
	}
	edits = append(edits, src.removed...)
	text, err := rewrite(src.old, edits, src.names.Added)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", src.path, err)
	}
	return plain.WithEndsOf(text, src.old), nil
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
func apply(old []byte, edits []Edit) []byte {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.From < at { // a definition that was removed twice, or text inside a removed one
			continue
		}
		out.Write(old[at:e.From])
		out.WriteString(e.Text)
		at = e.To
	}
	out.Write(old[at:])
	return out.Bytes()
}

// rewrite makes edits, which must not overlap. It adds the imports of the new text (import paths
// and their names), and drops imports that only the old text used, as goimports does. A formatted
// text stays formatted. All other lines stay.
func rewrite(old []byte, edits []Edit, imports map[string]string) ([]byte, error) {
	text, err := tidyImports(old, apply(old, edits), imports)
	if err != nil {
		return nil, err
	}
	return inStyle(old, text)
}
