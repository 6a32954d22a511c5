package catalog

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// nestedMapping is the YAML library's error for a second ": " in a line, and for a line that is
// indented deeper than the key before it.
const nestedMapping = "mapping values are not allowed in this context"

// advice maps errors of the YAML library to hints about their usual cause.
var advice = map[string]string{
	nestedMapping: `; text that holds ": " must be quoted, and a line may not be indented deeper than its neighbours`,
	"found character that cannot start any token": "; text that begins with one of @ ` % must be quoted",
	"did not find expected key":                   "; is the line indented like its neighbours, and is a quote missing?",
	"did not find expected '-' indicator":         "; is the line indented like its neighbours?",
	"did not find expected ',' or ']'":            "; is a quote or a bracket missing?",
	"did not find expected ',' or '}'":            "; is a quote or a brace missing?",
	"could not find expected ':'":                 "; is a colon missing, or a quote?",
}

// syntax turns an error of the YAML library into findings. The error has a line at most.
func (d *document) syntax(err error) (findings diag.Findings) {
	match := yamlError.FindStringSubmatch(err.Error())
	if match == nil {
		findings.Errorf(d.at(1, 1), diag.Syntax, "%v", err)
		return findings
	}
	line, text := errorLine(match[1], match[2]), match[2]
	line = min(line, len(d.lines))
	if strings.HasPrefix(text, "found a tab character") {
		line = d.tabLine(line)
	}
	if tabs := d.tabs(line); len(tabs) > 0 {
		return tabs
	}
	column, hint := 1, advice[text]
	if slices.Contains(uneven, text) {
		line = d.offLine(line, text)
	}
	if slices.Contains(uneven, text) || text == nestedMapping {
		if shallow := d.shallow(line); shallow > 0 {
			hint = fmt.Sprintf("; this line ends the block that line %d goes on with; is one of them not indented like its neighbours?", d.line+line)
			line = shallow
		}
		column = d.textColumn(line)
	}
	findings.Errorf(d.at(line, column), diag.Syntax, "%s%s", text, hint)
	return findings
}

// uneven are the errors for a line with an indentation that no other line has. The library reports
// the line at which the block begins.
var uneven = []string{"did not find expected key", "did not find expected '-' indicator"}

// offLine returns the line that causes an error of uneven. It finds the shortest beginning of the
// document that has the error; begin is a line before that.
func (d *document) offLine(begin int, text string) int {
	fails := func(lines int) bool {
		var node yaml.Node
		err := yaml.Unmarshal(bytes.Join(d.lines[:lines], []byte("\n")), &node)
		return err != nil && strings.HasSuffix(err.Error(), text)
	}
	return min(begin+sort.Search(len(d.lines)-begin, func(n int) bool { return fails(begin + n) }), len(d.lines))
}

// shallow returns the first of the lines directly above a line that end the block that the line
// goes on with, because they are not as deep as it; 0 if there is no such line or it can have
// others below it.
func (d *document) shallow(line int) (first int) {
	item, want := d.depth(line, false)
	for i := line - 1; i > 0; i-- {
		text, _, _ := bytes.Cut(d.lines[i-1], []byte(" #"))
		text = bytes.TrimSpace(text)
		isItem, depth := d.depth(i, !item)
		opens := bytes.HasSuffix(text, []byte(":"))
		ends := depth < want || item && !isItem && depth == want && !opens
		switch {
		case len(text) == 0 || text[0] == '#':
		case !ends && first > 0 && (item || depth == want):
			return first
		case !ends || isItem && !item || opens || first > 0 && d.textColumn(i) != d.textColumn(first):
			return 0
		default:
			first = i
		}
	}
	return 0
}

// depth reports whether a line begins an item of a list, and returns the column of its text, or of
// the item's text.
func (d *document) depth(line int, ofItem bool) (item bool, column int) {
	column = d.textColumn(line)
	text, item := bytes.CutPrefix(d.lines[line-1][column-1:], []byte("- "))
	if item && ofItem {
		column += len("- ") + len(text) - len(bytes.TrimLeft(text, " "))
	}
	return item, column
}

// textColumn returns the column at which the text of a line begins.
func (d *document) textColumn(line int) int {
	text := d.lines[line-1]
	return 1 + len(text) - len(bytes.TrimLeft(text, " "))
}

// errorLine returns the line of an error in the document, from 1. The library counts lines of
// parser errors from 0, and does not print line 0.
func errorLine(number, text string) int {
	line, err := strconv.Atoi(number)
	if err != nil {
		return 1
	}
	if strings.HasPrefix(text, "did not find expected") {
		line++
	}
	return max(line, 1)
}

// tabLine returns the first line from a line on with a tab in the indentation. The library reports
// a tab at the line at which the text before it begins.
func (d *document) tabLine(line int) int {
	for i, text := range d.lines[line-1:] {
		if bytes.HasPrefix(bytes.TrimLeft(text, " "), []byte("\t")) {
			return line + i
		}
	}
	return line
}

// tabs reports tabs in the indentation, if the faulty line has one.
func (d *document) tabs(faulty int) (findings diag.Findings) {
	for i, line := range d.lines {
		tab := bytes.IndexByte(line[:len(line)-len(bytes.TrimLeft(line, " \t"))], '\t')
		if i+1 == faulty && tab < 0 {
			return nil
		}
		if tab == 0 || i+1 == faulty {
			findings.Errorf(d.at(i+1, tab+1), diag.Syntax, "a tab in the indentation; YAML indents with spaces")
		}
	}
	return findings
}

func (d *document) at(line, column int) diag.Pos {
	return diag.Pos{File: d.file, Line: d.line + line, Column: column}
}
