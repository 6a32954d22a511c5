package format

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"

	"github.com/event-gen/event-gen/internal/diag"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failure   *junitFailure `xml:"failure"`
	Output    string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes a suite a file. A finding is a test that fails, or passes with output where it is no failure; a file
// without any is a test that passes.
func writeJUnit(w io.Writer, r *Report) error {
	all := junitSuites{Name: r.Tool}
	for _, file := range r.files() {
		suite := junitSuite{Name: clean(file)}
		for _, f := range r.Findings {
			if f.Pos.File == file {
				suite.add(f, r.FailOn)
			}
		}
		if len(suite.Cases) == 0 {
			suite.Cases = []junitCase{{Name: "clean", ClassName: suite.Name}}
		}
		suite.Tests = len(suite.Cases)
		all.Tests += suite.Tests
		all.Failures += suite.Failures
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

func (s *junitSuite) add(f diag.Finding, failOn diag.Severity) {
	c := junitCase{Name: fmt.Sprintf("%s %d:%d", f.Rule, f.Pos.Line, f.Pos.Column), ClassName: s.Name}
	if f.Severity >= failOn {
		s.Failures++
		c.Failure = &junitFailure{Message: clean(f.Message), Type: f.Severity.String(), Text: clean(f.String())}
	} else {
		c.Output = clean(f.String())
	}
	s.Cases = append(s.Cases, c)
}

// files are those that were judged, and those that findings are in.
func (r *Report) files() []string {
	files := slices.Clone(r.Files)
	for _, f := range r.Findings {
		files = append(files, f.Pos.File)
	}
	slices.Sort(files)
	return slices.Compact(files)
}
