package model

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"k8s.io/gengo/v2/parser"
	"k8s.io/gengo/v2/types"

	"github.com/event-gen/event-gen/internal/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// loader finds facts by loading the packages of all wanted types at once.
type loader struct {
	dir string
	// outputs are the files that will be generated, and the names of their packages.
	outputs map[string]string
}

func (l *loader) resolve(ctx context.Context, wants []want) (map[want]typeFacts, diag.Findings) {
	facts := make(map[want]typeFacts, len(wants))
	if len(wants) == 0 {
		return facts, nil
	}
	paths := pathsOf(wants)
	loaded, problems := l.load(ctx, paths)
	for _, w := range wants {
		switch pkg := loaded[w.path]; {
		case pkg != nil:
			facts[w] = factsOf(pkg, w)
		default:
			facts[w] = typeFacts{Problem: problems[w.path]}
		}
	}
	return facts, nil
}

func pathsOf(wants []want) []string {
	var paths []string
	for _, w := range wants {
		paths = append(paths, w.path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// load returns the packages that could be loaded, and for the others why not. gengo refuses a load in which any package
// is missing, which is the normal state of a module before its events are generated; then the packages are loaded with
// stand-ins for those that will be generated.
func (l *loader) load(ctx context.Context, paths []string) (map[string]*typePackage, map[string]string) {
	loaded, err := l.loadWithGengo(ctx, paths)
	if err == nil {
		return loaded, nil
	}
	loaded, problems := l.loadWithStandIns(ctx, paths)
	for _, path := range paths {
		if loaded[path] == nil && problems[path] == "" {
			problems[path] = brief(err.Error())
		}
	}
	return loaded, problems
}

func (l *loader) loadWithGengo(ctx context.Context, paths []string) (map[string]*typePackage, error) {
	p := parser.New()
	// The one exported way to say in which folder gengo loads.
	if err := p.LoadPackagesWithConfigForTesting(&packages.Config{Context: ctx, Dir: l.dir}, paths...); err != nil {
		return nil, err
	}
	universe, err := p.NewUniverse()
	if err != nil {
		return nil, err
	}
	loaded := make(map[string]*typePackage, len(paths))
	for _, path := range paths {
		pkg := universe.Package(path)
		loaded[path] = &typePackage{path: path, name: pkg.Name, dir: pkg.Dir, types: gengoTypes(pkg)}
	}
	return loaded, nil
}

func gengoTypes(pkg *types.Package) map[string]typeSource {
	out := make(map[string]typeSource, len(pkg.Types))
	for name, t := range pkg.Types {
		out[name] = typeSource{goType: t.GoType, comments: slices.Concat(t.SecondClosestCommentLines, t.CommentLines)}
	}
	return out
}

// mostProblem bounds what a finding quotes of the go command, in bytes.
const mostProblem = 400

// brief is a message of the go command on one line.
func brief(text string) string {
	return eventrt.Clean(strings.Join(strings.Fields(text), " "), mostProblem)
}

func (n want) missing() string { return fmt.Sprintf("package %s has no type %s", n.path, n.name) }
