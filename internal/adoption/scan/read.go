package scan

import (
	"context"
	"go/token"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
)

// Loaded is what the go command and the type checker found, before anything is looked for.
type Loaded struct {
	// Options are those that Read got.
	Options Options
	Fset    *token.FileSet
	// Groups has one element for each run of the go command.
	Groups []Group
	// Skipped are the folders of modules below the patterns that were not read.
	Skipped []string
}

// Group is what one run of the go command found.
type Group struct {
	// Dir is the folder that the go command ran in.
	Dir string
	// Patterns are what it was asked for.
	Patterns []string
	// Roots are the packages that the patterns name, with Options.Tests also their tests.
	Roots []*packages.Package
}

// mode is what go/packages must find out: syntax and types of the packages asked for, export data
// of the rest.
const mode = packages.LoadSyntax | packages.NeedModule | packages.NeedExportFile

// Read runs the go command, and type-checks the packages that the patterns name.
func Read(ctx context.Context, opts Options) (*Loaded, error) {
	groups, skipped, err := groupsOf(ctx, opts)
	if err != nil {
		return nil, err
	}
	l := &Loaded{Options: opts, Fset: token.NewFileSet(), Skipped: skipped}
	for _, g := range groups {
		cfg := opts.Config(ctx, g.dir)
		told := progress.From(ctx)
		told.Compile(ctx, g.dir, cfg.Env, cfg.BuildFlags, g.patterns)
		told.Step("reading " + strings.Join(g.patterns, " "))
		cfg.Mode, cfg.Fset = mode, l.Fset
		done := progress.Compiling(ctx)
		roots, err := packages.Load(cfg, g.patterns...)
		done()
		if err != nil {
			return nil, gocommand.Failure(err)
		}
		l.Groups = append(l.Groups, Group{Dir: g.dir, Patterns: g.patterns, Roots: roots})
	}
	return l, nil
}

// Config is how go/packages runs the go command in a folder. The caller sets the mode.
func (o Options) Config(ctx context.Context, dir string) *packages.Config {
	cfg := &packages.Config{Context: ctx, Dir: dir, Tests: o.Tests, Env: os.Environ()}
	if len(o.Tags) > 0 {
		cfg.BuildFlags = []string{"-tags=" + strings.Join(o.Tags, ",")}
	}
	if o.GOOS != "" {
		cfg.Env = append(cfg.Env, "GOOS="+o.GOOS, "CGO_ENABLED=0")
		if flags := os.Getenv("GOFLAGS"); strings.Contains(flags, "-race") { // which requires cgo
			cfg.Env = append(cfg.Env, "GOFLAGS="+flags+" -race=false")
		}
	}
	return cfg
}

// withoutTests leaves out what the go command adds for tests: variants of packages with their
// _test.go files, external test packages, and the commands that run tests.
func withoutTests(roots []*packages.Package) []*packages.Package {
	return slices.DeleteFunc(slices.Clone(roots), func(l *packages.Package) bool {
		return strings.Contains(l.ID, " [") || strings.HasSuffix(l.ID, ".test")
	})
}
