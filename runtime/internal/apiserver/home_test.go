package apiserver

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// home is where the rules of the API server's answers stand. The store of the in-memory sink gives such answers; it reads none.
const home = "internal/apiserver"

var answerers = []string{home, "sink/internal/store", "sink/sinktest"}

// words by which a package would tell answers apart by itself: identifiers of other packages, and texts of the server.
var (
	tellingNames = []string{"apierrors", "StatusReason", "HasStatusCause", "NamespaceTerminatingCause", "StatusNotFound", "StatusConflict",
		"StatusForbidden", "StatusUnauthorized", "StatusTooManyRequests", "OpError", "APIStatus", "StatusError", "RetryAfterSeconds", "SuggestsClientDelay"}
	tellingTexts = []string{"is forbidden", "cannot ", "denied the request", "failed calling", "shutting down", "limit reached", "space exceeded",
		"add this rule", "could not find the requested", `verbs: [`, "page not found"}
)

// sources are the package's files, but tests, by folder relative to runtime.
func sources(t *testing.T) map[string][]*ast.File {
	t.Helper()
	files := map[string][]*ast.File{}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(fileSet, path, nil, parser.SkipObjectResolution)
		dir, _ := filepath.Rel(root, filepath.Dir(path))
		dir = filepath.ToSlash(dir)
		files[dir] = append(files[dir], f)
		return err
	})
	if err != nil || len(files[home]) == 0 || len(files["clientgo"]) == 0 || len(files["sink/kube"]) == 0 {
		t.Fatalf("%d folders, %v", len(files), err)
	}
	return files
}

var fileSet = token.NewFileSet()

// TestOneHome holds that no other package of the run time tells one answer of an API server from another.
func TestOneHome(t *testing.T) {
	for dir, files := range sources(t) {
		if isOneOf(dir, answerers) {
			continue
		}
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				if word := telling(n); word != "" && !(dir == "ctrlevents" && word == "StatusForbidden") { // its page answers so itself
					t.Errorf("%s: %s; what answers mean stands in runtime/%s only", fileSet.Position(n.Pos()), word, home)
				}
				return true
			})
		}
	}
}

func isOneOf(dir string, list []string) bool {
	for _, allowed := range list {
		if dir == allowed {
			return true
		}
	}
	return false
}

func telling(n ast.Node) string {
	switch n := n.(type) {
	case *ast.SelectorExpr:
		x, _ := n.X.(*ast.Ident)
		for _, name := range tellingNames {
			if n.Sel.Name == name || strings.HasPrefix(n.Sel.Name, name) && name == "StatusReason" || x != nil && x.Name == name {
				return n.Sel.Name
			}
		}
	case *ast.BasicLit:
		text, err := strconv.Unquote(n.Value)
		if n.Kind != token.STRING || err != nil || strings.HasPrefix(text, "json:") {
			return ""
		}
		for _, part := range tellingTexts {
			if strings.Contains(text, part) && !isPatch(text) {
				return n.Value
			}
		}
	}
	return ""
}

// isPatch reports a piece of JSON: what a request says, not an answer.
func isPatch(text string) bool { return strings.Contains(text, `":`) }

// smallest is how long a function must be, printed, for a copy of it to count.
const smallest = 180

// TestNothingTwice holds that packages which speak the protocol have no function in common, but for its name.
func TestNothingTwice(t *testing.T) {
	speakers := map[string]bool{"clientgo": true, "sink": true, "sink/kube": true, home: true, "internal/form": true,
		"internal/view": true, "broadcaster": true}
	seen := map[string]string{}
	for dir, files := range sources(t) {
		if !speakers[dir] {
			continue
		}
		for _, f := range files {
			for _, d := range f.Decls {
				f, ok := d.(*ast.FuncDecl)
				if !ok || f.Body == nil {
					continue
				}
				body := printed(t, f.Body)
				where := fileSet.Position(f.Pos()).String() + " " + f.Name.Name
				if first := seen[body]; first != "" && len(body) >= smallest {
					t.Errorf("%s repeats %s", where, first)
				}
				seen[body] = where
			}
		}
	}
}

func printed(t *testing.T, n ast.Node) string {
	t.Helper()
	var b bytes.Buffer
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
