//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What a file of a repository may name, as a file to write. Each refusal names its reason.
func TestTarget(t *testing.T) {
	dir := folder(t, map[string]string{
		"repo/.git/HEAD": "", "repo/a/go.mod": "", "repo/a/x.yaml": "", "repo/b/go.mod": "", "repo/docs/x": "",
		"repo/a/vendor/v/x.yaml": "", "other/x": "",
	})
	link(t, "docs", filepath.Join(dir, "repo", "in"))
	r := RepositoryOf(filepath.Join(dir, "repo", "a"))
	if want := filepath.Join(dir, "repo"); r.Top != want {
		t.Fatalf("the top is %s, expected %s", r.Top, want)
	}
	for name, want := range map[string]string{
		"zz.go": "", "new/zz.go": "", "../docs/events.md": "", "../in/events.md": "", "../a/x.md": "", "vendor/v/x.go": "",
		"../../x.md": "leads out of the repository", "../../../../../etc/x": "leads out of the repository",
		"../b/x.md":     "is no part of the module",
		"testdata/x.go": "is no part of the module", "../.git/refs/heads/evil.go": "Git keeps", ".GIT/x": "Git keeps", "x/.g\u200dit/x": "Git keeps",
		"git~1/x": "Git keeps", ".git. /x": "Git keeps", "con.go": "not every system", "Aux/x.go": "not every system", "com1.x.go": "not every system",
		"a:b.go": "not every system", "a./b.go": "not every system", "a\x1bb.go": "not every system", "a\u202eb.go": "not every system",
	} {
		holds := filepath.Join(dir, "repo", "a", "vendor", "v")
		_, err := r.Target(filepath.Join(dir, "repo", "a"), name, filepath.Join(dir, "repo", "a", "x.yaml"), holds)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", name, err, want)
		}
	}
}

// Reading follows links below the top of the repository, and takes regular files there.
func TestOpenStaysInside(t *testing.T) {
	dir := folder(t, map[string]string{"repo/go.mod": "", "repo/a": "text", "src/go.mod": "", "src/a": "text", "other/a": "secret", "linked/x": ""})
	link(t, filepath.Join(dir, "src", "go.mod"), filepath.Join(dir, "linked", "go.mod"))
	for name, to := range map[string]string{"repo/inside": "a", "repo/out": "../other/a", "repo/zero": "/dev/zero", "linked/a": "../src/a", "linked/b": "../other/a"} {
		link(t, to, filepath.Join(dir, filepath.FromSlash(name)))
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "repo", "fifo"), 0o600); err != nil {
		t.Skip(err)
	}
	for name, want := range map[string]string{
		"repo/a": "", "repo/inside": "", "linked/a": "", "repo/out": "symbolic link", "repo/zero": "symbolic link", "repo/fifo": "not a regular file", "linked/b": "symbolic link",
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(filepath.Join(dir, filepath.Dir(name)))
			content, err := ReadFile(filepath.Base(name), 4)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && string(content) != "text" {
				t.Errorf("%q, %v; expected %q", content, err, want)
			}
		})
	}
	// What the user names elsewhere is the user's business, within bounds.
	t.Chdir(filepath.Join(dir, "repo"))
	if content, err := ReadFile("../other/a", 100); string(content) != "secret" {
		t.Errorf("%q, %v", content, err)
	}
	if _, err := ReadFile("../other/a", 3); err == nil || os.IsNotExist(err) {
		t.Errorf("a large file: %v", err)
	}
}
