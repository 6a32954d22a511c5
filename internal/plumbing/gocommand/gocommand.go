// Package gocommand runs the go command, and says why it failed.
package gocommand

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// Output runs the go command in a folder, and returns what it prints. The error is that of the
// context, or in the go command's words.
func Output(ctx context.Context, dir string, env []string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.Output()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		err = Failure(fmt.Errorf("%w: stderr: %s", err, ended.Stderr))
	}
	return out, cmp.Or(ctx.Err(), err)
}

// Failure returns an error of go/packages in the go command's words, without those around them. For
// a go.mod that needs updates, the go command proposes go mod tidy, which removes the requirements
// that nothing imports yet; go get keeps them.
func Failure(err error) error {
	if err == nil {
		return nil
	}
	text := strings.TrimPrefix(err.Error(), "err: ")
	if _, said, found := strings.Cut(text, ": stderr: "); found && strings.TrimSpace(said) != "" {
		text = said
	}
	if strings.Contains(text, "updates to go.mod needed") {
		return errors.New("go.mod needs updates; run go get ./... (go mod tidy would drop requirements that nothing imports yet)")
	}
	if text == err.Error() {
		return err
	}
	return errors.New(strings.TrimSpace(text))
}
