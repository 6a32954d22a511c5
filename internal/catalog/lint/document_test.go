package lint

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// docs is the folder of the documentation.
const docs = "../../../docs"

// indexMark is the line of a page after which the index of its rules begins. It ends at Next.
const indexMark = "<!-- The index is made of the rules: go test ./internal/catalog/lint -update -->\n"

// indexes group the rules of a page by the mistake that its reader sees.
var indexes = []struct {
	page   string
	groups []group
}{
	{"lint.md", []group{
		{"The catalog can't be read", "EV001 EV002"},
		{"The API server would refuse the event", "EV101 EV103 EV104 EV201 EV205"},
		{"The reason or the type misleads", "EV106 EV107 EV109 EV110 EV111"},
		{"Two entries stand for one thing", "EV102 EV112 EV304"},
		{"The message reads wrong", "EV202 EV204 EV206 EV209 EV210 EV408"},
		{"Secrets and annotations", "EV207 EV212 EV213"},
		{"The Go code does not compile, or invites mistakes", "EV105 EV108 EV208 EV211"},
		{"Keys and limits", "EV301 EV302 EV303"},
		{"Something has no effect", "EV113 EV203 EV306 EV307 EV405"},
		{"Documentation and removal", "EV401 EV402 EV409 EV403 EV404 EV406 EV407"},
	}},
	{"scan.md", []group{
		{"Events are refused or lost", "EV515 EV516 EV522 EV527 EV531 EV532 EV533 EV534"},
		{"Rights", "EV524 EV525 EV526"},
		{"The message reads wrong", "EV513 EV514 EV536 EV537"},
		{"The reason, the action or the type misleads", "EV511 EV512 EV517 EV519 EV520 EV535"},
		{"An event comes too often", "EV518"},
		{"Catalog, constants and code differ", "EV501 EV503 EV504 EV528"},
		{"scan can't judge it", "EV529"},
	}},
}

// group is a part of an index.
type group struct{ title, ids string }

// entry is what the documentation has of a rule.
type entry struct{ id, name, doc, severity, page string }

// entries returns the rules of catalogs and of calls by id.
func entries(t *testing.T) map[string]entry {
	t.Helper()
	all := map[string]entry{}
	for _, r := range Rules() {
		page, _ := PageOf(r.ID)
		all[r.ID] = entry{r.ID, r.Name, r.Doc, r.Severity.String(), page.Markdown()}
	}
	for _, r := range callrules.Rules() {
		page, ok := callrules.PageOf(r.ID)
		if !ok {
			t.Fatalf("%s has no page", r.ID)
		}
		all[r.ID] = entry{r.ID, r.Name, r.Doc, r.Severity.String(), page.Markdown()}
	}
	return all
}

// Each rule has its page in docs/rules, as event-gen explain prints it, and a line in one index.
// No other page lies there.
func TestDocuments(t *testing.T) {
	rules := entries(t)
	want := map[string]string{}
	for _, index := range indexes {
		for _, g := range index.groups {
			for id := range strings.FieldsSeq(g.ids) {
				file := filepath.Join(docs, "rules", id+".md")
				if _, again := want[file]; again || rules[id].id == "" {
					t.Fatalf("the index of %s: %s is no rule, or is there twice", index.page, id)
				}
				want[file] = fmt.Sprintf("%s\nNext: [rules](../%s#rules).\n", rules[id].page, index.page)
			}
		}
	}
	for id := range rules {
		if _, grouped := want[filepath.Join(docs, "rules", id+".md")]; !grouped {
			t.Errorf("%s is in no group of an index", id)
		}
	}
	for _, index := range indexes {
		file := filepath.Join(docs, index.page)
		want[file] = withIndex(t, file, index.groups, rules)
	}
	for file, text := range want {
		compare(t, file, text)
	}
	found, err := filepath.Glob(filepath.Join(docs, "rules", "EV*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range found {
		if _, known := want[file]; !known {
			t.Errorf("%s is the page of no rule; remove it", file)
		}
	}
}

// withIndex returns a page with a new index. The anchors are those that the rules had when their
// pages were sections of this page: reports of that time link to them.
func withIndex(t *testing.T, file string, groups []group, rules map[string]entry) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, marked := strings.Cut(string(data), indexMark)
	_, next, ends := strings.Cut(rest, "\nNext: ")
	if !marked || !ends {
		t.Fatalf("%s lacks the line %sor a paragraph Next after it", file, indexMark)
	}
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "- **%s**\n", g.title)
		for id := range strings.FieldsSeq(g.ids) {
			r := rules[id]
			fmt.Fprintf(&b, "  - <a id=\"%s-%s\"></a>[%s](rules/%s.md) %s, %s: %s\n", strings.ToLower(id), r.name, id, id, r.name, r.severity, r.doc)
		}
	}
	return before + indexMark + "\n" + b.String() + "\nNext: " + next
}

// compare reports a file that is stale, or writes it with -update.
func compare(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v; go test ./internal/catalog/lint -update", err)
	} else if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("%s is stale; go test ./internal/catalog/lint -update (-want +got):\n%s", file, diff)
	}
}
