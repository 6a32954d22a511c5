package gitread

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// Uncommitted returns the files whose content HEAD does not hold, as git status prints them; empty
// if there are none. It compares with an index of its own, made of HEAD, because that of the work
// tree can hide files (assume-unchanged, skip-worktree). An ignored file is not in HEAD.
func Uncommitted(ctx context.Context, dir string, files []string) (string, error) {
	temporary, remove, err := disk.TemporaryFolder()
	if err != nil {
		return "", err
	}
	defer remove()
	t := &Tree{ctx: ctx, dir: dir, env: []string{"GIT_INDEX_FILE=" + filepath.Join(temporary, "index")}}
	if _, err := t.git("read-tree", "--no-sparse-checkout", "HEAD"); err != nil {
		return "", err
	}
	out, err := t.git(append([]string{
		"-c", "core.fsmonitor=false", "--literal-pathspecs", "status", "--porcelain", "--untracked-files=all", "--ignored", "--",
	}, files...)...)
	return strings.TrimRight(string(out), "\n"), err
}
