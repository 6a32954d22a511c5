package disk

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Overlay holds other texts of files for the go command, in a temporary folder.
type Overlay struct {
	// File is the value of the go command's flag -overlay.
	File string
	dir  string
	// replace has the temporary file of each path.
	replace map[string]string
}

// overlays are the folders of overlays that are not removed yet, guarded by writing.
var overlays = map[string]bool{}

// NewOverlay writes texts, by absolute path, to a new temporary folder. The caller removes the
// overlay; Hold removes those that are left, so that an interrupted command leaves none. The next
// overlay removes what a killed process has left.
func NewOverlay(texts map[string][]byte) (*Overlay, error) {
	writing.Lock()
	defer writing.Unlock()
	sweepOverlays()
	dir, err := os.MkdirTemp("", fmt.Sprintf("%s%d-", overlayPrefix, os.Getpid()))
	if err != nil {
		return nil, err
	}
	overlays[dir] = true
	o := &Overlay{File: filepath.Join(dir, "overlay.json"), dir: dir, replace: map[string]string{}}
	if err := o.write(texts); err != nil {
		removeOverlay(dir)
		return nil, err
	}
	return o, nil
}

func (o *Overlay) write(texts map[string][]byte) error {
	for path, text := range texts {
		o.replace[path] = filepath.Join(o.dir, fmt.Sprintf("%d%s", len(o.replace), filepath.Ext(path)))
		if err := os.WriteFile(o.replace[path], text, 0o600); err != nil {
			return err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": o.replace})
	if err != nil {
		return err
	}
	return os.WriteFile(o.File, list, 0o600)
}

// Remove removes the folder.
func (o *Overlay) Remove() {
	writing.Lock()
	defer writing.Unlock()
	removeOverlay(o.dir)
}

// TemporaryFolder makes a folder. The caller calls remove; Hold removes what is left.
func TemporaryFolder() (dir string, remove func(), err error) {
	o, err := NewOverlay(nil)
	if err != nil {
		return "", nil, err
	}
	return o.dir, o.Remove, nil
}

// removeOverlay removes a folder. The system's own clean-up removes what can't be removed here.
func removeOverlay(dir string) {
	_ = os.RemoveAll(dir)
	delete(overlays, dir)
}

const overlayPrefix = "event-gen-"

// sweepOverlays removes the folders that killed processes have left.
func sweepOverlays() {
	found, _ := filepath.Glob(filepath.Join(os.TempDir(), overlayPrefix+"*"))
	for _, dir := range found {
		var pid int
		if _, err := fmt.Sscanf(filepath.Base(dir), overlayPrefix+"%d-", &pid); err == nil && !runs(pid) {
			_ = os.RemoveAll(dir) // another user's stays
		}
	}
}

// Named returns a text that the go command printed in a folder, with the files' own paths, relative
// to the folder if they are below it.
func (o *Overlay) Named(text, base string) string {
	for path, at := range o.replace {
		own := path
		if rel, err := filepath.Rel(base, path); err == nil && filepath.IsLocal(rel) {
			own = rel
		}
		if rel, err := filepath.Rel(base, at); err == nil {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "./"+rel+":", own+":"), rel+":", own+":")
		}
		text = strings.ReplaceAll(text, at+":", own+":")
	}
	return text
}
