// Package gocommand says why the go command failed.
package gocommand

import (
	"errors"
	"strings"
)

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
