package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"strings"
)

// clean fails if a file that would be changed has changes that are not committed: git could not bring them back.
func (m *migration) clean() error {
	if m.force || len(m.plan.Files) == 0 {
		return nil
	}
	args := []string{"-C", m.dir, "status", "--porcelain", "--untracked-files=all", "--"}
	for _, f := range m.plan.Files {
		args = append(args, f.Path)
	}
	var out, complaint bytes.Buffer
	c := exec.CommandContext(m.cmd.Context(), "git", args...)
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		return fmt.Errorf("git status: %v: %s; only git can undo what --write does; --force writes all the same", err, why)
	}
	if text := strings.TrimRight(out.String(), "\n"); text != "" {
		return fmt.Errorf("these files have changes that are not committed; commit them, or give --force:\n%s", text)
	}
	return nil
}
