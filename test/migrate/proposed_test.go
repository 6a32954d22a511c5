// Package migrate_test migrates programs with the catalogs that are proposed for them.
package migrate_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/adoption/judge"
	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/propose"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// entries are the causes for which only the entry is to blame.
var entries = []proof.ID{
	proof.IdentityDiffers, proof.ObjectDiffers, proof.RelatedDiffers, proof.TextDiffers, proof.Unfilled, proof.Zero, proof.Redacted,
	proof.Rendering, proof.Annotations, proof.Action,
}

// TestProposedEntriesFit holds that no call of the corpora is left because of what the entry says
// that is proposed for it.
func TestProposedEntriesFit(t *testing.T) {
	if testing.Short() {
		t.Skip("it type-checks all corpora")
	}
	for name, dir := range corpora(t) {
		t.Run(name, func(t *testing.T) {
			for _, s := range proposed(t, dir).Decisions {
				if s.State == migrate.Left && slices.ContainsFunc(s.Causes, func(c proof.Cause) bool { return slices.Contains(entries, c.ID) }) {
					t.Errorf("%s: %s: %s", s.Pos, s.Reason, s.Why)
				}
			}
		})
	}
}

// TestProposed holds that the calls of small programs are rewritten, but for those whose line says
// that they are left. The entries have the actions that a wrapper gives.
func TestProposed(t *testing.T) {
	dir := module(t)
	if err := os.CopyFS(filepath.Join(dir, "m"), os.DirFS("testdata/proposed")); err != nil {
		t.Fatal(err)
	}
	for _, s := range proposed(t, dir).Decisions {
		text, err := os.ReadFile(filepath.Join(dir, s.Pos.Filename))
		if err != nil {
			t.Fatal(err)
		}
		line := strings.Split(string(text), "\n")[s.Pos.Line-1]
		if left := strings.HasSuffix(line, "// left"); s.Scope != scan.InWrapper && left != (s.State == migrate.Left) {
			t.Errorf("%s: %s: %s", s.Pos, s.Reason, s.Why)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "catalog.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for entry, times := range map[string]int{"reason: Finalized": 1, "action: Reconcile": 1, `message: ""`: 4} {
		if got := strings.Count(string(text), entry); got != times {
			t.Errorf("%d times %q, want %d:\n%s", got, entry, times, text)
		}
	}
}

// corpora are the folders of modules: the test module of scan, and the programs of the scripts that
// migrate.
func corpora(t *testing.T) map[string]string {
	t.Helper()
	dirs := map[string]string{"scan": module(t)}
	if err := os.CopyFS(filepath.Join(dirs["scan"], "m"), os.DirFS("../../internal/adoption/scan/testdata/module")); err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("../../cmd/event-gen/testdata/script/migrate*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("%v: %v", scripts, err)
	}
	for _, script := range scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(archive.Comment, []byte("typed example.com/widgets")) || !bytes.Contains(archive.Comment, []byte("scan -o")) {
			continue
		}
		dir := module(t)
		for _, f := range archive.Files {
			if filepath.Ext(f.Name) == ".go" {
				write(t, filepath.Join(dir, f.Name), f.Data)
			}
		}
		dirs[filepath.Base(script)] = dir
	}
	return dirs
}

// module makes a folder with a go.mod that requires what this module does.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	gomod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	gomod = regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(gomod, []byte("module example.com/widgets"))
	gomod = regexp.MustCompile(`(?m)^\s*github\.com/event-gen/event-gen/runtime .*\n`).ReplaceAll(gomod, nil)
	write(t, filepath.Join(dir, "go.mod"), gomod)
	write(t, filepath.Join(dir, "go.sum"), sum)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", os.Getenv("GOFLAGS")+" -mod=mod")
	return dir
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// proposed migrates the packages of a folder with the catalog that is proposed for them, which it
// writes into the folder.
func proposed(t *testing.T, dir string) *migrate.Plan {
	t.Helper()
	loaded, err := scan.Read(t.Context(), scan.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	p, err := loaded.Program(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	r := scan.Scan(t.Context(), p)
	file := filepath.Join(dir, "catalog.yaml")
	o := propose.Options{Package: "widgetsevents", ImportPath: "example.com/widgets/internal/widgetsevents", Dir: dir}
	_, text, err := judge.Proposed(t.Context(), r, o, file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, file, text)
	catalogs, findings := catalog.Read(file, bytes.NewReader(text))
	set, more := model.Build(t.Context(), catalogs, model.Options{Dir: dir, Resolve: model.ResolveAuto, Baseline: true})
	if findings = append(findings, more...); findings.HasErrors() {
		t.Fatalf("%v\n%s", findings, text)
	}
	plan, err := migrate.New([]*scan.Result{r}, set, migrate.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(plan.Decisions, func(s *migrate.Decision) bool { return s.State == migrate.Rewritten }) {
		t.Error("nothing is rewritten")
	}
	return plan
}
