package progress

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
)

// cached is the go command's reason for a package that need not be compiled again (buildid.go of
// cmd/go's package work).
const cached = "not installed but available in build cache"

// Compile has the go command compile what packages import, and counts the packages. go/packages
// would do the same and print nothing until all is done; afterwards it finds everything in the
// build cache. Compile reports no errors, because go/packages does. With a nil Progress it does
// nothing.
func (p *Progress) Compile(ctx context.Context, dir string, env, flags, patterns []string) {
	if p == nil {
		return
	}
	p.Step("looking for modules and dependencies")
	all := p.stale(ctx, dir, env, flags, patterns)
	if all == 0 {
		return
	}
	p.Step("compiling dependencies")
	done := 0
	p.list(ctx, dir, env, append([]string{"-export", "-v", "-f="}, flags...), patterns, func(line string) {
		if !strings.ContainsAny(line, " #:") {
			done++
			p.Count(min(done, all), all, "packages")
		}
	})
}

// stale counts the packages that must be compiled.
func (p *Progress) stale(ctx context.Context, dir string, env, flags, patterns []string) (n int) {
	out := p.list(ctx, dir, env, append([]string{"-f={{if .Stale}}{{.StaleReason}}{{end}}"}, flags...), patterns, func(line string) {
		if module, ok := strings.CutPrefix(line, "go: downloading "); ok {
			p.Note("downloading " + module)
		}
	})
	for line := range bytes.Lines(out) {
		if text := strings.TrimSpace(string(line)); text != "" && text != cached {
			n++
		}
	}
	return n
}

// list runs go list on packages and what they import. It hands out the lines of its stderr as they
// come, and returns its stdout.
func (p *Progress) list(ctx context.Context, dir string, env, flags, patterns []string, each func(line string)) []byte {
	args := append(append([]string{"list", "-e", "-deps"}, flags...), "--")
	cmd := exec.CommandContext(ctx, "go", append(args, patterns...)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var out bytes.Buffer
	cmd.Stdout = &out
	told, err := cmd.StderrPipe()
	if err != nil || cmd.Start() != nil {
		return nil
	}
	for lines := bufio.NewScanner(told); lines.Scan(); {
		each(lines.Text())
	}
	_ = cmd.Wait()
	return out.Bytes()
}
