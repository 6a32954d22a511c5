package docs_test

import (
	"encoding/xml"
	"io"
	"maps"
	"regexp"
	"strings"
	"testing"
	"unicode"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/docs"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// setOf returns a set of one event with any text, including texts that no catalog can have.
func setOf(reason, message, doc, link string) *model.Set {
	def := &model.Definition{Message: message, Runtime: eventrt.Definition{
		Name: "Hostile", Reason: reason, Action: reason, Type: doc, Subject: eventrt.Subject{ReportingController: reason},
		Params:      []eventrt.Param{{Name: message}},
		Message:     []eventrt.Segment{{Text: message, Value: eventrt.ParamValue}, {Text: doc}},
		Labels:      []eventrt.AnnotationDefinition{{Key: doc, Value: []eventrt.Segment{{Text: reason}}}, {Key: reason}},
		Annotations: []eventrt.AnnotationDefinition{{Key: doc, Value: []eventrt.Segment{{Text: reason, Value: eventrt.ParamValue}}}},
	}}
	values := &model.Enum{Values: []model.Constant{{Value: reason}, {Value: doc}}}
	event := &model.Event{
		Name: "Hostile", Summary: doc, Runbook: link, Since: doc,
		Deprecated: &model.Deprecated{ReplacedBy: reason, Reason: doc, RemoveAfter: message},
		Formers:    []*model.Former{{Name: doc}, {Name: message}},
		Regarding:  model.Regarding{Objects: []*model.Object{{Alias: doc, Kind: metav1.TypeMeta{Kind: doc}}}},
		Params:     []*model.Param{{Name: message, Type: doc, Enum: values}, {Name: reason, Type: reason}},
		Methods:    []*model.Method{{Wire: model.Wire{Definitions: []*model.Definition{def}}}},
	}
	return &model.Set{Packages: []*model.Package{{Name: reason, Controller: message, Source: doc, Events: []*model.Event{event}}}}
}

var hostile = []string{
	"plain", "</script><script>alert(1)</script>", `" onload="alert(1)`, "' onload='alert(1)", "<!--", "-->", "]]>", "{{.}}",
	"javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "//example.com", "https://example.com/\" onclick=\"x",
	"`", "``|`", "|", `\|`, `\`, "&lt;b&gt;", "\u2028", "[a](javascript:alert(1))", "<a id=x>", "</style>", docs.End, "*_~`|<>",
}

func FuzzHTML(f *testing.F) {
	for i, text := range hostile {
		f.Add(text, hostile[(i+1)%len(hostile)], hostile[(i+2)%len(hostile)], text)
	}
	allowed := shape(f, html(f, build(f, "testdata/catalog.yaml")))
	maps.Copy(allowed, shape(f, html(f, setOf("plain", "plain", "plain", "https://example.com"))))
	f.Fuzz(func(t *testing.T, reason, message, doc, link string) {
		page := html(t, setOf(printable(reason), printable(message), printable(doc), printable(link)))
		for part := range shape(t, page) {
			if !allowed[part] {
				t.Errorf("text became %s", part)
			}
		}
	})
}

// shape returns every element and attribute of a page. Links count with their targets.
func shape(t testing.TB, page string) map[string]bool {
	t.Helper()
	for _, block := range []string{"style", "script"} {
		_, rest, _ := strings.Cut(page, "<"+block+">")
		own, _, _ := strings.Cut(rest, "</"+block+">")
		page = strings.Replace(page, own, "", 1)
	}
	parts := map[string]bool{}
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return parts
		}
		if err != nil {
			t.Fatalf("the page can't be read: %v", err)
		}
		element, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		parts[element.Name.Local] = true
		for _, a := range element.Attr {
			parts[element.Name.Local+" "+a.Name.Local+leadsTo(a)] = true
		}
	}
}

func leadsTo(a xml.Attr) string {
	if a.Name.Local != "href" && a.Name.Local != "src" {
		return ""
	}
	return "=" + regexp.MustCompile(`^(#|data:,$|https?://|)`).FindString(strings.Replace(a.Value, "http://", "https://", 1))
}

// printable removes characters that YAML does not allow.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || unicode.IsControl(r) || r >= 0xFFFE && r <= 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
}

// codeSpan matches code spans: back-ticks, text, and as many back-ticks again. Regular expressions
// can't count, so there is one for each number.
var codeSpans = []*regexp.Regexp{
	regexp.MustCompile("(^|[^`])````" + "(.*?[^`])" + "````([^`]|$)"),
	regexp.MustCompile("(^|[^`])```" + "(.*?[^`])" + "```([^`]|$)"),
	regexp.MustCompile("(^|[^`])``" + "(.*?[^`])" + "``([^`]|$)"),
	regexp.MustCompile("(^|[^\\\\`])`" + "(.*?[^`])" + "`([^`]|$)"),
}

var anchor = regexp.MustCompile(`<a id="[A-Za-z0-9._~-]*"></a>|<br>`)

// For any text, the cells of a table row are on one line. Outside of code, the only HTML is our
// anchors and line breaks.
func FuzzMarkdown(f *testing.F) {
	for i, text := range hostile {
		f.Add(text, hostile[(i+1)%len(hostile)], hostile[(i+2)%len(hostile)], text)
	}
	f.Fuzz(func(t *testing.T, reason, message, doc, link string) {
		text := markdown(t, setOf(printable(reason), printable(message), printable(doc), printable(link)))
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) != 5 {
			t.Fatalf("%d lines, want 5:\n%s", len(lines), text)
		}
		row := lines[4]
		if got, want := cells(row), cells(lines[2]); got != want {
			t.Errorf("%d cells, want %d: %s", got, want, row)
		}
		if strings.Contains(row, "``````") || strings.Count(message+reason+doc, "`") > 3 {
			return // more back-ticks than codeSpan can match
		}
		rest := anchor.ReplaceAllString(row, "  ")
		for _, span := range codeSpans {
			rest = span.ReplaceAllString(rest, "$1$3")
		}
		if strings.ContainsAny(rest, "<>") {
			t.Errorf("HTML outside of code: %s", rest)
		}
	})
}

// cells counts the pipes without a backslash before them.
func cells(row string) int {
	return strings.Count(strings.ReplaceAll(row, `\|`, ""), "|")
}
