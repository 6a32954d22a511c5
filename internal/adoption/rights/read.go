package rights

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// Stdin is the path for standard input.
const Stdin = "-"

// stdinName is the name of standard input in positions.
const stdinName = "<stdin>"

// maxSize bounds a file: 16 MiB, some times the largest bundle of manifests in use.
const maxSize = 16 << 20

// reader reads each file once, however it is reached.
type reader struct {
	set  Set
	seen map[string]bool
}

// Read reads manifests: files of YAML and Go, folders with everything below them, and "-" for
// standard input. Its findings are about files that
// can't be read; if there are any, the set is incomplete.
func Read(paths []string, stdin io.Reader) (*Set, diag.Findings) {
	r := reader{seen: map[string]bool{}}
	var findings diag.Findings
	for _, path := range paths {
		findings = append(findings, r.path(path, stdin)...)
	}
	if len(findings) == 0 && r.set.Empty() {
		findings.Unreadf(diag.Pos{File: strings.Join(paths, " ")}, "", "expected a Role, ClusterRole or +kubebuilder:rbac marker, found none")
	}
	r.set.settle()
	return &r.set, findings
}

func (r *reader) path(path string, stdin io.Reader) diag.Findings {
	if path == Stdin {
		data, err := readAll(stdin)
		if err != nil {
			return unread(diag.Pos{File: stdinName}, "", "%v", err)
		}
		return r.set.readManifests(stdinName, data)
	}
	info, err := disk.Stat(path)
	switch {
	case err != nil:
		return unread(diag.Pos{File: path}, "", "%v", cause(err))
	case slices.Contains(kustomizations, filepath.Base(path)):
		return unread(diag.Pos{File: path}, "", "a kustomization is read rendered: %s", rendered(filepath.Dir(path)))
	case !info.IsDir():
		return r.file(path)
	case isChart(path):
		return unread(diag.Pos{File: path}, "", "a Helm chart is read rendered: helm template %s | event-gen scan --rbac=-", path)
	}
	return r.folder(path)
}

// unread returns one finding about a file that can't be read.
func unread(pos diag.Pos, rule, format string, args ...any) (findings diag.Findings) {
	findings.Unreadf(pos, rule, format, args...)
	return findings
}

// skipped are folders without code of the program itself.
var skipped = []string{"vendor", "node_modules", "testdata"}

// kustomizations are the names of the files that kustomize reads.
var kustomizations = []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}

func rendered(dir string) string {
	return fmt.Sprintf("kubectl kustomize %s | event-gen scan --rbac=-", dir)
}

// resources returns the kustomization of a folder and the resources that it lists; empty without
// one.
func resources(dir string) (path string, listed []string) {
	for _, name := range kustomizations {
		var k struct{ Resources []string }
		path := filepath.Join(dir, name)
		if data, err := readFile(path); err == nil && yaml.Unmarshal(data, &k) == nil {
			return path, k.Resources
		}
	}
	return "", nil
}

// folder reads all YAML and Go below a folder, but beside a kustomization only the YAML that it
// lists. It applies none, and notes one in the folder itself.
func (r *reader) folder(root string) (findings diag.Findings) {
	if path, _ := resources(root); path != "" {
		r.set.Notes.Infof(diag.Pos{File: path}, "", "it is not applied: its files are read as they are; to judge what it makes: %s", rendered(root))
	}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != root && (slices.Contains(skipped, e.Name()) || strings.HasPrefix(e.Name(), ".")):
			return fs.SkipDir
		case e.IsDir() && isChart(path):
			r.set.Notes.Warnf(diag.Pos{File: path}, "", "a Helm chart is read rendered: helm template %s | event-gen scan --rbac=-", path)
			return fs.SkipDir
		case e.Type().IsRegular() && readable(e.Name()):
			if beside, listed := resources(filepath.Dir(path)); beside == "" || filepath.Ext(path) == ".go" || slices.Contains(listed, e.Name()) {
				r.below(path)
			}
		}
		return nil
	})
	if err != nil {
		findings.Unreadf(diag.Pos{File: root}, "", "%v", cause(err))
	}
	return findings
}

// below reads a file that nobody has named. It skips an unreadable file, and notes it if it
// mentions roles.
func (r *reader) below(path string) {
	findings := r.file(path)
	if data, err := readFile(path); err != nil || strings.Contains(string(data), rbacGroup) {
		r.set.Notes = append(r.set.Notes, findings...)
	}
}

func readable(name string) bool {
	switch filepath.Ext(name) {
	case ".yaml", ".yml", ".json":
		return true
	case ".go":
		return !strings.HasSuffix(name, "_test.go")
	}
	return false
}

// jsonManifest matches an object of an API, and no schema of one.
var jsonManifest = regexp.MustCompile(`"apiVersion":\s*"`)

func isChart(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "Chart.yaml"))
	return err == nil
}

// file reads a file once.
func (r *reader) file(path string) (findings diag.Findings) {
	key := identity(path)
	if r.seen[key] {
		return nil
	}
	r.seen[key] = true
	data, err := readFile(path)
	if err != nil {
		return unread(diag.Pos{File: path}, "", "%v", cause(err))
	}
	switch {
	case strings.HasSuffix(path, ".go"):
		return r.set.readMarkers(path, data)
	case filepath.Ext(path) == ".json" && !jsonManifest.Match(data):
		return nil
	}
	findings = r.set.readManifests(path, data)
	if len(findings) > 0 && unrendered(data) {
		return unread(diag.Pos{File: path}, "", "a Helm template is read rendered: helm template CHART | event-gen scan --rbac=- (found in %s)", filepath.Dir(path))
	}
	return findings
}

func readFile(path string) ([]byte, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAll(f)
}

func readAll(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxSize+1))
	if err == nil && len(data) > maxSize {
		err = fmt.Errorf("expected at most %d MiB", maxSize>>20)
	}
	return data, err
}

func identity(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}

// cause leaves out the path, which the position has.
func cause(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}
