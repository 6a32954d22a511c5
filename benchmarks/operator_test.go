package benchmarks

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/mod/modfile"
)

// program is an operator of controller-runtime, with a file for each way to make its manager.
const program = "../test/e2e/manager/program"

// BenchmarkOperator is what an operator pays for ctrlevents: modules in go.mod, bytes of the
// binary, and memory while no server answers. The operator that records by controller-runtime alone
// uses tools/events.
func BenchmarkOperator(b *testing.B) {
	for _, m := range []struct{ recorder, tag, other string }{{"events", "alone", "new"}, {"event-gen", "new", "alone"}} {
		b.Run("recorder="+m.recorder, func(b *testing.B) {
			dir := operatorModule(b, m.other)
			file := filepath.Join(dir, "program")
			goIn(b, dir, "build", "-trimpath", "-ldflags=-s -w", "-tags="+m.tag, "-o", file, ".")
			for b.Loop() {
				reportOperator(b, dir, file)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// operatorModule is a module with the program but for the manager of one kind, tidied as a user's
// would be. Versions are those of the program's own module.
func operatorModule(b *testing.B, without string) (dir string) {
	dir = b.TempDir()
	must(os.CopyFS(dir, os.DirFS(program)))
	for _, kind := range []string{without, "wrap"} {
		must(os.Remove(filepath.Join(dir, "manager_"+kind+".go")))
	}
	const own = "../test/e2e"
	data, err := os.ReadFile(filepath.Join(own, "go.mod"))
	must(err)
	mod, err := modfile.Parse("go.mod", data, nil)
	must(err)
	must(mod.AddModuleStmt("example.com/operator"))
	for _, r := range mod.Replace {
		path, err := filepath.Abs(filepath.Join(own, r.New.Path))
		must(err)
		must(mod.AddReplace(r.Old.Path, r.Old.Version, path, ""))
	}
	data, err = mod.Format()
	must(err)
	must(os.WriteFile(filepath.Join(dir, "go.mod"), data, 0o644))
	goIn(b, dir, "mod", "tidy")
	return dir
}

func goIn(b *testing.B, dir string, args ...string) {
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go %v: %v\n%s", args, err, out)
	}
}

// reportOperator runs a program once, and reports its costs.
func reportOperator(b *testing.B, dir, file string) {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	must(err)
	mod, err := modfile.Parse("go.mod", data, nil)
	must(err)
	info, err := buildinfo.ReadFile(file)
	must(err)
	stat, err := os.Stat(file)
	must(err)
	out, err := exec.Command(file, "-measure").Output()
	must(err)
	var costs struct{ Before, With struct{ Resident float64 } }
	must(json.Unmarshal(out, &costs))
	b.ReportMetric(float64(len(mod.Require)), "required")
	b.ReportMetric(float64(len(info.Deps)), "modules")
	b.ReportMetric(float64(stat.Size())/1e6, "MB-binary")
	b.ReportMetric(costs.Before.Resident/1e6, "MB-before")
	b.ReportMetric(costs.With.Resident/1e6, "MB-pending")
}
