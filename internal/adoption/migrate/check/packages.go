package check

import (
	"context"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
)

// Packages holds the packages that the go command found for one set of build tags. It is not safe
// for concurrent use.
type Packages struct {
	// Options are the options with which the packages were read.
	Options scan.Options

	loaded *scan.Loaded
	graphs []*graph
}

// New returns the packages of a scan's load.
func New(l *scan.Loaded) *Packages {
	p := &Packages{Options: l.Options, loaded: l}
	for _, g := range l.Groups {
		p.graphs = append(p.graphs, newGraph(l, g))
	}
	return p
}

// OnDisk returns the requested packages as they were read.
func (p *Packages) OnDisk() []*packages.Package {
	var all []*packages.Package
	for _, g := range p.graphs {
		all = append(all, g.Roots...)
	}
	return all
}

// With returns the requested packages, and new ones, as if files had other texts. Texts are by
// absolute path. With returns a package as it was read if neither the package nor an import
// changes.
func (p *Packages) With(ctx context.Context, texts map[string][]byte) ([]*packages.Package, error) {
	l, err := p.Loaded(ctx, texts)
	if err != nil {
		return nil, err
	}
	var all []*packages.Package
	for _, g := range l.Groups {
		all = append(all, g.Roots...)
	}
	return all, nil
}

// Loaded returns the packages of With in the form that a scan takes.
func (p *Packages) Loaded(ctx context.Context, texts map[string][]byte) (*scan.Loaded, error) {
	l := *p.loaded
	l.Groups = slices.Clone(l.Groups)
	texts = maps.Clone(texts)
	maps.DeleteFunc(texts, func(file string, _ []byte) bool { return filepath.Ext(file) != ".go" })
	for i, g := range p.graphs {
		roots, err := g.with(ctx, texts)
		if err != nil {
			return nil, err
		}
		l.Groups[i].Roots = roots
	}
	return &l, nil
}

// Unresolved returns the go command's messages about packages that it does not find, by their path.
func (p *Packages) Unresolved(ctx context.Context, paths []string) (map[string]string, error) {
	problems := map[string]string{}
	if len(paths) == 0 {
		return problems, nil
	}
	for _, g := range p.graphs {
		cfg := g.opts.Config(ctx, g.Dir)
		cfg.Mode, cfg.Tests = packages.NeedName, false
		found, err := packages.Load(cfg, paths...)
		if err != nil {
			return nil, gocommand.Failure(err)
		}
		for _, l := range found {
			for _, e := range l.Errors {
				problems[l.PkgPath] = e.Msg
			}
		}
	}
	return problems, nil
}
