package migrate

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Edit replaces a piece of a file. If nothing is replaced, Text is inserted.
type Edit struct {
	From, To int
	Text     string
}

// Rewrite makes edits, which must not overlap, adds the imports of the new text (import paths and the names that they go by), and drops
// those that only the old text used. A text that was formatted stays formatted. All other lines stay.
func Rewrite(old []byte, edits []Edit, imports map[string]string) ([]byte, error) {
	list := make([]edit, len(edits))
	for i, e := range edits {
		list[i] = edit{e.From, e.To, e.Text}
	}
	text, err := tidyImports(old, apply(old, list), imports)
	if err != nil {
		return nil, err
	}
	return inStyle(old, text)
}

// Changed are the files as they would be, with the generated ones of a check, by absolute path.
func (p *Plan) Changed(c Check) map[string][]byte { return p.overlay(c) }

// Load type-checks the packages and their tests as they would be, once for each set of build tags. The packages have syntax and types,
// also those with errors.
func (p *Plan) Load(ctx context.Context, c Check) ([][]*packages.Package, error) {
	overlay := p.overlay(c)
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

// Replace gives files a new text. Text is what the plan's change has made of the file so far, or what is on disk.
func (p *Plan) Replace(path string, text []byte) error {
	f, err := p.file(path)
	if err != nil {
		return err
	}
	f.New = text
	slices.SortFunc(p.Files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return nil
}

// InDir reports whether a file is one of the module's own.
func (p *Plan) InDir(path string) bool { return p.opts.inDir(path) }

// OnDisk is the position on disk that a position in a changed file stems from, as far as that can be told from its text.
func (p *Plan) OnDisk(at token.Position) token.Position {
	for _, f := range p.Files {
		if f.Path == at.Filename {
			at.Line = oldLine(f, at.Line)
		}
	}
	return at
}

// OnDiskText is OnDisk for a position that is a text, file:line:col, of the plan as it is now.
func (p *Plan) OnDiskText(pos string) string {
	file, rest, _ := strings.Cut(pos, ":")
	line, column, _ := strings.Cut(rest, ":")
	n, err := strconv.Atoi(line)
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
