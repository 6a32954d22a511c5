package migrate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/internal/plumbing/gocommand"
)

// Failure holds the errors that a change would cause, as the go command prints them. Their
// positions are those of the changed files.
type Failure struct {
	Lines []string
	// Tags are the build tags with which the packages were compiled.
	Tags []string
}

func (f *Failure) Error() string {
	with := ""
	if len(f.Tags) > 0 {
		with = " with the tags " + strings.Join(f.Tags, ",")
	}
	return fmt.Sprintf("the changed packages would not compile%s (positions in the changed files):\n%s", with, strings.Join(f.Lines, "\n"))
}

// Verify has the go command compile the packages and their tests as they would be after the change,
// once for each load. It writes into no module: the go command takes the new texts as an overlay.
// The error is a *Failure if the files on disk do not have an error, whatever its line is. The
// result names the packages with changed files that can't be compiled before or after the
// change, because they import one with an error.
func (p *Plan) Verify(ctx context.Context, loads []*scan.Loaded, generated map[string][]byte) (unchecked []string, err error) {
	for _, l := range loads {
		after, err := compile(ctx, l, p.Changed(generated))
		if err != nil {
			return nil, err
		}
		for path := range p.Changed(generated) {
			if name := after.blocked[filepath.Dir(path)]; name != "" {
				unchecked = append(unchecked, name)
			}
		}
		if len(after.errors) == 0 {
			continue
		}
		before, err := compile(ctx, l, nil)
		if err != nil {
			return nil, err
		}
		if caused := without(after.errors, before.errors); len(caused) > 0 {
			return nil, &Failure{caused, l.Options.Tags}
		}
	}
	slices.Sort(unchecked)
	return slices.Compact(unchecked), nil
}

// Changed returns the files after the change, with the generated files, by absolute path.
func (p *Plan) Changed(generated map[string][]byte) map[string][]byte {
	out := maps.Clone(generated)
	for _, f := range p.Files {
		out[f.Path] = f.New
	}
	return out
}

// position matches the line and the column of an error.
var position = regexp.MustCompile(`(\.go|\.mod):\d+(:\d+)?`)

// without returns the errors that are more often in after than in before. A change moves errors of
// code that it leaves alone, so lines and columns do not count.
func without(after, before []string) (caused []string) {
	key := func(text string) string { return position.ReplaceAllString(text, "$1") }
	known := map[string]int{}
	for _, text := range before {
		known[key(text)]++
	}
	for _, text := range after {
		if known[key(text)]--; known[key(text)] < 0 {
			caused = append(caused, text)
		}
	}
	return caused
}

// compiled is what the go command found in packages and their tests.
type compiled struct {
	errors []string // each once, as printed
	// blocked has the path of each package, by its folder, that was not compiled because it imports
	// one with an error.
	blocked map[string]string
}

// compile compiles the packages of a load, with other texts for some files.
func compile(ctx context.Context, l *scan.Loaded, texts map[string][]byte) (*compiled, error) {
	overlay, err := disk.NewOverlay(texts)
	if err != nil {
		return nil, err
	}
	defer overlay.Remove()
	found := &compiled{blocked: map[string]string{}}
	for _, g := range l.Groups {
		cfg := l.Options.Config(ctx, g.Dir)
		args := []string{"list", "-e", "-export", "-test", "-json=Dir,ImportPath,Error,DepsErrors", "-gcflags=-e", "-overlay=" + overlay.File}
		out, err := gocommand.Output(ctx, g.Dir, cfg.Env, slices.Concat(args, cfg.BuildFlags, g.Patterns)...)
		if err != nil {
			return nil, err
		}
		if err := found.read(out, func(text string) string { return overlay.Named(text, g.Dir) }); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// read reads what go list prints. named gives the files in a text their own paths.
func (c *compiled) read(out []byte, named func(text string) string) error {
	type packageError struct{ Pos, Err string }
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			Dir, ImportPath string
			Error           *packageError
			DepsErrors      []packageError
		}
		if err := dec.Decode(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if p.Error != nil {
			p.DepsErrors = append(p.DepsErrors, *p.Error)
		} else if len(p.DepsErrors) > 0 && !strings.HasSuffix(p.ImportPath, ".test") {
			c.blocked[p.Dir] = p.ImportPath
		}
		for _, e := range p.DepsErrors {
			for _, text := range messages(e.Err) {
				if e.Pos != "" {
					text = e.Pos + ": " + text
				}
				if text = named(text); !slices.Contains(c.errors, text) {
					c.errors = append(c.errors, text)
				}
			}
		}
	}
}

// messages splits an error of the go command into those of the compiler. Further lines of a message
// begin with a tab, and lines of the go command with a #.
func messages(text string) (out []string) {
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "\t") && len(out) > 0:
			out[len(out)-1] += "\n" + strings.TrimRight(line, "\n")
		default:
			out = append(out, strings.TrimRight(line, "\n"))
		}
	}
	return out
}
