// Package judge reports mistakes in the calls and the rights of scanned programs.
package judge

import (
	"bytes"
	"cmp"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/adoption/rawcall"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/rights/program"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Options choose what to judge. The configuration can switch Strict on, too.
type Options struct {
	Strict bool
	// RBAC are manifests, as rights.Read takes them; Stdin is read for "-". Mains chooses main
	// packages by import path or folder; none: all.
	RBAC  []string
	Stdin io.Reader
	Mains []string
	// ServiceAccount is the account whose rights count; empty: all accounts.
	ServiceAccount string
}

// Judgement holds the findings, with their places. If there are problems, the findings are not
// complete.
type Judgement struct {
	Files              []string
	Settings           lint.Settings
	Findings, Problems diag.Findings
	// Notes tell which manifests were not read.
	Notes diag.Findings
}

// Judge finds mistakes in the calls of a result, and in the rights if there are manifests. It
// leaves out the findings that the configuration suppresses.
func Judge(r *scan.Result, dir string, o Options) (Judgement, error) {
	j := Calls(r, dir, o)
	var err error
	if len(o.RBAC) > 0 && len(j.Problems) == 0 {
		err = j.rights(r, dir, o)
	}
	j.Findings = j.Settings.Applied(j.Findings)
	return j, err
}

// Calls finds mistakes in the calls of a result.
func Calls(r *scan.Result, dir string, o Options) (j Judgement) {
	config, problems := discovery.Configuration(discovery.Disk{})
	settings, wrong := lint.NewSettings(config)
	j.Settings, j.Problems = settings, append(problems, wrong...)
	at := newPlaces(r.Program.Fset, dir, nil)
	if len(j.Problems) > 0 {
		return j
	}
	strict := o.Strict
	if config != nil {
		strict = strict || config.Calls.Strict.Value == "true"
	}
	for _, p := range r.Program.Packages {
		for _, f := range p.Syntax {
			j.Files = append(j.Files, at.of(f.Package).File)
		}
	}
	slices.Sort(j.Files)
	for _, f := range rawcall.Check(rawcall.Input{
		Fset: r.Program.Fset, Sites: r.Sites, Typed: r.Typed, Formats: r.Formats, Left: slices.Concat(broken(r), r.Program.Unselected, r.Left), Controllers: r.Controllers,
		Complete: complete(r), Packages: r.Program.All(), Whole: true, Strict: strict,
		Where: func(pos token.Pos) string { return at.of(pos).String() },
	}) {
		found := diag.Finding{Pos: at.of(f.Pos), Rule: f.Rule.ID, Severity: f.Severity, Message: f.Message}
		if len(f.Callers) > 0 {
			found.Callers = &diag.Positions{}
			for _, caller := range f.Callers {
				*found.Callers = append(*found.Callers, at.of(caller))
			}
		}
		j.Findings = append(j.Findings, found)
	}
	return j
}

// broken returns a cause for each package that was read but does not compile.
func broken(r *scan.Result) (causes []scan.Cause) {
	more := map[string]int{}
	for _, p := range r.Program.Problems {
		more[p.Package]++
	}
	for _, p := range r.Program.Problems {
		if at, ok := p.Position(); ok && more[p.Package] > 0 {
			causes = append(causes, scan.Cause{Pos: at, Text: fmt.Sprintf("%s does not compile, so calls in it may be missing here: %s", p.Package, p.Msg)})
			more[p.Package] = 0
		}
	}
	return causes
}

// complete reports whether all packages of the programs were read, without errors.
func complete(r *scan.Result) bool {
	return len(r.Program.Problems) == 0 && len(r.Program.Skipped) == 0 && len(r.Program.Unselected) == 0 && program.Unread(r.Program) == ""
}

// rights adds the mistakes in rights.
func (j *Judgement) rights(r *scan.Result, dir string, o Options) error {
	set, problems := rights.Read(o.RBAC, o.Stdin)
	j.Notes, j.Problems = set.Notes, append(j.Problems, problems...)
	if len(problems) > 0 {
		return nil
	}
	if known, names := set.Knows(o.ServiceAccount); !known {
		return fmt.Errorf("--service-account: no manifest names ServiceAccount %s; found: %s", o.ServiceAccount, cmp.Or(strings.Join(names, ", "), "none"))
	}
	if unread := program.Unread(r.Program); unread != "" {
		return fmt.Errorf("--rbac needs all of a program's packages: %s was not read; name ./... , and choose with --main", unread)
	}
	all := program.Of(r.Program, r, newPlaces(r.Program.Fset, dir, nil).of) // at least one
	chosen, err := choose(all, r, dir, o.Mains)
	if err != nil {
		return err
	}
	all[0].Unread = append(all[0].Unread, unreadPackages(r, dir)...) // where a recorder may be made
	j.Findings = append(j.Findings, rights.Judge(set, chosen, all, o.ServiceAccount)...)
	return nil
}

// unreadPackages tells which packages were not read, or not wholly.
func unreadPackages(r *scan.Result, dir string) (texts []string) {
	for _, problem := range r.Program.Problems {
		texts = append(texts, problem.In(dir))
	}
	for _, c := range r.Program.Unselected {
		texts = append(texts, fmt.Sprintf("%s: %s", scan.Relative(c.Pos, dir), c.Text))
	}
	for _, module := range r.Program.Skipped {
		texts = append(texts, module+" is a module of its own and was not read")
	}
	return texts
}

// choose gives the programs that --main names, or all.
func choose(all []rights.Program, r *scan.Result, dir string, names []string) ([]rights.Program, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []rights.Program
	for _, name := range names {
		i := slices.IndexFunc(all, func(p rights.Program) bool { return p.Name == name || folderOf(r, p.Name) == absolute(dir, name) })
		if i < 0 {
			return nil, fmt.Errorf("--main: no main package %s is among those that were read", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// folderOf is the folder of a package; empty if it was not read.
func folderOf(r *scan.Result, path string) string {
	for _, p := range r.Program.Packages {
		if p.Path == path && len(p.Syntax) > 0 {
			return filepath.Dir(r.Program.Fset.Position(p.Syntax[0].Package).Filename)
		}
	}
	return ""
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, filepath.FromSlash(path))
}

// places turns positions of Go into ours: files relative to a folder, columns in runes.
type places struct {
	fset  *token.FileSet
	dir   string
	texts map[string][]byte
}

// newPlaces returns the places of a file set. Texts replace the text of files on disk.
func newPlaces(fset *token.FileSet, dir string, texts map[string][]byte) *places {
	p := &places{fset: fset, dir: dir, texts: map[string][]byte{}}
	maps.Copy(p.texts, texts)
	return p
}

func (p *places) of(pos token.Pos) diag.Pos {
	at := p.fset.Position(pos)
	found := diag.Pos{File: at.Filename, Line: at.Line, Column: p.column(at)}
	if rel, err := filepath.Rel(p.dir, at.Filename); err == nil && filepath.IsLocal(rel) {
		found.File = rel
	}
	return found
}

// column counts runes where the go command counts bytes.
func (p *places) column(at token.Position) int {
	text, known := p.texts[at.Filename]
	if !known {
		text, _ = os.ReadFile(at.Filename)
		p.texts[at.Filename] = text
	}
	start := at.Offset - (at.Column - 1)
	if start < 0 || start > at.Offset || at.Offset > len(text) || bytes.IndexByte(text[start:at.Offset], '\n') >= 0 {
		return at.Column
	}
	return utf8.RuneCount(text[start:at.Offset]) + 1
}
