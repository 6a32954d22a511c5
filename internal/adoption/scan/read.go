package scan

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	goscanner "go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
)

// Loaded holds the results of the go command and the type checker, before a scan.
type Loaded struct {
	// Options are the options of Read.
	Options Options
	Fset    *token.FileSet
	// Groups has one element for each run of the go command.
	Groups []Group
	// Skipped are the folders of modules below the patterns that were not read.
	Skipped []string

	// recording holds the import paths of packages that depend on one that makes recorders.
	recording map[string]bool
}

// Group holds the results of one run of the go command.
type Group struct {
	// Dir is the folder that the go command ran in.
	Dir string
	// Patterns are the patterns of that run.
	Patterns []string
	// Roots are the packages that the patterns name, with Options.Tests also their tests.
	Roots []*packages.Package
}

// mode makes go/packages find out syntax and types of the requested packages, and export data of
// the others.
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
		cfg.Mode, cfg.Fset, cfg.ParseFile = mode, l.Fset, parseInPlace
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

// parseInPlace parses a file so that its positions are its own: a line directive could name any
// other file, and hide calls. Files that cgo has made keep theirs.
func parseInPlace(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
	if base := filepath.Base(name); !strings.HasSuffix(base, ".cgo1.go") && !strings.HasPrefix(base, "_cgo_") {
		text = withoutDirectives(text)
	}
	return parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments)
}

func withoutDirectives(text []byte) []byte {
	if !bytes.Contains(text, []byte("line ")) {
		return text
	}
	var s goscanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, func(token.Position, string) {}, goscanner.ScanComments)
	plain := bytes.Clone(text)
	for {
		pos, tok, comment := s.Scan()
		if tok == token.EOF {
			return plain
		}
		if tok == token.COMMENT && strings.HasPrefix(comment[len("//"):], "line ") {
			plain[file.Offset(pos)+len("//")] = 'L'
		}
	}
}

// Config configures how go/packages runs the go command in a folder. The caller sets the mode.
func (o Options) Config(ctx context.Context, dir string) *packages.Config {
	cfg := &packages.Config{Context: ctx, Dir: dir, Tests: o.Tests, Env: os.Environ()}
	if len(o.Tags) > 0 {
		cfg.BuildFlags = []string{"-tags=" + strings.Join(o.Tags, ",")}
	}
	if o.GOOS != "" {
		cfg.Env = append(cfg.Env, "GOOS="+o.GOOS, "CGO_ENABLED=0")
		if flags := os.Getenv("GOFLAGS"); strings.Contains(flags, "-race") { // -race requires cgo
			cfg.Env = append(cfg.Env, "GOFLAGS="+flags+" -race=false")
		}
	}
	return cfg
}

// withoutTests leaves out the packages that the go command adds for tests: variants with _test.go
// files, external test packages, and the commands that run tests.
func withoutTests(roots []*packages.Package) []*packages.Package {
	return slices.DeleteFunc(slices.Clone(roots), func(l *packages.Package) bool {
		return strings.Contains(l.ID, " [") || strings.HasSuffix(l.ID, ".test")
	})
}
