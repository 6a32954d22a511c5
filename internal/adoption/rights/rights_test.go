package rights

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var update = flag.Bool("update", false, "write what is found into testdata")

// The needs that a case can name.
var needs = map[string]Need{
	"core":     {Group: CoreGroup, Pos: diag.Pos{File: "main.go", Line: 1, Column: 1}, What: "record.NewBroadcaster"},
	"events":   {Group: EventsGroup, Pos: diag.Pos{File: "main.go", Line: 2, Column: 1}, What: "events.NewBroadcaster"},
	"election": {Group: CoreGroup, Local: true, Pos: diag.Pos{File: "main.go", Line: 3, Column: 1}, What: "leader election", Unless: "it is disabled"},
	"auto":     {Group: EventsGroup, Fallback: true, Pos: diag.Pos{File: "main.go", Line: 4, Column: 1}, What: "kube.Auto"},
}

// Each case of testdata is read and judged: its comment has lines such as "paths: config" and
// "needs: core election", and its file want has the findings.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d cases: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			abs, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			archive, err := txtar.ParseFile(abs)
			if err != nil {
				t.Fatal(err)
			}
			want := unpack(t, archive)
			got := judged(string(archive.Comment))
			if *update {
				writeWant(t, abs, archive, got)
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// unpack writes the files of a case into a folder, goes there, and returns the wanted findings.
func unpack(t *testing.T, archive *txtar.Archive) (want string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return want
}

// judged runs each line "needs" on the manifests of the line "paths".
func judged(comment string) string {
	var out strings.Builder
	var paths []string
	var unread []string
	var cluster []ClusterSite
	account, uses, option := "", map[string]bool{}, false
	for line := range strings.Lines(comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "paths":
			paths = strings.Fields(value)
		case "account":
			account = value
		case "cluster":
			words := append(strings.Fields(value), "")
			site := ClusterSite{Pos: diag.Pos{File: words[0]}, Kind: words[1]}
			if words[2] != "" {
				site.Groups = []string{strings.TrimPrefix(words[2], "core")}
			}
			cluster = append(cluster, site)
		case "option":
			option = value == "ClusterNamespace"
		case "unread":
			unread = append(unread, value)
		case "uses":
			uses[strings.TrimPrefix(value, "core")] = true
		case "needs":
			out.WriteString("# " + strings.TrimSpace(line) + "\n")
			stdin, _ := os.Open("stdin.yaml")
			set, findings := Read(paths, stdin)
			for _, f := range append(set.Notes, findings...) {
				out.WriteString(f.String() + "\n")
			}
			if len(findings) > 0 {
				continue
			}
			p := Program{Name: "cmd/manager", Uses: uses, Unread: unread, Cluster: cluster, ClusterNamespace: option}
			for _, n := range strings.Fields(value) {
				p.Needs = append(p.Needs, needs[n])
			}
			for _, f := range Judge(set, []Program{p}, []Program{p}, account) {
				out.WriteString(f.Severity.String() + ": " + f.String() + "\n")
			}
		}
	}
	return out.String()
}

func writeWant(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	for i := range archive.Files {
		if archive.Files[i].Name == "want" {
			archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestKnows: for a name in no manifest, Knows returns the names in the manifests, each once.
func TestKnows(t *testing.T) {
	set := &Set{
		Bindings: []*Binding{
			{Subjects: []Subject{{Kind: kindServiceAccount, Name: "manager"}, {Kind: kindServiceAccount, Name: "proxy"}}},
			{Subjects: []Subject{{Kind: kindServiceAccount, Name: "manager"}, {Kind: "User", Name: "admin"}}},
		},
		Accounts: []Account{{Name: "idle", Namespace: "a"}},
	}
	for name, want := range map[string]string{"": "", "manager": "", "a/idle": "", "b/idle": "manager proxy idle", "admin": "manager proxy idle"} {
		known, names := set.Knows(name)
		if got := strings.Join(names, " "); got != want || known != (want == "") {
			t.Errorf("%q: known %t, names %q, want %q", name, known, got, want)
		}
	}
	set.Bindings = nil
	if known, _ := set.Knows("manager"); known {
		t.Error("nothing is bound, but the manifests name accounts, and not this one")
	}
	set.Accounts = nil
	if known, _ := set.Knows("manager"); !known {
		t.Error("the manifests name no account: any name counts")
	}
}
