package architecture

import (
	"bytes"
	"go/ast"
	"os"
	"strings"
	"testing"
)

// TestSeedsComeFromOneFlag checks that random tests of all modules take their seed from the flag
// -seed of a package seed, so that their input can be repeated. Both modules of the workspace have
// such a package, because neither may import the other's.
func TestSeedsComeFromOneFlag(t *testing.T) {
	eachTestFile(t, func(path string, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "uint64" && len(call.Args) == 1 {
				if clock, ok := call.Args[0].(*ast.CallExpr); ok && called(clock) == ".UnixNano" {
					t.Errorf("%s: the clock must not be a seed: use seed.Of(t)", path)
				}
			}
			switch name := called(call); {
			case name == "rapid.Check" || name == "rand.Uint64" || name == "rand.Uint32" || strings.HasPrefix(name, "rand.Int"):
				t.Errorf("%s: %s: use seed.Of(t) or seed.Check", path, name)
			case strings.HasPrefix(name, "flag.") && len(call.Args) > 0:
				if flag, ok := call.Args[0].(*ast.BasicLit); ok && strings.Contains(flag.Value, "seed") {
					t.Errorf("%s: flag %s: the flag for seeds is -seed, of package seed", path, flag.Value)
				}
			}
			return true
		})
	})
	one, err := os.ReadFile("../plumbing/seed/seed.go")
	if err != nil {
		t.Fatal(err)
	}
	if other, err := os.ReadFile("../../runtime/internal/seed/seed.go"); err != nil || !bytes.Equal(one, other) {
		t.Errorf("the packages seed of the two modules differ, or one is missing: %v", err)
	}
}
