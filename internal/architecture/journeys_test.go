package architecture

import (
	"go/ast"
	"go/types"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// mostSteps bounds the functions of a journey in CONTRIBUTING.md. Newcomers can't follow a longer
// list.
const mostSteps = 12

// TestJourneys checks the two journeys in CONTRIBUTING.md. Each function must exist. A function
// before it must call it, directly or through functions of the caller's package that the list
// leaves out. The calls must be in the order of the list. A step that begins with "Worker:" is a
// goroutine that the function New of its package starts.
func TestJourneys(t *testing.T) {
	page, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "\n## Two journeys\n")
	text, _, _ = strings.Cut(text, "\n## ")
	lists := journeys(text)
	if len(lists) != 2 {
		t.Fatalf("%d lists under Two journeys, want 2", len(lists))
	}
	program := loadFuncs(t, lists)
	for _, list := range lists {
		if len(list) > mostSteps || len(list) < 5 {
			t.Errorf("the journey from %s has %d steps, want 5 to %d", list[0].name, len(list), mostSteps)
		}
		program.check(t, list)
	}
}

// step is a function of a journey, written as package/path.Type.Method or package/path.Func.
type step struct {
	name   string
	worker bool
}

var numbered = regexp.MustCompile("^(\\d+)\\. (Worker: )?`([\\w/-]+\\.[\\w.]+)`")

// journeys returns the numbered lists of a text.
func journeys(text string) (lists [][]step) {
	for line := range strings.Lines(text) {
		match := numbered.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		if match[1] == "1" {
			lists = append(lists, nil)
		}
		lists[len(lists)-1] = append(lists[len(lists)-1], step{name: match[3], worker: match[2] != ""})
	}
	return lists
}

// funcs holds functions by name, each with the functions that its body names, in source order.
type funcs struct {
	refers  map[string][]string
	methods map[string]map[string]bool // of a type
}

func loadFuncs(t *testing.T, lists [][]step) *funcs {
	t.Helper()
	patterns := map[string]bool{}
	for _, list := range lists {
		for _, s := range list {
			path, _, _ := strings.Cut(s.name, ".")
			patterns[module+"/"+path] = true
		}
	}
	cfg := &packages.Config{Dir: "../..", Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
		packages.NeedImports | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedSyntax}
	var args []string
	for p := range patterns {
		args = append(args, p)
	}
	loaded, err := packages.Load(cfg, args...)
	if err != nil {
		t.Fatal(err)
	}
	f := &funcs{refers: map[string][]string{}, methods: map[string]map[string]bool{}}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		for _, file := range p.Syntax {
			f.add(p.TypesInfo, file)
		}
	}
	return f
}

func (f *funcs) add(info *types.Info, file *ast.File) {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.FuncDecl)
		if !ok || decl.Body == nil {
			continue
		}
		name := nameOf(info.Defs[decl.Name])
		if owner, method, ok := cutLast(name); ok && decl.Recv != nil {
			if f.methods[owner] == nil {
				f.methods[owner] = map[string]bool{}
			}
			f.methods[owner][method] = true
		}
		f.refers[name] = []string{}
		f.visit(info, name, decl.Body)
	}
}

// visit records the functions that a function names. Deferred ones come last.
func (f *funcs) visit(info *types.Info, name string, body ast.Node) {
	var deferred []ast.Node
	ast.Inspect(body, func(n ast.Node) bool {
		if d, ok := n.(*ast.DeferStmt); ok {
			deferred = append(deferred, d.Call)
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			if called := nameOf(info.Uses[id]); called != "" {
				f.refers[name] = append(f.refers[name], called)
			}
		}
		return true
	})
	for _, d := range deferred {
		f.visit(info, name, d)
	}
}

// nameOf returns the name of a function of this repository as CONTRIBUTING.md writes it; empty for
// other objects.
func nameOf(o types.Object) string {
	fn, ok := o.(*types.Func)
	if !ok || fn.Pkg() == nil || !strings.HasPrefix(fn.Pkg().Path(), module+"/") {
		return ""
	}
	path := strings.TrimPrefix(fn.Pkg().Path(), module+"/")
	recv := fn.Signature().Recv()
	if recv == nil {
		return path + "." + fn.Name()
	}
	t := recv.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return path + "." + named.Obj().Name() + "." + fn.Name()
	}
	return ""
}

func cutLast(name string) (before, after string, ok bool) {
	i := strings.LastIndex(name, ".")
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

// check checks the steps of a list.
func (f *funcs) check(t *testing.T, list []step) {
	t.Helper()
	listed := map[string]bool{}
	for _, s := range list {
		listed[s.name] = true
		if f.refers[s.name] == nil {
			t.Errorf("CONTRIBUTING.md: function %s does not exist", s.name)
		}
	}
	last := map[string]int{} // by caller: the index of its last matched call
	for n, s := range list {
		caller, at := f.caller(list[:n], s.name, listed)
		switch {
		case n == 0:
		case s.worker:
			path, _, _ := strings.Cut(s.name, ".")
			if !contains(f.refers[path+".New"], s.name) {
				t.Errorf("CONTRIBUTING.md: %s.New does not start %s", path, s.name)
			}
		case caller == "":
			t.Errorf("CONTRIBUTING.md: no function above %s calls it", s.name)
		case at < last[caller]:
			t.Errorf("CONTRIBUTING.md: %s calls %s before the function that is listed above it", caller, s.name)
		default:
			last[caller] = at
		}
	}
}

// caller returns the latest step that calls a function, and the index of the call.
func (f *funcs) caller(before []step, name string, listed map[string]bool) (caller string, at int) {
	for n := len(before) - 1; n >= 0; n-- {
		for i, called := range f.calls(before[n].name, listed) {
			if called == name || f.implements(called, name) {
				return before[n].name, i
			}
		}
	}
	return "", -1
}

// calls returns the functions that a function calls, in order. A function of the same package that
// no list names is replaced by the functions that it calls.
func (f *funcs) calls(name string, listed map[string]bool) (all []string) {
	home, _, _ := strings.Cut(name, ".")
	seen := map[string]bool{name: true}
	var open func(string)
	open = func(name string) {
		for _, called := range f.refers[name] {
			all = append(all, called)
			path, _, _ := strings.Cut(called, ".")
			if path == home && !listed[called] && !seen[called] {
				seen[called] = true
				open(called)
			}
		}
	}
	open(name)
	return all
}

// implements reports whether called is a method of an interface, and name is the same method of a
// concrete type.
func (f *funcs) implements(called, name string) bool {
	owner, method, _ := cutLast(called)
	concrete, same, _ := cutLast(name)
	return f.methods[owner] == nil && method == same && f.methods[concrete][method]
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
