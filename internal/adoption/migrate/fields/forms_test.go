package fields

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/check"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// form is a way in which a program holds a recorder, passes one on or reads one. Its function Run
// gets a recorder and a pod. A form of one file is such a section of forms.txtar:
//
//	-- NAME --
//	moves PLACE         what becomes a generated recorder
//	left PLACE: CAUSE   what stays and is listed; further places may stay unlisted, as nothing typed is called on them
//
//	declarations
//
// The files of a form of several are NAME/FILE; one of them begins as above. The abbreviations
// below stand for a type and for calls, and imports of a few packages are added.
type form struct {
	name  string
	files map[string]string // by path; a form of one file has the path ""
	moves []string
	left  map[string]string // the cause, by place
}

var abbreviations = strings.NewReplacer(
	".SCALED", `.Eventf(pod, corev1.EventTypeNormal, "Scaled", "Scaled to %d", len(pod.Name))`,
	".FAILED", `.Event(pod, corev1.EventTypeWarning, "Failed", "Failed")`,
	".DRAINED", `.Event(pod, corev1.EventTypeNormal, "Drained", "Drained")`,
	".RAW", `.Event(pod, corev1.EventTypeNormal, pod.Name, "raw")`,
)

var formImports = map[string]string{
	"fmt.": "fmt", "corev1.": "k8s.io/api/core/v1", "runtime.": "k8s.io/apimachinery/pkg/runtime", "record.": "k8s.io/client-go/tools/record",
}

func readForms(t *testing.T) []*form {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/forms.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var forms []*form
	for _, f := range archive.Files {
		name, file, _ := strings.Cut(f.Name, "/")
		if len(forms) == 0 || forms[len(forms)-1].name != name {
			forms = append(forms, &form{name: name, files: map[string]string{}, left: map[string]string{}})
		}
		forms[len(forms)-1].add(file, string(f.Data))
	}
	return forms
}

var expectation = regexp.MustCompile(`^(moves|left) (.*)\n`)

func (f *form) add(file, text string) {
	for {
		m := expectation.FindStringSubmatch(text)
		if m == nil {
			break
		}
		text = text[len(m[0]):]
		if m[1] == "moves" {
			f.moves = append(f.moves, m[2])
			continue
		}
		place, why, _ := strings.Cut(m[2], ": ")
		f.left[place] = why
	}
	f.files[file] = abbreviations.Replace(regexp.MustCompile(`\bREC\b`).ReplaceAllString(text, "record.EventRecorder"))
}

// source is a file of the form. The names that it declares end with a suffix, unless that is empty.
func (f *form) source(t *testing.T, file, pkg, suffix string) string {
	t.Helper()
	text := f.files[file]
	if pkg != "" {
		text = "package " + pkg + "\n" + text
	}
	at := regexp.MustCompile(`(?m)^package \w+\n`).FindStringIndex(text)
	imports := ""
	for _, use := range slices.Sorted(maps.Keys(formImports)) {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(use)).MatchString(text) {
			alias := ""
			if use == "corev1." {
				alias = "corev1 "
			}
			imports += fmt.Sprintf("import %s%q\n", alias, formImports[use])
		}
	}
	text = text[:at[1]] + "\n" + imports + text[at[1]:]
	return rename(text, declared(t, f.name, text), suffix)
}

func rename(text string, names []string, suffix string) string {
	for _, name := range names {
		text = regexp.MustCompile(`\b`+name+`\b`).ReplaceAllString(text, name+suffix)
	}
	return text
}

// declared returns the names of functions, types and variables of a file, and of its methods,
// without methods of client-go's interfaces.
func declared(t *testing.T, name, text string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names[n.Name.Name] = true
		case *ast.TypeSpec:
			names[n.Name.Name] = true
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				if len(m.Names) == 1 {
					names[m.Names[0].Name] = true
				}
			}
		case *ast.GenDecl:
			if n.Tok != token.VAR {
				break
			}
			for _, s := range n.Specs {
				for _, id := range s.(*ast.ValueSpec).Names {
					names[id.Name] = true
				}
			}
		case *ast.BlockStmt:
			return false
		}
		return true
	})
	for _, fixed := range []string{"Event", "Eventf", "AnnotatedEventf", "GetEventRecorderFor", "Failed", "Scaled", "Recorder"} {
		delete(names, fixed)
	}
	delete(names, "_")
	return slices.Sorted(maps.Keys(names))
}

// suffix returns the end of a form's names.
func (f *form) suffix() string { return "Of" + strings.ReplaceAll(f.name, "-", "X") }

// one reports whether the form has one file.
func (f *form) one() bool { return len(f.files) == 1 && f.files[""] != "" }

// folder returns the folder of the form's files.
func (f *form) folder() string {
	if f.one() {
		return "forms"
	}
	return path.Join("forms", f.name)
}

func (w *workspace) addForms(forms []*form) {
	run := "package run\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n\n\tcorev1 \"k8s.io/api/core/v1\"\n\t\"k8s.io/client-go/tools/record\"\n\n\t\"example.com/random/forms\"\n%s)\n\n"
	run += "func drain(name string, fake *record.FakeRecorder) {\n\tfor len(fake.Events) > 0 {\n\t\tfmt.Println(name, <-fake.Events)\n\t}\n}\n\n"
	run += "func TestForms(t *testing.T) {\n\tpod := &corev1.Pod{}\n\tpod.Name = \"pod\"\n"
	imports := ""
	w.put("forms/forms.go", "package forms\n\nfunc consume(any) {}\n")
	for i, f := range forms {
		function := "forms.Run" + f.suffix()
		if f.one() {
			w.put("forms/"+f.name+".go", f.source(w.t, "", "forms", f.suffix()))
		} else {
			imports += fmt.Sprintf("\tform%d %q\n", i, "example.com/random/forms/"+f.name)
			function = fmt.Sprintf("form%d.Run", i)
			for file := range f.files {
				w.put(path.Join("forms", f.name, file), f.source(w.t, file, "", ""))
			}
		}
		run += fmt.Sprintf("\tfake%d := record.NewFakeRecorder(100)\n\t%s(fake%d, pod)\n\tdrain(%q, fake%d)\n", i, function, i, f.name, i)
	}
	w.put("run/forms_test.go", fmt.Sprintf(run, imports)+"}\n")
}

// TestForms moves the recorders of all forms. It compares the moved places, the left ones with
// their causes, and the strings in fakes.
func TestForms(t *testing.T) {
	if testing.Short() {
		t.Skip("it loads client-go for each form")
	}
	forms := readForms(t)
	w := newWorkspace(t)
	w.addForms(forms)
	before := w.runs()
	first, second := w.migrate()
	for _, f := range forms {
		f.compare(t, second)
	}
	w.write(first)
	w.exec("go", "vet", "./...")
	if after := w.runs(); after != before {
		t.Errorf("the forms print\n%s\nand before\n%s", after, before)
	}
	if first, second = w.migrate(); len(first.Files)+len(second.Files) > 0 {
		t.Errorf("a second run changes %v and %v", first.Files, second.Files)
	}
}

// compare compares the moved places with the form's.
func (f *form) compare(t *testing.T, second *Plan) {
	t.Helper()
	var moves []string
	left := map[string]string{}
	own := func(p Place) (string, bool) {
		return strings.ReplaceAll(p.Name, f.suffix(), ""), p.Pos.Filename == path.Join(f.folder(), f.name+".go") || !f.one() && strings.HasPrefix(p.Pos.Filename, f.folder()+"/")
	}
	for _, p := range second.Moved {
		if name, ok := own(p.Place); ok {
			moves = append(moves, name)
		}
	}
	for _, p := range second.Left {
		if name, ok := own(p.Place); ok {
			left[name] = strings.ReplaceAll(p.Why, f.suffix(), "")
		}
	}
	if os.Getenv("FORMS_PRINT") != "" {
		fmt.Printf("@@ %s\n", f.name)
		for _, m := range moves {
			fmt.Printf("moves %s\n", m)
		}
		for _, n := range slices.Sorted(maps.Keys(left)) {
			fmt.Printf("left %s: %s\n", n, left[n])
		}
	}
	if !slices.Equal(moves, f.moves) {
		t.Errorf("%s: %q move, want %q", f.name, moves, f.moves)
	}
	if !maps.Equal(left, f.left) {
		t.Errorf("%s: %q are left, want %q", f.name, left, f.left)
	}
}

const broken = `package broken

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type holder struct{ record.EventRecorder }

type plain struct{ rec record.EventRecorder }

func Do(h holder, r record.EventRecorder, pod *corev1.Pod) {
	h.Event(pod, corev1.EventTypeWarning, "Failed", "Failed")
	r.Event(pod, corev1.EventTypeWarning, "Failed", "Failed")
	unknown(h, r)
	unknown <- r
	h <- r
	none(h, r)
	var x record.EventRecorder = holder()
	x, ok := unknown[h]
	x, r = none(r)
	_ = holder(h, r) == plain{r, r, r}
	_ = plain(unknown)
	_ = generic[missing](r)
	_ = []missing{h, r}
	switch unknown.(type) {
	case missing, record.EventRecorder:
	}
	switch missing {
	}
	for x.rec = range unknown {
	}
	select {
	case x = <-unknown:
	case x, ok = <-pod:
	}
	return h, r
}

func none() {}

func generic[T unknown](r T) T { return r }
`

// TestBroken: if a package does not compile, reading it does not fail, and none of its recorders
// moves.
func TestBroken(t *testing.T) {
	w := newWorkspace(t)
	w.put("broken/broken.go", broken)
	loaded, err := scan.Read(t.Context(), scan.Options{Dir: w.dir, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	program, err := loaded.Program(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	first, err := migrate.New([]*scan.Result{scan.Scan(t.Context(), program)}, w.set, migrate.Options{Dir: w.dir})
	if err != nil {
		t.Fatal(err)
	}
	checks := migrate.Check{Generated: w.generated}
	checks.Loads = append(checks.Loads, check.New(loaded))
	second, err := New(t.Context(), first, checks, Options{Dir: w.dir, Set: w.set})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range second.Moved {
		t.Errorf("%s moves", p.Name)
	}
	if len(second.Left) == 0 {
		t.Error("nothing is left")
	}
}
