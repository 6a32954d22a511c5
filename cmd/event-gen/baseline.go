package main

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

// sides are the two sets of catalogs that breaking compares.
type sides struct {
	now      inputs
	old      breaking.Baseline
	problems diag.Findings // the reasons why they can't be compared
	// allNew: the older side has no catalog.
	allNew bool
	commit string // of the older side, with what it is; empty for a file or folder
}

// loadSides reads the catalogs and their older side: the file or folder of that name, else the catalogs of the merge base with that
// commit, or, exactly, of that commit.
func loadSides(ctx context.Context, args []string, o breakingOptions) sides {
	s := sides{now: read(discovery.Disk{}, args)}
	against, open := o.exactly, gitread.Open
	if against == "" {
		against, open = o.against, gitread.OpenBase
		if _, err := os.Lstat(against); err == nil {
			s.fromDisk(ctx, against)
			return s
		}
	}
	tree, err := open(ctx, against)
	if err != nil {
		s.now.resolve(ctx, resolution(model.ResolveAuto))
		s.problems = joined(s.now.obstacles(), catalog.Unreadable(against, err))
		return s
	}
	label := against
	if s.commit = tree.Commit(); o.exactly == "" {
		s.commit += ", the merge base of HEAD and " + against
	}
	if tree.Older {
		label = tree.Commit()
	}
	s.fromCommit(ctx, label, tree, args)
	return s
}

func (s *sides) fromDisk(ctx context.Context, against string) {
	old := readWithout(discovery.Disk{}, []string{against})
	if len(old.catalogs) == 0 && len(old.findings) == 0 && len(old.problems) == 0 && !isFolder(against) {
		old.nothingFound(against)
	}
	s.compare(ctx, &old, breaking.Baseline{Elsewhere: true})
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// fromCommit reads the catalogs of a commit, even if they were elsewhere in it.
func (s *sides) fromCommit(ctx context.Context, against string, tree *gitread.Tree, args []string) {
	old := s.now.before(tree, args)
	if len(s.now.problems) == 0 {
		s.now.follow(tree, &old)
	}
	s.compare(ctx, &old, breaking.Baseline{Label: against})
	for i := range s.problems {
		if slices.Contains(old.obstacles(), s.problems[i]) && !slices.Contains(s.now.obstacles(), s.problems[i]) {
			s.problems[i].Pos.File = against + ":" + s.problems[i].Pos.File
		}
	}
}

func (s *sides) compare(ctx context.Context, old *inputs, baseline breaking.Baseline) {
	s.now.resolve(ctx, resolution(model.ResolveAuto))
	old.resolve(ctx, baselineOptions())
	s.problems = joined(s.now.obstacles(), old.obstacles())
	s.allNew = len(old.catalogs) == 0
	s.old = baseline
	s.old.Set = old.set
}

// baselineOptions returns the options for resolving the older side.
func baselineOptions() model.Options {
	opts := resolution(model.ResolveAuto)
	opts.Baseline = true
	return opts
}

// before reads the catalogs of a commit: those of the arguments, else of the commit's configuration, else the current files. A catalog that
// the commit lacks is new.
func (in *inputs) before(tree *gitread.Tree, args []string) inputs {
	config, problems := discovery.Configuration(tree)
	var paths []string
	switch {
	case len(args) > 0:
		old := readWithout(tree, args)
		old.problems = append(problems, old.problems...)
		return old
	case len(problems) > 0:
		return inputs{problems: problems}
	case config == nil:
		paths = append(slices.Clone(in.files), discovery.DefaultCatalog)
	}
	var old inputs
	old.take(tree, config, paths)
	return old
}

// readWithout reads catalogs without a configuration, and leaves out missing files.
func readWithout(files discovery.Files, paths []string) (in inputs) {
	in.take(files, nil, paths)
	return in
}

// take reads catalogs, and leaves out missing files.
func (in *inputs) take(files discovery.Files, config *catalog.Configuration, paths []string) {
	in.readSources(files, config, paths)
	in.problems = slices.DeleteFunc(in.problems, func(f diag.Finding) bool { return f.Message == fs.ErrNotExist.Error() })
}

// yamlFiles are the files that can be catalogs.
var yamlFiles = []string{"*.yaml", "*.yml"}

// follow finds catalogs that were moved, renamed or split. If only one side has a package, it searches all files of the other side.
func (in *inputs) follow(tree *gitread.Tree, old *inputs) {
	if came := unpaired(in.catalogs, old.catalogs); len(came) > 0 {
		files, _ := tree.Containing(catalog.Group+"/", yamlFiles...)
		for _, c := range elsewhere(tree, files, old) {
			if matches(came, c) && !in.stillIn(discovery.Disk{}, c) {
				old.catalogs = append(old.catalogs, c)
			}
		}
	}
	if gone := unpaired(old.catalogs, in.catalogs); len(gone) > 0 {
		files, _ := tree.Present(catalog.Group+"/", yamlFiles...)
		for _, c := range elsewhere(discovery.Disk{}, files, in) {
			if matches(gone, c) && !in.stillIn(tree, c) {
				in.catalogs = append(in.catalogs, c)
				in.files = append(in.files, c.File)
			}
		}
	}
}

// unpaired returns the catalogs whose package none of the others has.
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

// elsewhere reads the catalogs without errors of files that were not read yet.
func elsewhere(files discovery.Files, paths []string, known *inputs) []*catalog.Catalog {
	var found []*catalog.Catalog
	for _, path := range paths {
		if slices.ContainsFunc(known.files, func(file string) bool { return discovery.Same(file, path) }) {
			continue
		}
		catalogs, findings := readSource(files, catalog.Source{Path: path, InFolder: true})
		if !findings.HasErrors() {
			found = append(found, catalogs...)
		}
	}
	return found
}

// matches reports whether a catalog has the package of one of the others, or half of its events.
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

// stillIn reports whether the file of a catalog has, on the other side, a catalog of the same package.
func (*inputs) stillIn(files discovery.Files, c *catalog.Catalog) bool {
	if _, err := files.Stat(c.File); err != nil {
		return false
	}
	there, _ := readSource(files, catalog.Source{Path: c.File, InFolder: true})
	return slices.ContainsFunc(there, func(o *catalog.Catalog) bool { return o.Go.Package.Value == c.Go.Package.Value })
}
