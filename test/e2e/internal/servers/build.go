package servers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// ensure returns the folder of the cache that holds the module's programs, having built those that
// were missing.
func (m module) ensure(ctx context.Context, source, cache string, progress io.Writer) (string, error) {
	r, err := m.recipe(ctx, source)
	if err != nil {
		return "", err
	}
	target := filepath.Join(cache, r.key)
	if len(m.missing(target)) == 0 {
		return target, nil
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return "", err
	}
	unlock, err := lock(ctx, filepath.Join(target, ".lock"), progress)
	if err != nil {
		return "", err
	}
	defer unlock()
	for _, p := range m.missing(target) {
		if err := p.build(ctx, r, target, progress); err != nil {
			return "", err
		}
	}
	return target, nil
}

// missing lists the programs that target does not hold. A program that is there is whole, because a
// build ends with a rename.
func (m module) missing(target string) []program {
	var missing []program
	for _, p := range m.programs {
		if !isProgram(filepath.Join(target, p.name)) {
			missing = append(missing, p)
		}
	}
	return missing
}

// lock holds off other processes that build the same module, waiting as long as ctx allows.
func lock(ctx context.Context, path string, progress io.Writer) (unlock func(), err error) {
	l := flock.New(path)
	held, err := l.TryLock()
	if err == nil && !held {
		fmt.Fprintf(progress, "waiting for another process that builds the servers (it holds %s)\n", path)
		_, err = l.TryLockContext(ctx, 500*time.Millisecond)
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, errors.Join(err, l.Close()))
	}
	return func() { _ = l.Close() }, nil // closing the file gives up the lock, whatever it answers
}

func (p program) build(ctx context.Context, r recipe, target string, progress io.Writer) error {
	fmt.Fprintf(progress, "building %s %s once, %s on two cores…\n", p.name, r.version, p.cost)
	start := time.Now()
	final := filepath.Join(target, p.name)
	half := final + ".part" // only the holder of the lock writes it
	if err := p.compile(ctx, r, half); err != nil {
		return errors.Join(err, removed(half))
	}
	if err := os.Rename(half, final); err != nil {
		return err
	}
	fmt.Fprintf(progress, "built %s in %s\n", p.name, time.Since(start).Round(time.Second))
	return nil
}

func (p program) compile(ctx context.Context, r recipe, output string) error {
	args := append([]string{"build"}, r.flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "-o", output, p.pkg)...)
	cmd.Dir = r.folder
	cmd.Env = buildEnvironment()
	// lets go end its compilers
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build %s in %s: %w\n%s", p.pkg, r.folder, errors.Join(err, context.Cause(ctx)), bytes.TrimSpace(out.Bytes()))
	}
	return nil
}

func removed(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
