package gocommand

import (
	"errors"
	"testing"
)

func TestFailure(t *testing.T) {
	for said, want := range map[string]string{
		"err: exit status 1: stderr: go: updates to go.mod needed; to update it:\n\tgo mod tidy\n": "go.mod needs updates; run go get ./... (go mod tidy would drop requirements that nothing imports yet)",
		"err: exit status 1: stderr: go: errors parsing go.mod:\ngo.mod:3: unknown directive: x\n": "go: errors parsing go.mod:\ngo.mod:3: unknown directive: x",
		"err: exit status 1: stderr: ": "exit status 1: stderr:",
		"err: exit status 1":           "exit status 1",
		"context canceled":             "context canceled",
	} {
		if got := Failure(errors.New(said)).Error(); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
	}
	if Failure(nil) != nil {
		t.Error("no failure has become one")
	}
}
