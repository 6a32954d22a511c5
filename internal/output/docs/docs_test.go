package docs_test

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/docs"
)

var update = flag.Bool("update", false, "write the expected documentation anew")

func build(t testing.TB, path string) *model.Set {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	catalogs, findings := catalog.Read(path, f)
	set, more := model.Build(t.Context(), catalogs, model.Options{Dir: t.TempDir(), Resolve: model.ResolveNever})
	if findings = append(findings, more...); findings.HasErrors() {
		t.Fatal(findings)
	}
	return set
}

func markdown(t testing.TB, set *model.Set) string {
	t.Helper()
	var b bytes.Buffer
	if err := docs.Markdown(&b, set); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func html(t testing.TB, set *model.Set) string {
	t.Helper()
	var b bytes.Buffer
	if err := docs.HTML(&b, set); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares text with a file.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs; run with -update if that is right (-want +got):\n%s", path, diff)
	}
}

func TestMarkdown(t *testing.T) {
	golden(t, "testdata/catalog.md", markdown(t, build(t, "testdata/catalog.yaml")))
}

// Only the body is compared. Style and script are separate files, which are tested in a browser.
func TestHTML(t *testing.T) {
	page := html(t, build(t, "testdata/catalog.yaml"))
	for _, block := range []string{"style", "script"} {
		page = regexp.MustCompile("(?s)<"+block+">.*</"+block+">").ReplaceAllString(page, "<"+block+">…</"+block+">")
	}
	page = regexp.MustCompile(`sha256-.*?&#39;`).ReplaceAllString(page, "sha256-…&#39;")
	golden(t, "testdata/catalog.html", page)
}

func TestDeterministic(t *testing.T) {
	first, second := build(t, "testdata/catalog.yaml"), build(t, "testdata/catalog.yaml")
	if markdown(t, first) != markdown(t, second) || html(t, first) != html(t, second) {
		t.Error("the same catalog is documented in two ways")
	}
}

// Every set has documentation, also an empty one.
func TestEmpty(t *testing.T) {
	if got := html(t, &model.Set{}); !strings.Contains(got, "<title>Events</title>") {
		t.Errorf("an empty set has no title: %s", got)
	}
	if got := markdown(t, &model.Set{}); strings.TrimSpace(got) != "" {
		t.Errorf("an empty set has tables: %s", got)
	}
}

// Two catalogs with the same package and events have ids that differ.
func TestTwins(t *testing.T) {
	set := build(t, "testdata/catalog.yaml")
	set.Packages = append(set.Packages, build(t, "testdata/catalog.yaml").Packages...)
	page := html(t, set)
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if seen[m[1]] {
			t.Errorf("id %s stands twice", m[1])
		}
		seen[m[1]] = true
	}
	if strings.Count(page, `<section`) != strings.Count(html(t, build(t, "testdata/catalog.yaml")), `<section`) {
		t.Error("a reason that two catalogs share has two sections")
	}
}
