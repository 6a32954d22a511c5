package header

import (
	"errors"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// Licence is a text above the header of generated files. The zero Licence is empty.
type Licence struct {
	lines []string // without comment signs, except in verbatim
	// verbatim is the text if it already is Go comments. Go files get it unchanged.
	verbatim string
}

// yearMark is the placeholder for the year: {year}, or YEAR as in the files of Kubernetes.
var (
	yearMark = regexp.MustCompile(`\{year\}|\bYEAR\b`)
	anyYear  = regexp.MustCompile(`\b(?:19|20)[0-9]{2}\b`)
)

// MaxLicence bounds a licence, in bytes.
const MaxLicence = 64 << 10

// NewLicence reads a licence: plain text, or Go comments. An empty text is no licence.
func NewLicence(text []byte) (Licence, error) {
	text = diag.WithoutMark(text)
	body := strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), " \t\n")
	body = strings.TrimLeft(body, "\n")
	switch {
	case len(text) > MaxLicence:
		return Licence{}, errors.New("expected a licence of at most 64 KiB")
	case !utf8.ValidString(body) || strings.ContainsFunc(strings.NewReplacer("\n", "", "\t", "").Replace(body), plain.Hidden):
		return Licence{}, errors.New("expected UTF-8 text with line ends of LF or CRLF, without control characters")
	case body == "":
		return Licence{}, nil
	}
	l := Licence{lines: strings.Split(body, "\n")}
	if isGoComments(body) {
		l.verbatim, l.lines = body, uncommented(body)
	}
	if _, ours := Find([]byte(l.Go("2000") + "\n")); ours {
		return Licence{}, errors.New("expected a licence without the header of generated files, which event-gen writes itself")
	}
	return l, nil
}

// isGoComments reports whether a text has only Go comments.
func isGoComments(text string) bool {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), nil, scanner.ScanComments)
	for {
		switch _, tok, _ := s.Scan(); tok {
		case token.COMMENT:
		case token.EOF:
			return s.ErrorCount == 0
		default:
			return false
		}
	}
}

// uncommented returns the lines of Go comments without their signs.
func uncommented(text string) []string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		for _, sign := range []string{"//", "/*", "*/", "*"} {
			if rest, found := strings.CutPrefix(line, sign); found {
				line = rest
				break
			}
		}
		line = strings.TrimSuffix(line, "*/")
		lines = append(lines, strings.TrimRight(strings.TrimPrefix(line, " "), " \t"))
	}
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// Go returns the licence for a Go file, with an empty line after it; empty if there is none.
func (l Licence) Go(year string) string {
	if l.verbatim != "" {
		return dated(l.verbatim, year) + "\n\n"
	}
	return l.commented("//", year)
}

// YAML returns the licence for a YAML file.
func (l Licence) YAML(year string) string { return l.commented("#", year) }

func (l Licence) commented(sign, year string) string {
	if len(l.lines) == 0 {
		return ""
	}
	var b strings.Builder
	for _, line := range l.lines {
		b.WriteString(strings.TrimRight(sign+" "+dated(line, year), " \t") + "\n")
	}
	return b.String() + "\n"
}

func dated(text, year string) string { return yearMark.ReplaceAllLiteralString(text, year) }

// FirstYear returns the year in a file's licence; empty if there is none. The year stays when the
// file is generated again.
func FirstYear(content []byte) string {
	f, _ := Find(content)
	return string(anyYear.Find(f.Above))
}
