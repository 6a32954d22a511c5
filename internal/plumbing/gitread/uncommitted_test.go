package gitread

import (
	"os"
	"strings"
	"testing"
)

// HEAD decides whether a file's content is held, whatever the index and .gitignore say.
func TestUncommitted(t *testing.T) {
	for name, tt := range map[string]struct {
		commands string
		text     string
		want     string
	}{
		"clean":            {"", "one\n", ""},
		"changed":          {"", "two\n", " M sub/a.go"},
		"staged":           {"add a.go", "two\n", " M sub/a.go"},
		"assume-unchanged": {"update-index --assume-unchanged a.go", "two\n", " M sub/a.go"},
		"skip-worktree":    {"update-index --skip-worktree a.go", "two\n", " M sub/a.go"},
		"ignored":          {"rm -q --cached a.go; commit -q -m gone", "two\n", "!! sub/a.go"},
		"line ends":        {"config core.autocrlf true", "one\r\n", ""},
		"untracked":        {"rm -q --cached a.go; rm -q --cached ../.gitignore; commit -q -m gone; clean -q -f ..", "two\n", "?? sub/a.go"},
	} {
		t.Run(name, func(t *testing.T) {
			repository(t)
			write := func(path, text string) {
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			write("a.go", "one\n")
			write("../.gitignore", "a.go\n")
			git(t, "add", "-f", "a.go", "../.gitignore")
			git(t, "commit", "-q", "-m", "two")
			write("a.go", tt.text)
			for command := range strings.SplitSeq(tt.commands, "; ") {
				if command != "" {
					git(t, strings.Fields(command)...)
					write("a.go", tt.text)
				}
			}
			dir, _ := os.Getwd()
			got, err := Uncommitted(t.Context(), dir, []string{dir + "/a.go"})
			if err != nil || got != tt.want {
				t.Errorf("%q, %v; expected %q", got, err, tt.want)
			}
		})
	}
}

// A hook's variables do not decide which repository a folder is in.
func TestHooksVariables(t *testing.T) {
	repository(t)
	t.Setenv("GIT_DIR", t.TempDir())
	t.Setenv("GIT_WORK_TREE", t.TempDir())
	if _, err := Open(t.Context(), "main"); err != nil {
		t.Error(err)
	}
}

// Git's own words about a repository that it refuses are not lost.
func TestRepositoryOfAnotherOwner(t *testing.T) {
	repository(t)
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	if _, err := Open(t.Context(), "main"); err == nil || !strings.Contains(err.Error(), "safe.directory") {
		t.Errorf("%v", err)
	}
}

// If an object of a partial clone can't be fetched, the error names the command that fetches all.
func TestPartialClone(t *testing.T) {
	repository(t)
	origin, _ := os.Getwd()
	git(t, "config", "uploadpack.allowFilter", "true")
	clone := t.TempDir()
	git(t, "clone", "-q", "--filter=blob:none", "--no-checkout", "file://"+origin+"/..", clone)
	t.Chdir(clone)
	git(t, "remote", "set-url", "origin", "file:///nowhere")
	tree, err := Open(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if _, err = tree.Open("top.yaml"); err == nil || !strings.Contains(err.Error(), "git fetch --refetch --no-filter") {
		t.Errorf("%v", err)
	}
}
