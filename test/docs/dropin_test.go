package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDropInIsDocumented holds the tables of docs/adopting.md to what there is: each function of
// client-go that makes a broadcaster, and each option of the drop-in. The example must not end
// recording with the manager's context, as a late reconciler would lose its events.
func TestDropInIsDocumented(t *testing.T) {
	page := read(t, "docs/adopting.md")
	made := 0
	for _, folder := range foldersOf(t, "k8s.io/client-go/tools/record", "k8s.io/client-go/tools/events") {
		for _, f := range functionsOf(t, folder) {
			if !strings.HasPrefix(f, "New") || !strings.Contains(f, "Broadcaster") || strings.Contains(f, "Deprecated") {
				continue
			}
			made++
			if call := "| `" + filepath.Base(folder) + "." + f + "("; !strings.Contains(page, call) {
				t.Errorf("docs/adopting.md: no row begins with %s", call)
			}
		}
	}
	if made < 5 {
		t.Errorf("client-go has %d functions that make a broadcaster, want at least 5", made)
	}
	options := 0
	for _, f := range functionsOf(t, filepath.Join("..", "..", "runtime", "clientgo")) {
		if strings.HasPrefix(f, "With") {
			options++
			if row := "| `" + f + "` |"; !strings.Contains(page, row) {
				t.Errorf("docs/adopting.md: no row begins with %s", row)
			}
		}
	}
	if options == 0 {
		t.Error("the drop-in has no options")
	}
	for _, text := range goBlocks(t, "docs/adopting.md") {
		if strings.Contains(text, "clientgo.WithContext(") {
			t.Errorf("docs/adopting.md: an example ends recording with a context:\n%s", text)
		}
	}
}

// foldersOf are the folders of packages.
func foldersOf(t *testing.T, packages ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-f", "{{.Dir}}"}, packages...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// functionsOf are the exported functions of the package in a folder, without methods and tests.
func functionsOf(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}
