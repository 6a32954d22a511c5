package migrate

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Rewrite makes edits, which must not overlap. It adds the imports of the new text (import paths
// and their names), and drops imports that only the old text used, as goimports does. A formatted
// text stays formatted. All other lines stay.
func Rewrite(old []byte, edits []Edit, imports map[string]string) ([]byte, error) {
	text, err := tidyImports(old, apply(old, edits), imports)
	if err != nil {
		return nil, err
	}
	return inStyle(old, text)
}

// Load type-checks the packages and their tests as they would be after the change, once for each
// set of build tags. All packages have syntax and types, even packages with errors.
func (p *Plan) Load(ctx context.Context, c Check) ([][]*packages.Package, error) {
	overlay := p.Changed(c)
	var all [][]*packages.Package
	for _, l := range c.Loads {
		changed, err := l.With(ctx, overlay)
		if err != nil {
			return nil, err
		}
		all = append(all, changed)
	}
	return all, nil
}

// Replace gives a file a new text. The old text is the plan's text of the file so far, or the text
// on disk.
func (p *Plan) Replace(path string, text []byte) error {
	f, err := p.file(path)
	if err == nil {
		f.New = text
	}
	return err
}

// file returns a file of the plan. A file without changes so far joins the plan.
func (p *Plan) file(path string) (*File, error) {
	i, found := slices.BinarySearchFunc(p.Files, path, func(f File, path string) int { return cmp.Compare(f.Path, path) })
	if !found {
		text, err := os.ReadFile(filepath.Clean(path))
		if err != nil {
			return nil, err
		}
		p.Files = slices.Insert(p.Files, i, File{Path: path, Old: text, New: text})
	}
	return &p.Files[i], nil
}

// InDir reports whether a file is one of the module's own.
func (p *Plan) InDir(path string) bool { return p.opts.inDir(path) }

// parsePosition splits file:line:col; the column may be missing.
func parsePosition(pos string) (file string, line int, column string, err error) {
	file, rest, _ := strings.Cut(pos, ":")
	text, column, _ := strings.Cut(rest, ":")
	line, err = strconv.Atoi(text)
	return file, line, column, err
}

// OnDisk returns the position on disk for a position in a changed file, as far as the texts show
// it.
func (p *Plan) OnDisk(at token.Position) token.Position {
	for _, f := range p.Files {
		if f.Path == at.Filename {
			at.Line = oldLine(f, at.Line)
		}
	}
	return at
}

// OnDiskText is OnDisk for a position in the form file:line:col, in the plan's current text.
func (p *Plan) OnDiskText(pos string) string {
	file, n, column, err := parsePosition(pos)
	if err != nil {
		return pos
	}
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(p.opts.Dir, file)
	}
	at := p.OnDisk(token.Position{Filename: path, Line: n})
	return fmt.Sprintf("%s:%d:%s", file, at.Line, column)
}
