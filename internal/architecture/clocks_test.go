package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The reasons why a test file may measure time without a fake clock.
const (
	benchmark = "it is a benchmark"
	hanging   = "it waits at least a minute for something that must happen: only a hang takes as long"
	server    = "a real server has a real clock: how long to record, and promises with bounds in docs/reliability.md"
)

// comparesDurations lists the test files that measure time, with the reason. Files without a reason
// use the fake clock of testing/synctest. No test may fail because a machine is slow; speed is
// measured by benchmarks.
var comparesDurations = map[string]string{
	"benchmarks/recorders_test.go":               hanging,
	"benchmarks/speed_test.go":                   benchmark,
	"benchmarks/trouble_test.go":                 benchmark,
	"runtime/broadcaster/broadcaster_test.go":    "",
	"runtime/broadcaster/check_test.go":          "",
	"runtime/broadcaster/endsubscribers_test.go": "",
	"runtime/broadcaster/givesup_test.go":        "",
	"runtime/broadcaster/guests_test.go":         "",
	"runtime/broadcaster/misuse_test.go":         "",
	"runtime/broadcaster/shutdown_test.go":       "",
	"runtime/clientgo/lifecycle_test.go":         "",
	"runtime/clientgo/record_cases_test.go":      "",
	"runtime/clientgo/watchers_test.go":          "",
	"runtime/eventfilter/filter_test.go":         "",
	"runtime/eventtest/fake_test.go":             "",
	"test/browser/eventdebug_test.go":            hanging,
	"test/e2e/faults/proxy_test.go":              hanging,
	"test/e2e/faults_test.go":                    server,
	"test/e2e/manager/burst_test.go":             server,
	"test/e2e/manager/twins_test.go":             server,
	"test/e2e/names_test.go":                     server,
	"test/e2e/pace_test.go":                      "it measures how slow the machine is, so that this does not decide",
	"test/e2e/parties_test.go":                   hanging,
	"test/e2e/scenarios_test.go":                 server,
	"test/e2e/server_costs_test.go":              benchmark,
	"test/e2e/trouble_limits_test.go":            server,
	"test/e2e/trouble_rights_test.go":            server,
	"test/e2e/trouble_test.go":                   server,
}

// TestNoClockDecides checks that comparesDurations is complete and has no superfluous entries.
func TestNoClockDecides(t *testing.T) {
	found := map[string]bool{}
	eachTestFile(t, func(path string, file *ast.File) {
		if !looksAtDurations(file) {
			return
		}
		found[path] = true
		reason, listed := comparesDurations[path]
		fake := slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing/synctest"` })
		switch {
		case !listed:
			t.Errorf("%s measures time; count steps, make it a benchmark, or use testing/synctest and add it to the list", path)
		case !fake && reason == "":
			t.Errorf("%s has no fake clock, and the list gives no reason", path)
		}
	})
	for path := range comparesDurations {
		if !found[path] {
			t.Errorf("%s is in the list but does not measure time", path)
		}
	}
}

// looksAtDurations reports whether a file, except its benchmarks, measures elapsed or processor
// time.
func looksAtDurations(file *ast.File) (looks bool) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Benchmark") {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch name := called(call); name {
			case "time.Since", "time.Until", "syscall.Getrusage", "ProcessState.UserTime", "ProcessState.SystemTime":
				looks = true
			default: // time.Now() on one side of a comparison
				method := name[strings.LastIndex(name, ".")+1:]
				compares := slices.Contains([]string{"Sub", "After", "Before", "Compare"}, method)
				looks = looks || compares && (isNow(call.Fun.(*ast.SelectorExpr).X) || slices.ContainsFunc(call.Args, isNow))
			}
			return true
		})
	}
	return looks
}

// called returns the name of the called function, after its package, variable or field and a point;
// empty for other calls.
func called(call *ast.CallExpr) string {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	switch x := selector.X.(type) {
	case *ast.Ident:
		return x.Name + "." + selector.Sel.Name
	case *ast.SelectorExpr:
		return x.Sel.Name + "." + selector.Sel.Name
	}
	return "." + selector.Sel.Name
}

func isNow(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && called(call) == "time.Now"
}

// eachTestFile calls yield for each test file of all modules.
func eachTestFile(t *testing.T, yield func(path string, file *ast.File)) {
	t.Helper()
	eachFile(t, "_test.go", func(path string, _ *token.FileSet, file *ast.File) { yield(path, file) })
}

// eachFile calls yield for each Go file of all modules whose name has the ending, except in
// testdata.
func eachFile(t *testing.T, end string, yield func(path string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := e.Name(); e.IsDir() && (name == "testdata" || name == "bin" || len(name) > 2 && name[0] == '.') {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, end) {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		within, err := filepath.Rel(root, path)
		yield(filepath.ToSlash(within), set, file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
