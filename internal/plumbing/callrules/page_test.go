package callrules

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the pages into docs/scan.md")

const pagesMark = "<!-- The rules are made of internal/plumbing/callrules/pages: go test ./internal/plumbing/callrules -update -->\n"

// The document has the page of every rule.
func TestDocument(t *testing.T) {
	const file = "../../../docs/scan.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	intro, _, found := strings.Cut(string(data), pagesMark)
	if !found {
		t.Fatalf("%s lacks the line %s", file, pagesMark)
	}
	want := intro + pagesMark + "\n" + table()
	for _, rule := range Rules() {
		page, ok := PageOf(rule.ID)
		if !ok {
			t.Errorf("%s has no page", rule.ID)
			continue
		}
		want += "\n" + page.Markdown()
	}
	_, next, _ := strings.Cut(string(data), "\nNext: ")
	want += "\nNext: " + next
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("%s is stale; go test ./internal/plumbing/callrules -update (-want +got):\n%s", file, diff)
	}
}

func table() string {
	var b strings.Builder
	b.WriteString("| rule | | default |\n| --- | --- | --- |\n")
	for _, r := range Rules() {
		severity := r.Severity.String()
		if r.OptIn {
			severity += ", off"
		}
		fmt.Fprintf(&b, "| [%s](#%s-%s) | %s | %s |\n", r.ID, strings.ToLower(r.ID), r.Name, r.Name, severity)
	}
	return b.String()
}

func TestRules(t *testing.T) {
	before := ""
	for _, r := range Rules() {
		if r.ID <= before {
			t.Errorf("%s stands after %s", r.ID, before)
		}
		if before = r.ID; !strings.HasSuffix(r.Doc, ".") || !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(r.Name) {
			t.Errorf("%s: name %q, doc %q", r.ID, r.Name, r.Doc)
		}
	}
	if _, ok := PageOf("EV999"); ok || Of("EV101") != nil {
		t.Error("a page or a rule that there is not")
	}
}
