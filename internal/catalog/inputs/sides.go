package inputs

import (
	"context"
	"io/fs"
	"os"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/breaking"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/gitread"
)

// Sides holds the two sets of catalogs that breaking compares.
type Sides struct {
	Now      Inputs
	Old      breaking.Baseline
	Problems diag.Findings // the reasons why they can't be compared
	// AllNew is true if the older side has no catalog.
	AllNew bool
	Commit string // the commit of the older side with a description; empty for a file or folder
}

// LoadSides reads the catalogs and their older side. against names a file or folder, or a commit.
// For a commit, the older side is the merge base with HEAD or, if exactly is true, the commit
// itself.
func LoadSides(ctx context.Context, args []string, against string, exactly bool) Sides {
	s := Sides{Now: read(discovery.Disk{}, args)}
	open := gitread.Open
	if !exactly {
		open = gitread.OpenBase
		if _, err := os.Lstat(against); err == nil {
			s.fromDisk(ctx, against)
			return s
		}
	}
	tree, err := open(ctx, against)
	if err != nil {
		s.Now.resolve(ctx, model.Options{Resolve: model.ResolveAuto})
		s.Problems = joined(s.Now.obstacles(), catalog.Unreadable(against, err))
		return s
	}
	label := against
	if s.Commit = tree.Commit(); !exactly {
		s.Commit += ", the merge base of HEAD and " + against
	}
	if tree.Older {
		label = tree.Commit()
	}
	s.fromCommit(ctx, label, tree, args)
	return s
}

func (s *Sides) fromDisk(ctx context.Context, against string) {
	old := readWithout(discovery.Disk{}, []string{against})
	if len(old.Catalogs) == 0 && len(old.Findings) == 0 && len(old.Problems) == 0 && !isFolder(against) {
		old.nothingFound(against)
	}
	s.compare(ctx, &old, breaking.Baseline{Elsewhere: true})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fromCommit reads the catalogs of a commit, even if they had other paths in it.
func (s *Sides) fromCommit(ctx context.Context, against string, tree *gitread.Tree, args []string) {
	old := s.Now.before(tree, args)
	if len(s.Now.Problems) == 0 {
		s.Now.follow(tree, &old)
	}
	s.compare(ctx, &old, breaking.Baseline{Label: against})
	for i := range s.Problems {
		if slices.Contains(old.obstacles(), s.Problems[i]) && !slices.Contains(s.Now.obstacles(), s.Problems[i]) {
			s.Problems[i].Pos.File = against + ":" + s.Problems[i].Pos.File
		}
	}
}

func (s *Sides) compare(ctx context.Context, old *Inputs, baseline breaking.Baseline) {
	s.Now.resolve(ctx, model.Options{Resolve: model.ResolveAuto})
	old.resolve(ctx, model.Options{Resolve: model.ResolveAuto, Baseline: true})
	s.Problems = joined(s.Now.obstacles(), old.obstacles())
	s.AllNew = len(old.Catalogs) == 0
	s.Old = baseline
	s.Old.Set = old.Set
}

// before reads the catalogs of a commit: those in the arguments, else those in the commit's
// configuration, else the current files. A catalog that the commit lacks is new.
func (in *Inputs) before(tree *gitread.Tree, args []string) Inputs {
	config, problems := discovery.Configuration(tree)
	var paths []string
	switch {
	case len(args) > 0:
		old := readWithout(tree, args)
		old.Problems = append(problems, old.Problems...)
		return old
	case len(problems) > 0:
		return Inputs{Problems: problems}
	case config == nil:
		paths = append(slices.Clone(in.Files), discovery.DefaultCatalog)
	}
	var old Inputs
	old.take(tree, config, paths)
	return old
}

// readWithout reads catalogs without a configuration, and leaves out missing files.
func readWithout(files discovery.Files, paths []string) (in Inputs) {
	in.take(files, nil, paths)
	return in
}

// take reads catalogs, and leaves out missing files.
func (in *Inputs) take(files discovery.Files, config *catalog.Configuration, paths []string) {
	in.readSources(files, config, paths)
	in.Problems = slices.DeleteFunc(in.Problems, func(f diag.Finding) bool { return f.Message == fs.ErrNotExist.Error() })
}

// yamlFiles are the patterns of files that can be catalogs.
var yamlFiles = []string{"*.yaml", "*.yml"}

// follow finds catalogs that were moved, renamed or split. If only one side has a package, it
// searches all files of the other side for it.
func (in *Inputs) follow(tree *gitread.Tree, old *Inputs) {
	if came := unpaired(in.Catalogs, old.Catalogs); len(came) > 0 {
		files, _ := tree.Containing(catalog.Group+"/", yamlFiles...)
		for _, c := range elsewhere(tree, files, old) {
			if matches(came, c) && !in.stillIn(discovery.Disk{}, c) {
				old.Catalogs = append(old.Catalogs, c)
			}
		}
	}
	if gone := unpaired(old.Catalogs, in.Catalogs); len(gone) > 0 {
		files, _ := tree.Present(catalog.Group+"/", yamlFiles...)
		for _, c := range elsewhere(discovery.Disk{}, files, in) {
			if matches(gone, c) && !in.stillIn(tree, c) {
				in.Catalogs = append(in.Catalogs, c)
				in.Files = append(in.Files, c.File)
			}
		}
	}
}

// unpaired returns the catalogs whose package no catalog of others has.
func unpaired(catalogs, others []*catalog.Catalog) []*catalog.Catalog {
	have := map[string]int{}
	for _, c := range others {
		have[c.Go.Package.Value]++
	}
	return slices.DeleteFunc(slices.Clone(catalogs), func(c *catalog.Catalog) bool {
		have[c.Go.Package.Value]--
		return have[c.Go.Package.Value] >= 0
	})
}

// elsewhere reads files that were not read yet, and returns their catalogs without errors.
func elsewhere(files discovery.Files, paths []string, known *Inputs) []*catalog.Catalog {
	var found []*catalog.Catalog
	for _, path := range paths {
		if slices.ContainsFunc(known.Files, func(file string) bool { return discovery.Same(file, path) }) {
			continue
		}
		catalogs, findings := readSource(files, catalog.Source{Path: path, InFolder: true})
		if !findings.HasErrors() {
			found = append(found, catalogs...)
		}
	}
	return found
}

// matches reports whether a catalog has the package of another one, or half of its events.
func matches(others []*catalog.Catalog, c *catalog.Catalog) bool {
	return slices.ContainsFunc(others, func(o *catalog.Catalog) bool {
		return o.Go.Package.Value == c.Go.Package.Value || 2*sharedEvents(o, c) >= max(len(o.Events), 1)
	})
}

func sharedEvents(a, b *catalog.Catalog) int {
	names := map[string]bool{}
	for i := range a.Events {
		names[a.Events[i].Name.Value+"/"+a.Events[i].Reason.Value] = true
	}
	shared := 0
	for i := range b.Events {
		if names[b.Events[i].Name.Value+"/"+b.Events[i].Reason.Value] {
			shared++
		}
	}
	return shared
}

// stillIn reports whether the file of a catalog has a catalog of the same package in files, the
// other side.
func (*Inputs) stillIn(files discovery.Files, c *catalog.Catalog) bool {
	if _, err := files.Stat(c.File); err != nil {
		return false
	}
	there, _ := readSource(files, catalog.Source{Path: c.File, InFolder: true})
	return slices.ContainsFunc(there, func(o *catalog.Catalog) bool { return o.Go.Package.Value == c.Go.Package.Value })
}
