package migrate

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/migrate/check"
)

// Check holds the packages to type-check, as the plan's scan read them, and the generated files to
// check them with.
type Check struct {
	// Loads are the packages and their tests, once for each set of build tags.
	Loads []*check.Packages
	// Generated are the generated files, by absolute path.
	Generated map[string][]byte
}

// Failure is an error that a change would cause in a package.
type Failure struct {
	// Site is the site whose change causes the error, as far as that is known; nil if there is
	// none.
	Site *Site
	// Pos is the position in the changed file.
	Pos, Msg string
	// Tags is the set of build tags with which the packages were read.
	Tags []string
}

// Error names the site, if there is one.
func (f *Failure) Error() string {
	at, msg := f.Pos, f.Msg
	if f.Site != nil {
		at = f.Site.Pos.String()
		if file := fileOf(f.Pos); file != "" && file != "-" && file != f.Site.Pos.Filename {
			msg = f.Pos + ": " + msg
		}
	}
	text := strings.TrimPrefix(fmt.Sprintf("%s: the changed package would not compile: %s", at, msg), ": ")
	if len(f.Tags) > 0 {
		text += " (tags " + strings.Join(f.Tags, ",") + ")"
	}
	return text
}

// Verify type-checks the packages and their tests as they would be after the changes, without
// writing anything. The error is a *Failure if the files on disk do not have the error. That
// includes an error of new generated files in a call that was typed before.
func (p *Plan) Verify(ctx context.Context, c Check) error {
	for _, l := range c.Loads {
		changed, err := l.With(ctx, p.Changed(c))
		if err != nil {
			return err
		}
		if f := p.failure(errorsOf(changed), errorsOf(l.OnDisk())); f != nil {
			f.Tags = l.Options.Tags
			return f
		}
	}
	return nil
}

// Changed returns the files after the change, with the generated files of a check, by absolute
// path.
func (p *Plan) Changed(c Check) map[string][]byte {
	out := map[string][]byte{}
	maps.Copy(out, c.Generated)
	for _, f := range p.Files {
		out[f.Path] = f.New
	}
	return out
}

// errorsOf returns the errors of packages, each once.
func errorsOf(loaded []*packages.Package) []packages.Error {
	var out []packages.Error
	for _, l := range loaded {
		for _, e := range l.Errors {
			if !slices.Contains(out, e) {
				out = append(out, e)
			}
		}
	}
	return out
}

// failure returns the first error that was not there before; nil if all were. Errors of the type
// checker have positions. Errors of the go command about a package that does not compile have none
// that can be used.
func (p *Plan) failure(now, before []packages.Error) *Failure {
	slices.SortStableFunc(now, func(a, b packages.Error) int { return cmp.Compare(unplaced(a), unplaced(b)) })
	for _, e := range now {
		known := slices.ContainsFunc(before, func(b packages.Error) bool {
			return unexplained(b.Msg) == unexplained(e.Msg) && fileOf(b.Pos) == fileOf(e.Pos)
		})
		if !known {
			f := &Failure{Pos: strings.TrimPrefix(e.Pos, p.opts.Dir+string(filepath.Separator)), Msg: e.Msg}
			f.Site = p.siteAt(e.Pos)
			return f
		}
	}
	return nil
}

// unexplained returns a message about an import without its reason, which the go command and
// package check word differently.
func unexplained(msg string) string {
	if text, _, found := strings.Cut(msg, " ("); found && strings.HasPrefix(msg, "could not import ") {
		return text
	}
	return msg
}

func unplaced(e packages.Error) int {
	if fileOf(e.Pos) == "" || e.Pos == "-" {
		return 1
	}
	return 0
}

func fileOf(pos string) string {
	file, _, _ := strings.Cut(pos, ":")
	return file
}

// siteAt returns the rewritten site for a position in a changed file: the last site before the
// position. For an unchanged file it returns the first site of the folder.
func (p *Plan) siteAt(pos string) *Site {
	file, n, _, err := parsePosition(pos)
	if err != nil {
		return nil
	}
	for _, f := range p.Files {
		if f.Path == file {
			n = oldLine(f, n)
		}
	}
	rel, err := filepath.Rel(p.opts.Dir, file)
	if err != nil {
		return nil
	}
	var best, neighbour *Site
	for _, s := range p.Sites {
		switch {
		case s.State != Rewritten:
		case s.Pos.Filename == filepath.ToSlash(rel):
			if best == nil || s.Pos.Line <= n {
				best = s
			}
		case neighbour == nil && path.Dir(s.Pos.Filename) == path.Dir(filepath.ToSlash(rel)):
			neighbour = s
		}
	}
	return cmp.Or(best, neighbour)
}

// oldLine returns the line of the old text for a line of the new text: counted from the end if the
// ends are alike, else the same number.
func oldLine(f File, line int) int {
	old, text := strings.Split(string(f.Old), "\n"), strings.Split(string(f.New), "\n")
	if line < 1 || line > len(text) {
		return line
	}
	want := text[line-1]
	for distance := 0; distance <= len(old); distance++ {
		for _, at := range []int{line - 1 - distance, line - 1 + distance} {
			if at >= 0 && at < len(old) && old[at] == want {
				return at + 1
			}
		}
	}
	return min(max(line-(len(text)-len(old)), 1), len(old))
}
