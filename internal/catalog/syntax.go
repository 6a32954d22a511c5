package catalog

import (
	"bytes"
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
	if tabs := d.tabs(line); len(tabs) > 0 {
		return tabs
	}
	column := 1
	switch {
	case slices.Contains(uneven, text):
		line, column = d.offLine(line, text)
	case text == nestedMapping:
		column = d.textColumn(line)
	}
	findings.Errorf(d.at(line, column), diag.Syntax, "%s%s", text, advice[text])
	return findings
}

// uneven are the errors for a line with an indentation that no other line has. The library reports
// the line at which the block begins.
var uneven = []string{"did not find expected key", "did not find expected '-' indicator"}

// offLine returns the line that causes an error of uneven, and the column of its text. It finds the
// shortest beginning of the document that has the error; begin is a line before that.
func (d *document) offLine(begin int, text string) (line, column int) {
	fails := func(lines int) bool {
		var node yaml.Node
		err := yaml.Unmarshal(bytes.Join(d.lines[:lines], []byte("\n")), &node)
		return err != nil && strings.HasSuffix(err.Error(), text)
	}
	line = min(begin+sort.Search(len(d.lines)-begin, func(n int) bool { return fails(begin + n) }), len(d.lines))
	return line, d.textColumn(line)
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
