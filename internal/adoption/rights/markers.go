package rights

import (
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

const markerName = "+kubebuilder:rbac:"

// readMarkers adds the rules that kubebuilder's markers in a Go file stand for (controller-tools,
// pkg/rbac/parser.go).
func (s *Set) readMarkers(name string, data []byte) (findings diag.Findings) {
	if !strings.Contains(string(data), markerName) {
		return nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return unread(diag.Pos{File: name, Line: 1, Column: 1}, diag.Syntax, "expected Go, found %v", firstOf(err))
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			text, isLine := strings.CutPrefix(comment.Text, "//")
			text = strings.TrimSpace(text)
			if args, ok := strings.CutPrefix(text, markerName); isLine && ok {
				s.Markers = append(s.Markers, markerRule(markerPos(fset, data, comment.Pos()), args))
			}
		}
	}
	return findings
}

func firstOf(err error) error {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return list[0]
	}
	return err
}

// markerPos has its column in runes.
func markerPos(fset *token.FileSet, data []byte, pos token.Pos) diag.Pos {
	p := fset.PositionFor(pos, false)
	start := p.Offset - (p.Column - 1)
	return diag.Pos{File: p.Filename, Line: p.Line, Column: utf8.RuneCount(data[start:p.Offset]) + 1}
}

// markerRule reads the arguments of a marker: name=value pairs with commas between, lists with
// semicolons or in braces.
func markerRule(pos diag.Pos, args string) *Rule {
	rule := &Rule{Pos: pos, Marker: true}
	for key, list := range markerArguments(args) {
		switch key {
		case "groups":
			rule.Groups = list
			if i := slices.Index(list, "core"); i >= 0 {
				list[i] = CoreGroup
			}
		case "resources":
			rule.Resources = list
		case "verbs":
			rule.Verbs = list
		case "resourceNames":
			rule.Names = list
		case "namespace":
			rule.Namespace = strings.Join(list, "")
		}
	}
	if rule.Groups == nil && rule.Resources != nil {
		rule.Groups = []string{CoreGroup}
	}
	return rule
}

// markerArguments splits at commas outside of quotes and braces.
func markerArguments(args string) map[string][]string {
	found := map[string][]string{}
	for _, part := range splitOutside(args, ',') {
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		value = strings.TrimSpace(value)
		separator := rune(';')
		if inner, braced := strings.CutPrefix(value, "{"); braced {
			value, separator = strings.TrimSuffix(inner, "}"), ','
		}
		var list []string
		for _, item := range splitOutside(value, separator) {
			list = append(list, strings.Trim(strings.TrimSpace(item), "\"`"))
		}
		found[strings.TrimSpace(key)] = list
	}
	return found
}

// splitOutside splits a text where a rune stands outside of quotes and braces.
func splitOutside(text string, at rune) []string {
	var parts []string
	var quote rune
	depth, start := 0, 0
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`':
			quote = r
		case r == '{':
			depth++
		case r == '}':
			depth--
		case r == at && depth == 0:
			parts = append(parts, text[start:i])
			start = i + 1
		}
	}
	return append(parts, text[start:])
}
