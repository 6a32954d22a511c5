package format

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr,omitempty"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr,omitempty"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failure   *junitFailure `xml:"failure"`
	Error     *junitFailure `xml:"error"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a suite for each file. A finding is a test that fails or, below the severity of
// failures, passes with output. A file without findings is a test that passes. A problem is a test
// that could not run.
func writeJUnit(w io.Writer, r *Report) error {
	all := junitSuites{Name: r.Tool}
	for _, file := range r.files() {
		suite := r.suite(file)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
		all.Errors += suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// suite returns the findings and problems of a file.
func (r *Report) suite(file string) junitSuite {
	s := junitSuite{Name: Clean(file)}
	for _, f := range r.Problems {
		if f.Pos.File == file {
			s.Errors++
			s.Cases = append(s.Cases, junitCase{Name: caseName(f), ClassName: s.Name, Error: newFailure(f)})
		}
	}
	for _, f := range r.Findings {
		if f.Pos.File == file {
			s.add(f, r.FailOn)
		}
	}
	if len(s.Cases) == 0 {
		s.Cases = []junitCase{{Name: "clean", ClassName: s.Name}}
	}
	s.Tests = len(s.Cases)
	return s
}

func (s *junitSuite) add(f diag.Finding, failOn diag.Severity) {
	c := junitCase{Name: caseName(f), ClassName: s.Name}
	if f.Severity >= failOn {
		s.Failures++
		c.Failure = newFailure(f)
	} else {
		c.Output = withMatchers(Line(f), f)
	}
	s.Cases = append(s.Cases, c)
}

func caseName(f diag.Finding) string {
	if f.Pos.Line == 0 {
		return "problem"
	}
	return fmt.Sprintf("%s %d:%d", f.Rule, f.Pos.Line, f.Pos.Column)
}

func newFailure(f diag.Finding) *junitFailure {
	return &junitFailure{Message: Clean(f.Message), Type: f.Severity.String(), Text: withMatchers(Line(f), f)}
}

// withMatchers returns a text about a finding, followed by the lines of its matchers.
func withMatchers(text string, f diag.Finding) string {
	return strings.Join(append([]string{text}, matchers(f.Change)...), "\n")
}

// files returns the files that were judged, and the files with findings.
func (r *Report) files() []string {
	files := slices.Clone(r.Files)
	for _, f := range slices.Concat(r.Problems, r.Findings) {
		files = append(files, f.Pos.File)
	}
	slices.Sort(files)
	return slices.Compact(files)
}
