package output

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
)

// Apply carries out the plan. Every new content is first written to a temporary file in the folder of its target; only
// when all of them are there, they replace their targets. After an error, what was done is undone.
func (p *Plan) Apply() diag.Findings {
	var t transaction
	if err := t.run(p.Changes); err != nil {
		t.undo()
		return catalog.Unreadable(err.path, err.error)
	}
	return nil
}

// failure is an error with the path that it is about.
type failure struct {
	path string
	error
}

// transaction keeps how to take back each step.
type transaction struct{ back []func() }

func (t *transaction) undo() {
	for i := len(t.back) - 1; i >= 0; i-- {
		t.back[i]()
	}
}

func (t *transaction) run(changes []Change) *failure {
	temporary := make([]string, len(changes))
	for i, c := range changes {
		if c.State == Extra {
			continue
		}
		var err error
		if temporary[i], err = t.stage(c); err != nil {
			return &failure{c.Path, err}
		}
	}
	for i, c := range changes {
		if err := t.commit(c, temporary[i]); err != nil {
			return &failure{c.Path, err}
		}
	}
	return nil
}

// stage writes a change to a temporary file and gives its name.
func (t *transaction) stage(c Change) (string, error) {
	if err := t.makeFolder(c.root, filepath.Dir(c.name)); err != nil {
		return "", err
	}
	return t.writeTemporary(c)
}

// makeFolder makes a folder and those above it.
func (t *transaction) makeFolder(root *os.Root, folder string) error {
	if _, err := root.Stat(folder); err == nil || folder == "." {
		return nil
	}
	if err := t.makeFolder(root, filepath.Dir(folder)); err != nil {
		return err
	}
	if err := root.Mkdir(folder, 0o755); err != nil {
		return err
	}
	t.back = append(t.back, func() { root.Remove(folder) })
	return nil
}

func (t *transaction) writeTemporary(c Change) (string, error) {
	name := filepath.Join(filepath.Dir(c.name), fmt.Sprintf(".%s.%s", filepath.Base(c.name), rand.Text()))
	f, err := c.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", err
	}
	t.back = append(t.back, func() { c.root.Remove(name) })
	_, err = f.Write(c.new)
	if c.mode != 0 && err == nil {
		err = f.Chmod(c.mode)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return name, err
}

// commit replaces or removes a target.
func (t *transaction) commit(c Change, temporary string) error {
	var err error
	if c.State == Extra {
		err = c.root.Remove(c.name)
	} else {
		err = c.root.Rename(temporary, c.name)
	}
	if err == nil {
		t.back = append(t.back, func() { restore(c) })
	}
	return err
}

// restore brings back what was there before the change, as far as that is possible.
func restore(c Change) {
	if c.State == Missing {
		c.root.Remove(c.name)
		return
	}
	var t transaction
	c.new = c.old
	if name, err := t.writeTemporary(c); err != nil || c.root.Rename(name, c.name) != nil {
		t.undo()
	}
}
