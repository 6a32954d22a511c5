package architecture

import (
	"go/types"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// maxSurface bounds what a user of the run time can see: it may shrink, and grows only on purpose.
const maxSurface = 555

// TestTheSurfaceOfTheRunTimeIsBounded counts the exported names of the packages under runtime, with
// fields and methods, those of internal packages left out. An alias counts as what it stands for.
func TestTheSurfaceOfTheRunTimeIsBounded(t *testing.T) {
	sum, perPackage := 0, map[string]int{}
	for _, dir := range []string{"../../runtime", "../../runtime/ctrlevents"} {
		found, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedTypes | packages.NeedDeps | packages.NeedImports, Env: append(os.Environ(), "GOWORK=off")}, "./...")
		if err != nil || packages.PrintErrors(found) > 0 {
			t.Fatal(err, "packages have errors")
		}
		for _, p := range found {
			path := strings.TrimPrefix(p.PkgPath, module+"/")
			if strings.Contains(path+"/", "/internal/") || perPackage[path] > 0 {
				continue
			}
			perPackage[path] = exportedOf(p.Types.Scope())
			sum += perPackage[path]
		}
	}
	t.Logf("%d exported names: %v", sum, perPackage)
	if sum > maxSurface || sum < maxSurface/2 {
		t.Errorf("%d exported names, expected at most %d; unexport what only our packages use: %v", sum, maxSurface, perPackage)
	}
}

// exportedOf counts the exported names of a package.
func exportedOf(scope *types.Scope) (n int) {
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		n++
		if _, ok := o.(*types.TypeName); ok {
			n += membersOf(types.Unalias(o.Type()))
		}
	}
	return n
}

// membersOf counts the exported fields and methods that a type declares.
func membersOf(t types.Type) (n int) {
	if named, ok := t.(*types.Named); ok {
		for m := range named.Methods() {
			n += one(m)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if !f.Embedded() {
				n += one(f)
			}
		}
	case *types.Interface:
		for m := range u.ExplicitMethods() {
			n += one(m)
		}
	}
	return n
}

func one(o types.Object) int {
	if o.Exported() {
		return 1
	}
	return 0
}
