package model

import (
	"cmp"
	"context"
	"go/token"
	gotypes "go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/catalog/model/markers"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// loader finds facts by loading the packages of all wanted types at once. gengo's own loader
// refuses a module in which a package is missing. Before the first generate, that is the normal
// state.
type loader struct {
	dir string
	// outputs maps the files that will be generated to the names of their packages.
	outputs map[string]string
}

func (l *loader) resolve(ctx context.Context, wants []want) (facts, diag.Findings) {
	found := make(facts, len(wants))
	if len(wants) == 0 {
		return found, nil
	}
	paths := pathsOf(wants)
	loaded, problems, err := l.load(ctx, paths)
	findings := l.unasked(err)
	for _, w := range wants {
		switch pkg, problem := loaded[w.Path], problems[w.Path]; {
		case err != nil:
			found[w] = typeFacts{Problem: "the go command could not be asked", Unasked: true}
		case pkg != nil:
			f := universe(loaded).factsOf(pkg, w)
			if f.Unasked {
				findings.Unreadf(l.goMod(), "", "the types of %s can't be looked up: %s", w.Path, pkg.broken)
			}
			found[w] = f
		default:
			found[w] = typeFacts{Problem: problem, NoPackage: true}
		}
	}
	return found, findings
}

// goMod is the position of findings that are not about a catalog.
func (l *loader) goMod() diag.Pos { return diag.Pos{File: disk.Show(filepath.Join(l.dir, "go.mod"))} }

// unasked reports why the go command could not run: it is missing, it can't write its cache, or
// go.mod is broken. The finding is not about a catalog.
func (l *loader) unasked(err error) (findings diag.Findings) {
	if err == nil {
		return nil
	}
	at := l.goMod()
	if _, missing := exec.LookPath("go"); missing != nil {
		findings.Unreadf(at, "", "the go command, which looks up Go types, was not found; install it, or give in the "+
			"catalog the facts that --resolve=never needs")
		return findings
	}
	findings.Unreadf(at, "", "the go command can't load Go types: %s", brief(gocommand.Failure(err).Error()))
	return findings
}

func pathsOf(wants []want) []string {
	var paths []string
	for _, w := range wants {
		paths = append(paths, w.paths()...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// mostProblem bounds the text of the go command that a finding quotes, in bytes.
const mostProblem = 400

// brief returns a message of the go command on one line.
func brief(text string) string {
	return eventrt.Clean(strings.Join(strings.Fields(text), " "), mostProblem)
}

// loadMode reads the types of imported packages from the build cache, which takes a tenth of the
// time of reading their sources. A package that does not compile is read from its sources.
const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedModule | packages.NeedTypes | packages.NeedSyntax

// load loads packages of a module that may not compile yet. A missing package that will be
// generated counts as an empty one. In a package with type errors, load uses the types that it
// finds. It returns the packages that it could load, and the problems of the others by path. The
// error is not about one package.
func (l *loader) load(ctx context.Context, paths []string) (map[string]*typePackage, map[string]string, error) {
	problems := map[string]string{}
	fset := token.NewFileSet()
	told := progress.From(ctx)
	defer told.End()
	told.Compile(ctx, l.dir, nil, nil, paths)
	told.Step("reading the types of " + strings.Join(paths, " "))
	pkgs, err := packages.Load(&packages.Config{
		Context: ctx, Dir: l.dir, Mode: loadMode, Fset: fset, Overlay: l.overlay(),
	}, paths...)
	if err != nil {
		return nil, nil, err
	}
	loaded := map[string]*typePackage{}
	for _, pkg := range pkgs {
		if problem := listProblem(pkg); problem != "" {
			problems[pkg.PkgPath] = cmp.Or(l.ownProblem(pkg), problem)
			continue
		}
		loaded[pkg.PkgPath] = fromPackage(fset, pkg)
	}
	return loaded, problems, nil
}

// overlay returns an empty package file for every file that will be generated and does not exist.
func (l *loader) overlay() map[string][]byte {
	files := map[string][]byte{}
	for file, name := range l.outputs {
		if _, err := os.Stat(file); err != nil {
			files[file] = []byte("package " + name + "\n")
		}
	}
	return files
}

// ownProblem returns the reason why a package of the module itself was not found; empty if the
// package is of another module, or has Go files with errors.
func (l *loader) ownProblem(pkg *packages.Package) string {
	if len(pkg.GoFiles) > 0 {
		return ""
	}
	return ownPackage(l.dir, pkg.PkgPath)
}

func listProblem(pkg *packages.Package) string {
	if pkg.Types == nil || len(pkg.Syntax) == 0 {
		for _, e := range pkg.Errors {
			return brief(e.Msg)
		}
		return "the package has no Go files"
	}
	return ""
}

// importProblem returns the reason why an import of a package can't be resolved or, without one,
// why the package does not compile; empty if it does.
func importProblem(pkg *packages.Package) string {
	for _, path := range sortedKeys(pkg.Imports) {
		for _, e := range pkg.Imports[path].Errors {
			// the go get that follows leaves the next import missing; go mod tidy fails while the
			// package to be generated is missing
			problem, _, _ := strings.Cut(brief(e.Msg), "; to add")
			return problem + "; run go get " + pkg.PkgPath
		}
	}
	for _, e := range pkg.Errors {
		if e.Kind == packages.TypeError { // others repeat what the compiler prints
			return disk.Show(e.Pos) + ": " + brief(e.Msg)
		}
	}
	return ""
}

func fromPackage(fset *token.FileSet, pkg *packages.Package) *typePackage {
	p := &typePackage{path: pkg.PkgPath, name: pkg.Name, imports: pkg.Imports, types: map[string]typeSource{},
		markers: markers.OfPackage(pkg.Syntax), broken: importProblem(pkg)}
	comments := markers.Before(fset, pkg.Syntax)
	scope := pkg.Types.Scope()
	for _, name := range scope.Names() {
		if obj, ok := scope.Lookup(name).(*gotypes.TypeName); ok {
			p.types[name] = typeSource{goType: obj.Type(), comments: comments[name]}
		}
	}
	return p
}
