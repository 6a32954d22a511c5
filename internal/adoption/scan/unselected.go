package scan

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// unselected returns a cause for each Go file in the packages' folders, and in those that a
// pattern names, that was not read though another build selects it, and that may record.
func (l *Loaded) unselected(p *Program, tests bool) (causes []Cause) {
	read := map[string]bool{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Syntax {
			read[l.Fset.Position(f.Package).Filename] = true
		}
	}
	folders := l.folders()
	for _, root := range folders {
		if root != nil && len(root.Errors) == 0 { // what cgo has made has another name
			for _, file := range root.GoFiles {
				read[file] = true
			}
		}
	}
	for dir, loaded := range folders {
		entries, _ := os.ReadDir(dir) // the go command has reported errors
		for _, e := range entries {
			path, name := filepath.Join(dir, e.Name()), e.Name()
			if read[path] || filepath.Ext(name) != ".go" || strings.ContainsRune("._", rune(name[0])) || strings.HasSuffix(name, "_test.go") && !tests {
				continue
			}
			if c, ok := l.unread(path, loaded); ok {
				causes = append(causes, c)
			}
		}
	}
	slices.SortFunc(causes, func(a, b Cause) int { return ByPosition(a.Pos, b.Pos) })
	return causes
}

// folders returns the folders whose Go files the patterns name, with the package in each, or nil.
func (l *Loaded) folders() map[string]*packages.Package {
	found := map[string]*packages.Package{}
	for _, g := range l.Groups {
		for _, pattern := range g.Patterns {
			folder, local := (&grouper{dir: g.Dir}).folder(pattern)
			if !local {
				continue
			}
			_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
				switch {
				case err != nil || !e.IsDir():
					return nil
				case path != folder && (!strings.HasSuffix(pattern, "/...") || disk.IsForeign(path)):
					return fs.SkipDir
				}
				found[path] = nil
				return nil
			})
		}
		for _, root := range withoutTests(g.Roots) {
			if len(root.GoFiles) > 0 {
				found[filepath.Dir(root.GoFiles[0])] = root
			}
		}
	}
	return found
}

// unread returns why a file was not read, if a build selects it into a package that may record.
func (l *Loaded) unread(path string, in *packages.Package) (c Cause, ok bool) {
	text, err := disk.ReadFile(path, disk.MaxText)
	if err != nil {
		return c, false
	}
	f, err := parser.ParseFile(l.Fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil || in != nil && strings.TrimSuffix(f.Name.Name, "_test") != in.Name || err == nil && !calls(f) || !l.mayRecord(f, in) {
		return c, false
	}
	flags, ok := l.Options.selecting(path, text, f)
	return Cause{l.Fset.Position(f.Package), "file", "this build leaves the file out, so it was not read; read it with" + flags}, ok
}

func calls(f *ast.File) bool {
	for n := range ast.Preorder(f) {
		if _, ok := n.(*ast.CallExpr); ok {
			return true
		}
	}
	return false
}

// mayRecord reports whether a file, or the package that it belongs to, depends on a package that
// makes recorders.
func (l *Loaded) mayRecord(f *ast.File, in *packages.Package) bool {
	if l.recording == nil {
		l.recording = map[string]bool{facts.ControllerRuntime: true}
		for _, path := range recorderPackages {
			l.recording[path] = true
		}
		for _, g := range l.Groups {
			packages.Visit(g.Roots, nil, func(p *packages.Package) {
				for path := range p.Imports {
					l.recording[p.PkgPath] = l.recording[p.PkgPath] || l.recording[path]
				}
			})
		}
	}
	return in != nil && l.recording[in.PkgPath] ||
		slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return l.recording[strings.Trim(i.Path.Value, "\"`")] })
}

var (
	systems  = strings.Fields("linux darwin windows freebsd netbsd openbsd dragonfly solaris illumos aix plan9 js wasip1 android ios")
	machines = strings.Fields("amd64 arm64 386 arm riscv64 ppc64le ppc64 s390x loong64 mips mipsle mips64 mips64le wasm")
)

// selecting returns the flags and variables by which a build selects a file: tags of the file, then
// other systems, then other machines. ok is false if none does, as for the tag ignore.
func (o Options) selecting(path string, text []byte, f *ast.File) (flags string, ok bool) {
	b := build.Default
	b.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	goos, goarch := cmp.Or(o.GOOS, b.GOOS), b.GOARCH
	withC := b.CgoEnabled && o.GOOS == ""
	cgo := slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
	sets := tagSets(o.Tags, f)
	for _, b.GOARCH = range append([]string{goarch}, machines...) {
		for _, b.GOOS = range append([]string{goos}, systems...) {
			for _, b.BuildTags = range sets {
				for _, b.CgoEnabled = range []bool{withC && b.GOOS == goos, !withC || b.GOOS != goos} {
					found, err := b.MatchFile(filepath.Dir(path), filepath.Base(path))
					if err == nil && found && (b.CgoEnabled || !cgo) {
						return o.change(goos, goarch, withC, &b), true
					}
				}
			}
		}
	}
	return "", false
}

// change names what a build has that the present one has not. The flag --goos switches cgo off.
func (o Options) change(goos, goarch string, withC bool, b *build.Context) (flags string) {
	for _, c := range []struct {
		differs bool
		flag    string
	}{
		{b.GOOS != goos && !b.CgoEnabled, "--goos=" + b.GOOS}, {b.GOOS != goos && b.CgoEnabled, "GOOS=" + b.GOOS + " CGO_ENABLED=1"},
		{!slices.Equal(b.BuildTags, o.Tags), "--tags=" + strings.Join(b.BuildTags, ",")}, {b.GOARCH != goarch, "GOARCH=" + b.GOARCH},
		{b.GOOS == goos && b.CgoEnabled && !withC, "CGO_ENABLED=1"}, {b.GOOS == goos && !b.CgoEnabled && withC, "CGO_ENABLED=0"},
	} {
		if c.differs {
			flags += " " + c.flag
		}
	}
	return flags
}

// tagSets returns sets of tags to try: the present ones, these with tags that a file's constraint
// names (any of the first four, or all), and none.
func tagSets(present []string, f *ast.File) [][]string {
	known := slices.Concat(systems, machines, present, []string{"cgo", "ignore", "unix"})
	var named []string
	for _, group := range f.Comments {
		for _, line := range group.List {
			x, err := constraint.Parse(line.Text)
			if err != nil || line.Pos() > f.Package {
				continue
			}
			x.Eval(func(tag string) bool { // it visits all tags
				if !slices.Contains(known, tag) && !strings.HasPrefix(tag, "go1.") {
					known, named = append(known, tag), append(named, tag)
				}
				return false
			})
		}
	}
	var sets [][]string
	for chosen := range 1 << min(len(named), 4) { // a bound on what a constraint can cost
		set := slices.Clone(present)
		for i, tag := range named[:min(len(named), 4)] {
			if chosen&(1<<i) != 0 {
				set = append(set, tag)
			}
		}
		sets = append(sets, set)
	}
	return append(sets, slices.Concat(present, named), nil)
}
