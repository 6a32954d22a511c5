package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

var (
	link         = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"`)
	heading      = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	anchorTag    = regexp.MustCompile(`<a id="([^"]+)"></a>`)
	codeSpan     = regexp.MustCompile("`([^`\n]+)`")
	target       = regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):`)
	makeCall     = regexp.MustCompile(`(?m)(?:^|[$;&] *)make ([a-z][a-z0-9-]*)`)
	testName     = regexp.MustCompile(`\b(?:Test|Benchmark|Fuzz)[A-Z]\w+`)
	declaredTest = regexp.MustCompile(`(?m)^func (\w+)\(\w+ \*testing\.[TBFM]\)`)
	treePath     = regexp.MustCompile(`^[\w.-]+(?:/[\w.-]+)+/?$`)
)

// Relative links lead to files that are in the repository, and to headings that are in the file.
func TestLinks(t *testing.T) {
	tree := files(t)
	for _, page := range pages(t) {
		_, prose := blocks(read(t, page))
		for _, match := range link.FindAllStringSubmatch(prose, -1) {
			to := match[1] + match[2]
			if strings.Contains(to, "://") {
				continue
			}
			file, anchor, _ := strings.Cut(to, "#")
			file = path.Join(path.Dir(page), file)
			if strings.HasPrefix(to, "#") {
				file = page
			}
			switch {
			case !inTree(tree, file):
				t.Errorf("%s: link to %s, which is not in the repository", page, to)
			case anchor != "" && !slices.Contains(anchors(read(t, file)), anchor):
				t.Errorf("%s: link to %s, but no heading or anchor of %s is #%s", page, to, file, anchor)
			}
		}
	}
}

// inTree reports whether a path is that of a file or folder of the repository.
func inTree(tree []string, file string) bool {
	return slices.ContainsFunc(tree, func(f string) bool { return f == file || strings.HasPrefix(f, file+"/") })
}

// anchors are the names by which GitHub links to the headings of a page, and to its own anchors.
func anchors(page string) []string {
	_, prose := blocks(page)
	names := submatches(anchorTag, prose)
	for _, match := range heading.FindAllStringSubmatch(prose, -1) {
		names = append(names, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, match[1]))
	}
	return names
}

// Every page of docs says where to read on in its last paragraph, and, unless it is the page of a
// rule, for whom it is in its first line.
func TestPagesBeginAndEndForTheReader(t *testing.T) {
	for _, page := range pages(t) {
		if !strings.HasPrefix(page, "docs/") || path.Dir(page) == "docs/design" && path.Base(page) != "README.md" {
			continue
		}
		paragraphs := strings.Split(strings.TrimSpace(read(t, page)), "\n\n")
		if len(paragraphs) > 1 && strings.HasPrefix(paragraphs[1], "Written by `make ") {
			continue // a report
		}
		if len(paragraphs) < 3 || path.Dir(page) != "docs/rules" && !strings.HasPrefix(paragraphs[1], "For ") {
			t.Errorf("%s: the text below the title does not begin with For, and the reader that the page is for", page)
		}
		if last := paragraphs[len(paragraphs)-1]; !strings.HasPrefix(last, "Next: ") || !link.MatchString(last) {
			t.Errorf("%s: the last paragraph does not begin with Next, and links to no page", page)
		}
	}
}

// What is written as code names things that exist: targets of the Makefile, files and folders,
// tests.
func TestNamesExist(t *testing.T) {
	targets := submatches(target, read(t, "Makefile"))
	tree := files(t)
	tests := testsOf(t, tree)
	for _, page := range pages(t) {
		fenced, prose := blocks(read(t, page))
		spans := submatches(codeSpan, prose)
		for _, b := range fenced {
			spans = append(spans, b.text)
		}
		for _, span := range spans {
			for _, name := range submatches(makeCall, span) {
				if !slices.Contains(targets, name) {
					t.Errorf("%s: make %s is no target", page, name)
				}
			}
			for _, name := range testName.FindAllString(span, -1) {
				if !slices.Contains(tests, name) && !slices.Contains(submatches(declaredTest, span), name) {
					t.Errorf("%s: there is no test %s", page, name)
				}
			}
			if isTreePath(span) && !inTree(tree, strings.TrimSuffix(span, "/")) && !inTree(tree, packageOf(span)) {
				t.Errorf("%s: there is no %s in the repository", page, span)
			}
		}
	}
}

// notNamed are code spans that look like paths: patterns of packages, and tags of releases.
var notNamed = regexp.MustCompile(`\.\.\.$|/v(X|[0-9])`)

// function is the rest of a code span that names a function or method of a package; TestJourneys
// holds that it exists.
var function = regexp.MustCompile(`\.(\w+\.)*\w+$`)

// packageOf is the folder of the package that a code span names a function of.
func packageOf(span string) string {
	if regexp.MustCompile(`\.(go|md|mod|sum|ya?ml|json|txtar|sh|svg|tsv)$`).MatchString(span) {
		return span
	}
	return function.ReplaceAllString(span, "")
}

// isTreePath reports whether a code span is a path that begins in a folder of the work tree.
func isTreePath(span string) bool {
	if !treePath.MatchString(span) || notNamed.MatchString(span) {
		return false
	}
	first, _, _ := strings.Cut(span, "/")
	info, err := os.Stat(filepath.Join(root, first))
	return err == nil && info.IsDir()
}

func submatches(re *regexp.Regexp, text string) []string {
	var found []string
	for _, match := range re.FindAllStringSubmatch(text, -1) {
		found = append(found, match[1])
	}
	return found
}

func testsOf(t *testing.T, tree []string) []string {
	t.Helper()
	var names []string
	for _, f := range tree {
		if strings.HasSuffix(f, "_test.go") {
			names = append(names, submatches(declaredTest, read(t, f))...)
		}
	}
	return names
}
