package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"
)

// Every YAML block is what it seems: a catalog that passes event-gen lint, a part of one, a
// configuration that is read, or a ClusterRole that Kubernetes reads. Blocks that begin with a dash
// are entries of spec.events, and other incomplete ones are keys of spec; they belong to the first
// catalog of their page.
func TestYAML(t *testing.T) {
	bin := build(t)
	module := widgetModule(t)
	for _, page := range []string{"README.md", "CONTRIBUTING.md", "docs/catalog.md", "docs/operating.md", "docs/operating-reference.md"} {
		found, _ := blocks(read(t, page))
		var whole map[string]any
		for _, b := range found {
			if b.lang != "yaml" {
				continue
			}
			where := fmt.Sprintf("%s:%d", page, b.line)
			name := strings.NewReplacer("/", "_", ":", "_", ".md", "").Replace(where)
			file := filepath.Join(module, name+".yaml")
			switch {
			case strings.Contains(b.text, "kind: Configuration\n"):
				checkConfiguration(t, bin, where, b.text)
			case strings.Contains(b.text, "kind: ClusterRole\n"):
				checkRole(t, where, b.text)
			case strings.Contains(b.text, "kind: EventCatalog\n"):
				if whole == nil {
					whole = unmarshal(t, where, b.text)
				}
				put(t, file, b.text)
			case whole == nil:
				t.Errorf("%s: a part of a catalog, and no whole one before it", where)
			default:
				put(t, file, complete(t, where, name, whole["spec"].(map[string]any), b.text))
			}
		}
	}
	lint(t, bin, module, ".")
}

// build builds the command.
func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "event-gen")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/event-gen")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

// lint fails the test if catalogs that the arguments stand for have an error.
func lint(t *testing.T, bin, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command(bin, append([]string{"lint"}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("event-gen lint: %v (files are named page_line)\n%s", err, out)
	}
}

// widgetModule is a module that has the requirements of this one, the work tree's run time among
// them, and the package example.com/widget/api/v1.
func widgetModule(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	path, err := filepath.Abs(filepath.Join(root, "runtime"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "go.mod"), strings.Replace(read(t, "go.mod"), "module "+modulePath, "module example.com/widget", 1)+
		fmt.Sprintf("\nreplace %s => %s\n", runtimePath, path))
	put(t, filepath.Join(dir, "go.sum"), read(t, "go.sum"))
	if err := os.CopyFS(filepath.Join(dir, "api", "v1"), os.DirFS(filepath.Join("testdata", "widget"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

func unmarshal(t *testing.T, where, text string) map[string]any {
	t.Helper()
	tree := map[string]any{}
	if err := yaml.UnmarshalStrict([]byte(text), &tree); err != nil {
		t.Fatalf("%s: %v", where, err)
	}
	return tree
}

// complete makes a catalog of a part. What the part does not say is that of spec, but for the
// events and the package. The part keeps its text, since a tree has no quotes.
func complete(t *testing.T, where, name string, spec map[string]any, part string) string {
	t.Helper()
	others := map[string]any{"go": map[string]any{"package": name}}
	for _, key := range []string{"reportingController", "imports", "objects", "defaults", "params"} {
		if spec[key] != nil {
			others[key] = spec[key]
		}
	}
	if strings.HasPrefix(part, "- ") {
		part = "events:\n" + part
	} else {
		given := unmarshal(t, where, part)
		for key := range given {
			delete(others, key)
		}
		if given["events"] == nil {
			part += "events: [{reason: Shown, message: \"shown\"}]\n"
		}
	}
	rest, err := yaml.Marshal(others)
	if err != nil {
		t.Fatal(err)
	}
	return "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n" + indent(string(rest)+part)
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}

// checkConfiguration has the command read a configuration, with a catalog at each place that it
// lists.
func checkConfiguration(t *testing.T, bin, where, text string) {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "event-gen.yaml"), text)
	for i, place := range unmarshal(t, where, text)["catalogs"].([]any) {
		file := filepath.Join(dir, place.(string))
		if filepath.Ext(file) != ".yaml" {
			file = filepath.Join(file, "catalog.yaml")
		}
		put(t, file, fmt.Sprintf(`apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: listed%d}
  objects: {Pod: v1}
  events: [{reason: Shown, regarding: Pod, message: "shown"}]
`, i))
	}
	lint(t, bin, dir)
}

func checkRole(t *testing.T, where, text string) {
	t.Helper()
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict([]byte(text), &role); err != nil || len(role.Rules) == 0 {
		t.Errorf("%s: %d rules, %v", where, len(role.Rules), err)
	}
}
