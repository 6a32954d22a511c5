package catalog

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// advice is added to an error of the YAML library that has one usual cause.
var advice = map[string]string{
	"mapping values are not allowed in this context": `; text that holds ": " must be quoted`,
	"found character that cannot start any token":    "; text that begins with one of @ ` % must be quoted",
	"did not find expected key":                      "; is a quote missing, or the indentation uneven?",
	"did not find expected ',' or ']'":               "; is a quote or a bracket missing?",
	"did not find expected ',' or '}'":               "; is a quote or a brace missing?",
	"could not find expected ':'":                    "; is a colon missing, or a quote?",
}

// syntax turns an error of the YAML library, which knows a line at most, into findings.
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
	findings.Errorf(d.at(line, 1), diag.Syntax, "%s%s", text, advice[text])
	return findings
}

// errorLine returns the line of the document, from 1. The library counts the lines of its parser's errors from 0, and leaves
// out a line 0.
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

// tabs reports the tabs in indentation, if the faulty line has one.
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
