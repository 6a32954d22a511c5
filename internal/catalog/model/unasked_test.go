package model

import (
	"errors"
	"strings"
	"testing"
)

// A missing go command and a failing one are reported differently.
func TestUnasked(t *testing.T) {
	l := &loader{dir: t.TempDir()}
	failure := errors.New("err: exit status 1")
	if got := l.unasked(failure); len(got) != 1 || !got[0].Unread || !strings.Contains(got[0].Message, "can't load Go types: exit status 1") {
		t.Errorf("a go command that fails: %v", got)
	}
	t.Setenv("PATH", t.TempDir())
	if got := l.unasked(failure); len(got) != 1 || !got[0].Unread || !strings.Contains(got[0].Message, "was not found") {
		t.Errorf("no go command: %v", got)
	}
	if got := l.unasked(nil); len(got) > 0 {
		t.Errorf("no failure: %v", got)
	}
}
