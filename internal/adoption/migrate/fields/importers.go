package fields

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
)

// holdForUnread holds the nodes that unread packages of the module can name: such packages would no
// longer compile, and nothing would report it.
func (r *reader) holdForUnread(ctx context.Context, o scan.Options) error {
	read := map[string]bool{}
	for _, l := range r.loaded {
		read[l.PkgPath] = true
	}
	module := mainModule([][]*packages.Package{r.loaded})
	if module == nil || module.Dir == r.opts.Dir && (len(o.Patterns) == 0 || slices.Contains(o.Patterns, "./...")) {
		return nil
	}
	o.Tests = true
	cfg := o.Config(ctx, module.Dir)
	cfg.Mode = packages.NeedName | packages.NeedImports
	all, err := packages.Load(cfg, "./...")
	if err != nil {
		return gocommand.Failure(err)
	}
	for _, l := range all {
		if !read[l.PkgPath] && !strings.HasSuffix(l.ID, ".test") {
			r.holdImported(l)
		}
	}
	return nil
}

// holdImported holds the nodes that a package can name.
func (r *reader) holdImported(by *packages.Package) {
	for _, n := range r.order {
		if n.exported && by.Imports[n.path] != nil {
			r.holdAt(n, by.PkgPath+", which imports its package, was not read; name ./... in the module's root")
		}
	}
}
