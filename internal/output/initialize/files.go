package initialize

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
	"github.com/event-gen/event-gen/templates"
)

// Module is the module for which the catalog is made.
type Module struct {
	Root string // folder of go.mod
	Path string
	// Dir is the folder of the catalog below Root, with slashes.
	Dir string
	// Command is the command line that runs event-gen in go:generate and in CI.
	Command string
	// Clone is the repository from which CI installs event-gen, and takes its run time; empty if
	// Command names a release.
	Clone string
	// Adopted is the path below Root, with slashes, of a catalog that is there already; empty if
	// the catalog is a new one in Dir.
	Adopted string
	// Repository is the root of the repository, for a workflow of GitHub's CI. If it is empty, no
	// workflow is written.
	Repository string
}

// Catalog returns the path of the catalog below Root, with slashes.
func (m Module) Catalog() string { return cmp.Or(m.Adopted, path.Join(m.Dir, CatalogFile)) }

// File is a file to write, with a slash-separated path below a folder.
type File struct {
	Root, Path string
	Content    []byte
}

// CatalogFile is the catalog's name in its folder.
const CatalogFile = "catalog.yaml"

// Files returns the catalog and its companion files. proposed is the catalog's text. If it is nil,
// the catalog has the kinds and no events. An adopted catalog gets neither text nor schema.
func Files(m Module, kinds []Kind, proposed []byte) ([]File, error) {
	name := path.Base(m.Dir)
	if !token.IsIdentifier(name) || name == "main" {
		return nil, fmt.Errorf("the folder's name %q can't be the name of a Go package", name)
	}
	s, err := catalog.Schema()
	if err != nil {
		return nil, err
	}
	var files []File
	if m.Adopted == "" {
		files = append(files, File{m.Root, path.Join(m.Dir, catalog.SchemaFile), s})
	}
	data := m.data(name, kinds)
	sources := []struct{ root, path, template string }{
		{m.Root, discovery.ConfigurationFile, "event-gen.yaml.tmpl"}, {m.Root, path.Join(m.Dir, "doc.go"), "doc.go.tmpl"},
	}
	switch {
	case m.Adopted != "":
	case proposed != nil:
		files = append(files, File{m.Root, path.Join(m.Dir, CatalogFile), proposed})
	default:
		sources = append(sources, struct{ root, path, template string }{m.Root, path.Join(m.Dir, CatalogFile), "catalog.yaml.tmpl"})
	}
	if m.Repository != "" {
		sources = append(sources, struct{ root, path, template string }{m.Repository, workflow, "workflow.yaml.tmpl"})
	}
	for _, t := range sources {
		text, err := executed(t.template, data)
		if err != nil {
			return nil, err
		}
		files = append(files, File{t.root, t.path, text})
	}
	return files, nil
}

func executed(name string, data map[string]any) ([]byte, error) {
	parsed, err := template.ParseFS(templates.Init, "init/"+name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = parsed.Execute(&b, data)
	return b.Bytes(), err
}

// workflow is the path of the workflow for GitHub's CI. Users of another CI can copy its commands.
const workflow = ".github/workflows/events.yaml"

// entry is a line of a mapping in the catalog.
type entry struct{ Alias, Path, Value string }

func (m Module) data(name string, kinds []Kind) map[string]any {
	imports, objects := entries(kinds)
	return map[string]any{
		"Package": name, "Schema": catalog.SchemaFile, "Command": m.Command, "Clone": m.Clone, "Adopted": m.Adopted, "Dir": m.Dir, "Catalog": m.Catalog(),
		"Module": m.inRepository(), "SchemaFile": path.Join(m.Dir, catalog.SchemaFile),
		"Controller": Controller(m.Path), "Imports": imports, "Objects": objects,
		"Keys": strings.Join(catalog.Keys[catalog.Event](), ", "),
	}
}

// inRepository returns the module's folder below the repository's root, with slashes; empty for the
// root itself.
func (m Module) inRepository() string {
	rel, err := filepath.Rel(m.Repository, m.Root)
	if m.Repository == "" || err != nil || rel == "." {
		return ""
	}
	return filepath.ToSlash(rel)
}

// Controller returns a qualified name for the module's controller: example.com/widgets becomes
// example.com/widgets-controller. A controller or operator by name keeps its name.
func Controller(modulePath string) string {
	parts := strings.Split(modulePath, "/")
	name := parts[len(parts)-1]
	if len(parts) > 1 && isVersion(name) {
		name = parts[len(parts)-2]
	}
	name = strings.ToLower(name)
	if !strings.HasSuffix(name, "controller") && !strings.HasSuffix(name, "operator") {
		name += "-controller"
	}
	if host := strings.ToLower(parts[0]); len(parts) > 1 && strings.Contains(host, ".") {
		return host + "/" + name
	}
	return name
}

var notInPackage = regexp.MustCompile(`[^a-z0-9]+`)

// Package returns the name of the generated package: the controller's name without its ending,
// followed by "events". For example.com/widget-operator it is widgetevents.
func Package(modulePath string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(Controller(modulePath)), "-controller"), "-operator")
	if name = notInPackage.ReplaceAllString(name, ""); name == "" || name[0] < 'a' {
		name = "module" + name
	}
	return name + "events"
}

// entries returns the imports and the objects of a catalog. For a module without kinds, the object
// is a Pod.
func entries(kinds []Kind) (imports, objects []entry) {
	aliases := map[string]string{}
	taken := map[string]bool{}
	for _, k := range kinds {
		if !k.Versioned {
			continue
		}
		if aliases[k.Path] == "" {
			aliases[k.Path] = unique(aliasOf(k), taken)
			imports = append(imports, entry{Alias: aliases[k.Path], Path: k.Path})
		}
		value := fmt.Sprintf("{type: %s.%s}", aliases[k.Path], k.Name)
		objects = append(objects, entry{Alias: unique(k.Name, taken), Value: value})
	}
	if len(objects) == 0 {
		objects = []entry{{Alias: "Pod", Value: "v1"}}
	}
	return imports, objects
}

// aliasOf returns the alias that Kubernetes would give the package: appsv1 for apps/v1.
func aliasOf(k Kind) string {
	base := path.Base(k.Path)
	if !isVersion(base) {
		return k.Package
	}
	alias := path.Base(path.Dir(k.Path)) + base
	if alias = strings.ToLower(alias); token.IsIdentifier(alias) {
		return alias
	}
	return k.Package
}

func unique(name string, taken map[string]bool) string {
	free := name
	for i := 2; taken[free]; i++ {
		free = fmt.Sprintf("%s%d", name, i)
	}
	taken[free] = true
	return free
}

// Write writes the files that do not exist yet. It returns the absolute paths of the written files
// and of the existing ones. After an error it has written none. It writes nothing outside of the
// files' roots.
func Write(ctx context.Context, files []File) (written, left []string, err error) {
	var changes []disk.Change
	for _, f := range files {
		path := filepath.Join(f.Root, filepath.FromSlash(f.Path))
		if _, err := os.Lstat(path); err == nil {
			left = append(left, path)
			continue
		}
		written = append(written, path)
		changes = append(changes, disk.Change{Path: path, Root: f.Root, Name: filepath.FromSlash(f.Path), Content: f.Content, New: true})
	}
	if err := disk.Apply(ctx, changes); err != nil {
		return nil, left, err
	}
	return written, left, nil
}
