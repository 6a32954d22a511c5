package catalog

import (
	"io"
	"reflect"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Configuration is the file event-gen.yaml of a module.
type Configuration struct {
	File       string
	APIVersion Scalar `key:"apiVersion,required" form:"event-gen.github.io/v1alpha1"`
	Kind       Scalar `key:"kind,required" form:"Configuration"`
	// the module's catalogs: files and folders, relative to this file
	Catalogs    []Scalar `key:"catalogs,required" form:"path"`
	CatalogsPos diag.Pos `key:"catalogs,pos"`
	// settings for judging the catalogs of the module
	Lint LintSettings `key:"lint"`
	// the intended breaking changes
	Breaking `key:"breaking"`
	// settings for generating the files of the module
	Generate GenerateSettings `key:"generate"`
	// settings for documenting the events of the module
	Docs DocsSettings `key:"docs"`
	// settings for judging calls that record without a catalog
	Calls CallSettings `key:"calls"`
}

// GenerateSettings holds the settings for generating the files of a module.
type GenerateSettings struct {
	// a file with the text above generated files, slash-separated, relative to this file
	HeaderFile Scalar `key:"headerFile" form:"path"`
}

// DocsSettings holds the settings for documenting the events of a module.
type DocsSettings struct {
	// the file that `event-gen docs` writes, slash-separated, relative to this file: a page if it
	// ends in `.html` or `.htm`, else Markdown in `.md` or `.markdown`
	Into Scalar `key:"into" form:"path"`
}

// CallSettings holds the settings for judging calls that record without a catalog.
type CallSettings struct {
	// every note whose length can't be proven is a finding
	Strict Scalar `key:"strict" form:"boolean"`
	// the files and folders that may have raw calls
	Allow []AllowedCalls `key:"allow"`
}

// AllowedCalls is a file, or a folder with everything below it. Its path is relative to the
// configuration's folder.
type AllowedCalls struct {
	Pos    diag.Pos
	Path   Scalar `key:"path,required" form:"path"`
	Reason Scalar `key:"reason,required"`
}

// LintSettings holds the settings for judging the catalogs of a module.
type LintSettings struct {
	// findings of this severity or worse make a command fail; default `error`
	FailOn Scalar `key:"failOn" form:"error|warning|info"`
	// changes the severities of rules that are not errors
	Severities []RuleSeverity `key:"severities" each:"severity of"`
	// suppresses rules everywhere
	Ignore []Ignore `key:"ignore"`
}

// Breaking lists the intended breaking changes.
type Breaking struct {
	Acknowledged []Acknowledged `key:"acknowledged,required"`
}

// Acknowledged is an intended breaking change.
type Acknowledged struct {
	Pos   diag.Pos
	Rule  Scalar `key:"rule,required"`
	Event Scalar `key:"event"`
	// the reason of the change
	Reason Scalar `key:"reason,required"`
	// the last release before the change
	Since Scalar `key:"since,required"`
}

// RuleSeverity gives a rule a severity.
type RuleSeverity struct {
	Rule     Scalar `key:"*"`
	Severity Scalar `key:",short" form:"error|warning|info" hint:"; to switch a rule off, list it in lint.ignore: {rule: …, reason: …}"`
}

// ReadConfiguration reads a configuration, as strictly as Read reads a catalog.
func ReadConfiguration(name string, r io.Reader) (*Configuration, diag.Findings) {
	data, findings := readText(name, r)
	if len(findings) > 0 {
		return nil, findings
	}
	return readConfiguration(name, data)
}

func readConfiguration(path string, data []byte) (*Configuration, diag.Findings) {
	config := &Configuration{File: path}
	for i, c := range split(data) {
		d := parse(path, c)
		switch {
		case len(d.findings) > 0:
		case d.root == nil && i == 0:
			d.findings.Errorf(d.at(1, 1), diag.Syntax, "expected a %s, found an empty file", KindConfiguration)
		case d.root != nil && i > 0:
			d.reject(d.root, "expected one document, found a second one")
		case d.root != nil:
			d.configuration(config)
		}
		if len(d.findings) > 0 {
			return nil, d.findings
		}
	}
	return config, nil
}

func (d *document) configuration(c *Configuration) {
	if d.expect(d.header("apiVersion"), d.header("kind"), KindConfiguration) {
		d.structure(reflect.ValueOf(c).Elem(), "a "+KindConfiguration, d.root, keysOf(reflect.TypeFor[Configuration]()))
	}
}
