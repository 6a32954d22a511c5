package lint

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var update = flag.Bool("update", false, "write the findings of examples into their pages, the pages into docs/rules, and the indexes of docs/lint.md and docs/scan.md")

const (
	pageHead  = "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: exampleevents}\n"
	eventHead = "  reportingController: example.com/controller\n  objects: {Pod: v1, Node: v1}\n  defaults: {regarding: Pod}\n  events:\n"
)

// example judges an example, and returns findings with positions in the example.
func example(t *testing.T, text, release string) diag.Findings {
	t.Helper()
	before := pageHead
	if strings.HasPrefix(text, "- ") {
		before += eventHead
	}
	catalogs, found := catalog.Read("catalog.yaml", strings.NewReader(before+"  "+strings.ReplaceAll(text, "\n", "\n  ")+"\n"))
	set, more := model.Build(context.Background(), catalog.Complete(catalogs), model.Options{Dir: t.TempDir(), Resolve: model.ResolveNever})
	findings := Run(Input{Catalogs: catalogs, Set: set, Found: append(found, more...), Release: release})
	shift := strings.Count(before, "\n")
	for i := range findings {
		findings[i].Pos.Line -= shift
		findings[i].Pos.Column -= 2
		findings[i].Message = shifted(findings[i].Message, shift)
	}
	return findings
}

var place = regexp.MustCompile(`catalog\.yaml:(\d+):(\d+)`)

func shifted(message string, lines int) string {
	return place.ReplaceAllStringFunc(message, func(s string) string {
		match := place.FindStringSubmatch(s)
		line, _ := strconv.Atoi(match[1])
		column, _ := strconv.Atoi(match[2])
		return fmt.Sprintf("%d:%d", line-lines, column-2)
	})
}

// Each bad example has the findings that its page shows. Each good example has no finding of the
// rule and no error.
func TestExamples(t *testing.T) {
	for _, rule := range Rules() {
		page, ok := PageOf(rule.ID)
		if !ok || page.Why == "" || page.Bad == "" || page.Good == "" {
			t.Errorf("%s has no page", rule.ID)
			continue
		}
		var got strings.Builder
		for _, f := range example(t, page.Bad, page.Release) {
			if f.Rule == rule.ID {
				fmt.Fprintf(&got, "%d:%d: %s [%s]\n", f.Pos.Line, f.Pos.Column, f.Message, f.Rule)
			}
		}
		if *update {
			writeFindings(t, rule.ID, got.String())
			continue
		}
		if diff := cmp.Diff(page.Findings, strings.TrimRight(got.String(), "\n")); diff != "" || page.Findings == "" {
			t.Errorf("%s: the bad example (-want +got):\n%s", rule.ID, diff)
		}
		for _, f := range example(t, page.Good, page.Release) {
			if f.Rule == rule.ID || f.Severity == diag.Error {
				t.Errorf("%s: the good example: %s", rule.ID, f)
			}
		}
	}
}

func writeFindings(t *testing.T, id, findings string) {
	file := filepath.Join("pages", id+".txtar")
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range archive.Files {
		if archive.Files[i].Name == "findings" {
			archive.Files[i].Data = []byte(findings)
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}
