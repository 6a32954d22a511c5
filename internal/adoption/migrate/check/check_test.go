package check

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// program is the text of a random module: packages p0, p1 and so on, and their tests. Each package
// imports some of the earlier ones.
type program struct {
	rnd *rand.Rand
	n   int
	// imports are the packages that a file imports, pointer whether F of a package returns one, by
	// the package's number.
	imports map[string][]int
	pointer map[int]bool
}

func newProgram(rnd *rand.Rand, n int) *program {
	p := &program{rnd: rnd, n: n, imports: map[string][]int{}, pointer: map[int]bool{}}
	for i := range n {
		p.imports[file(i, "p.go")] = p.some(i)
		if rnd.IntN(2) == 0 {
			p.imports[file(i, "in_test.go")] = p.some(i)
		}
		if rnd.IntN(2) == 0 {
			p.imports[file(i, "ex_test.go")] = append(p.some(n), i)
		}
	}
	return p
}

func file(i int, name string) string { return fmt.Sprintf("p%d/%s", i, name) }

// some are some of the first packages.
func (p *program) some(below int) []int {
	var out []int
	for i := range below {
		if p.rnd.IntN(3) == 0 {
			out = append(out, i)
		}
	}
	return out
}

// change changes the result of a package, or the imports of a file.
func (p *program) change() {
	if i := p.rnd.IntN(p.n); p.rnd.IntN(2) == 0 {
		p.pointer[i] = !p.pointer[i]
		return
	}
	files := slices.Sorted(maps.Keys(p.imports))
	f := files[p.rnd.IntN(len(files))]
	var i int
	_, _ = fmt.Sscanf(f, "p%d/", &i)
	if strings.HasSuffix(f, "ex_test.go") {
		p.imports[f] = append(p.some(p.n), i)
	} else {
		p.imports[f] = p.some(i)
	}
}

// grow adds a package that imports others. One of them may import it.
func (p *program) grow() {
	p.imports[file(p.n, "p.go")] = p.some(p.n)
	p.n++
}

// texts are the files, by path below the module. Each names the function of its imports, with the
// function's first type.
func (p *program) texts() map[string]string {
	out := map[string]string{}
	for name, imports := range p.imports {
		var i int
		_, _ = fmt.Sscanf(name, "p%d/", &i)
		slices.Sort(imports)
		imports = slices.Compact(imports)
		var b strings.Builder
		external := strings.HasSuffix(name, "ex_test.go")
		fmt.Fprintf(&b, "package p%d%s\n\n", i, map[bool]string{true: "_test"}[external])
		for _, j := range imports {
			fmt.Fprintf(&b, "import \"example.com/m/p%d\"\n", j)
		}
		if strings.HasSuffix(name, "p.go") {
			star := map[bool]string{true: "*"}[p.pointer[i]]
			fmt.Fprintf(&b, "type T struct{ A int }\nfunc F() (t %sT) { return }\n", star)
		}
		if strings.HasSuffix(name, "in_test.go") {
			b.WriteString("func Inside() T { return T{} }\n")
		}
		for _, j := range imports {
			fmt.Fprintf(&b, "var V%d%s = p%d.F()\nfunc use%d%s() { var _ p%d.T = p%d.F() }\n", j, suffix(name), j, j, suffix(name), j, j)
			if external && i == j && p.imports[file(i, "in_test.go")] != nil {
				fmt.Fprintf(&b, "var Same p%d.T = p%d.Inside()\n", j, j)
			}
			// the types must be the same on both ways
			for _, k := range p.imports[file(j, "p.go")] {
				if slices.Contains(imports, k) {
					fmt.Fprintf(&b, "func both%d%d%s() { v := p%d.V%dx; v = p%d.F(); _ = v }\n", j, k, suffix(name), j, k, k)
				}
			}
		}
		out[name] = b.String()
	}
	return out
}

func suffix(name string) string {
	if strings.HasSuffix(name, "in_test.go") {
		return "i"
	}
	return "x"
}

// TestAsTheGoCommandReadsThem changes random modules, and compares this package's result with the
// result of go/packages for an overlay.
func TestAsTheGoCommandReadsThem(t *testing.T) {
	programs := uint64(6)
	if testing.Short() {
		programs = 2
	}
	for seed := range programs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(seed, 0))
			dir := module(t, newProgram(rnd, 5).texts())
			p := newProgram(rand.New(rand.NewPCG(seed, 0)), 5)
			read := load(t, dir)
			for range 2 {
				for range 1 + rnd.IntN(3) {
					p.rnd = rnd
					p.change()
				}
				if rnd.IntN(2) == 0 {
					p.grow()
				}
				overlay := map[string][]byte{}
				for name, text := range p.texts() {
					overlay[filepath.Join(dir, name)] = []byte(text)
				}
				got, err := read.With(t.Context(), overlay)
				if err != nil {
					t.Fatal(err)
				}
				if got, want := describe(got, dir), describe(overlaid(t, dir, overlay), dir); got != want {
					t.Fatalf("seed %d: %s", seed, difference(got, want))
				}
			}
		})
	}
}

// module writes a module, in which everything compiles.
func module(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	texts["go.mod"] = "module example.com/m\n\ngo 1.25\n"
	for name, text := range texts {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func load(t *testing.T, dir string) *Packages {
	t.Helper()
	t.Setenv("GOWORK", "off") // the module is in no workspace
	l, err := scan.Read(t.Context(), scan.Options{Dir: dir, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	return New(l)
}

func overlaid(t *testing.T, dir string, overlay map[string][]byte) []*packages.Package {
	t.Helper()
	patterns := []string{"./..."}
	for file := range overlay {
		if folder := "./" + filepath.Base(filepath.Dir(file)); !slices.Contains(patterns, folder) {
			patterns = append(patterns, folder)
		}
	}
	found, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax, Dir: dir, Tests: true, Overlay: overlay}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// describe lists the declarations and the errors of packages.
func describe(list []*packages.Package, dir string) string {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	var b strings.Builder
	for _, l := range list {
		if isTestMain(l.ID) {
			continue
		}
		fmt.Fprintf(&b, "%s\n", l.ID)
		for _, name := range l.Types.Scope().Names() {
			fmt.Fprintf(&b, "\t%s\n", types.ObjectString(l.Types.Scope().Lookup(name), nil))
		}
		for _, e := range l.Errors {
			if e.Kind != packages.ListError {
				fmt.Fprintf(&b, "\t%s: %s\n", strings.TrimPrefix(e.Pos, dir), e.Msg)
			}
		}
	}
	return b.String()
}

// difference returns the lines that only one of two texts has.
func difference(got, want string) string {
	var b strings.Builder
	for _, line := range strings.Split(got, "\n") {
		if !slices.Contains(strings.Split(want, "\n"), line) {
			fmt.Fprintf(&b, "\ngot  %s", line)
		}
	}
	for _, line := range strings.Split(want, "\n") {
		if !slices.Contains(strings.Split(got, "\n"), line) {
			fmt.Fprintf(&b, "\nwant %s", line)
		}
	}
	return b.String()
}

// TestWhatCannotBeImported: this package refuses the same new imports as the go command.
func TestWhatCannotBeImported(t *testing.T) {
	dir := module(t, map[string]string{
		"a/a.go": "package a\n", "b/b.go": "package b\n\nimport _ \"example.com/m/a\"\n", "b/internal/c/c.go": "package c\n", "d/d.go": "package main\n\nfunc main() {}\n",
	})
	read := load(t, dir)
	for path, want := range map[string]string{
		"example.com/m/b":            "could not import example.com/m/b (import cycle not allowed",
		"example.com/m/b/internal/c": "use of internal package example.com/m/b/internal/c not allowed",
		"example.com/m/d":            `import "example.com/m/d" is a program, not an importable package`,
		"example.com/none":           "could not import example.com/none (no required module provides package example.com/none",
	} {
		changed, err := read.With(t.Context(), map[string][]byte{filepath.Join(dir, "a/a.go"): []byte("package a\n\nimport _ \"" + path + "\"\n")})
		if err != nil {
			t.Fatal(err)
		}
		var text []string
		for _, l := range changed {
			for _, e := range l.Errors {
				text = append(text, e.Pos+": "+e.Msg)
			}
		}
		if got := strings.Join(text, "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// TestWhatStaysIsNotCheckedAgain: only changed packages, and packages that import them, get new
// types.
func TestWhatStaysIsNotCheckedAgain(t *testing.T) {
	dir := module(t, map[string]string{
		"a/a.go": "package a\n", "b/b.go": "package b\n\nimport _ \"example.com/m/a\"\n", "c/c.go": "package c\n\nimport _ \"example.com/m/b\"\n",
	})
	read := load(t, dir)
	was := read.OnDisk()
	texts := map[string][]byte{filepath.Join(dir, "b/b.go"): []byte("package b\n\nvar B int\n")}
	changed, err := read.With(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, same := range []bool{true, false, false} {
		if got := changed[i] == was[i]; got != same {
			t.Errorf("%s: the same package as before: %t, want %t", was[i].ID, got, same)
		}
	}
}
