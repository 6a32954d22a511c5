package progress

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
)

// cached is the reason that the go command gives for a package that it need not compile (buildid.go
// of cmd/go/internal/work).
const cached = "not installed but available in build cache"

// Compile lets the go command compile the imports of packages, and counts them. go/packages would
// compile them too, but print nothing meanwhile. After Compile it finds them in the build cache.
// Compile reports no errors, because go/packages will. With a nil Progress it does nothing.
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

// list runs go list on packages and their imports. It calls each for every line of stderr as it
// arrives, and returns stdout.
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
