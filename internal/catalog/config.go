package catalog

import (
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Configuration is the file event-gen.yaml of a module.
type Configuration struct {
	File string
	// Catalogs are the module's catalogs: files and folders, relative to the configuration's folder.
	Catalogs []Scalar
	Lint     LintSettings
	Generate GenerateSettings
	Calls    CallSettings
	// Acknowledged are the breaking changes that are meant.
	Acknowledged []Acknowledged
}

// GenerateSettings is how the files of a module are generated.
type GenerateSettings struct {
	// HeaderFile is a file with the text above generated files, slash-separated, relative to the configuration's folder.
	HeaderFile Scalar
}

// CallSettings is how calls that record without a catalog are judged.
type CallSettings struct {
	// Strict is a boolean: every note whose length can't be proven is a finding. Early switches EV523 on.
	Strict, Early Scalar
	// Allow lists the files and folders that may have raw calls.
	Allow []AllowedCalls
}

// AllowedCalls is a folder, with all below it, or a file: relative to the configuration's folder.
type AllowedCalls struct {
	Pos          diag.Pos
	Path, Reason Scalar
}

// LintSettings is how a module judges its catalogs.
type LintSettings struct {
	// FailOn is the least severity that makes a command fail; not set: error.
	FailOn Scalar
	// Severities changes the severities of rules.
	Severities []RuleSeverity
	// Ignore suppresses rules everywhere.
	Ignore []Ignore
}

// Acknowledged is a breaking change that is meant: of which rule, of which event, why, and since which release.
type Acknowledged struct {
	Pos                        diag.Pos
	Rule, Event, Reason, Since Scalar
}

// RuleSeverity gives a rule a severity.
type RuleSeverity struct {
	Rule, Severity Scalar
}

// ReadConfiguration reads a configuration as strictly as a catalog.
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
			d.reject(d.root, "a second document; a configuration is one")
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
	if !d.expect(d.header("apiVersion"), d.header("kind"), KindConfiguration) {
		return
	}
	d.mapping(d.root, "a "+KindConfiguration, []field{
		{"apiVersion", true, ignore},
		{"kind", true, ignore},
		{"catalogs", true, d.texts(&c.Catalogs)},
		{"lint", false, d.keys(
			field{"failOn", false, d.oneOf(&c.Lint.FailOn, severityNames...)},
			field{"severities", false, d.severities(&c.Lint.Severities)},
			field{"ignore", false, d.list(d.ignored(&c.Lint.Ignore))},
		)},
		{"breaking", false, d.keys(field{"acknowledged", true, d.list(d.acknowledged(&c.Acknowledged))})},
		{"generate", false, d.keys(field{"headerFile", false, d.walker.text(&c.Generate.HeaderFile)})},
		{"calls", false, d.keys(
			field{"strict", false, d.boolean(&c.Calls.Strict)},
			field{"early", false, d.boolean(&c.Calls.Early)},
			field{"allow", false, d.list(d.allowed(&c.Calls.Allow))},
		)},
	})
}

var severityNames = []string{diag.Error.String(), diag.Warning.String(), diag.Info.String()}

func (w *walker) allowed(into *[]AllowedCalls) reader {
	return func(key string, n *yaml.Node) {
		a := AllowedCalls{Pos: w.pos(n)}
		w.mapping(n, key, []field{
			{"path", true, w.text(&a.Path)},
			{"reason", true, w.text(&a.Reason)},
		})
		*into = append(*into, a)
	}
}

func (w *walker) acknowledged(into *[]Acknowledged) reader {
	return func(key string, n *yaml.Node) {
		a := Acknowledged{Pos: w.pos(n)}
		w.mapping(n, key, []field{
			{"rule", true, w.text(&a.Rule)},
			{"event", false, w.text(&a.Event)},
			{"reason", true, w.text(&a.Reason)},
			{"since", true, w.text(&a.Since)},
		})
		*into = append(*into, a)
	}
}

func (w *walker) severities(into *[]RuleSeverity) reader {
	return w.entries(func(rule Scalar, n *yaml.Node) {
		s := RuleSeverity{Rule: rule}
		w.oneOf(&s.Severity, severityNames...)("severity of "+rule.Value, n)
		*into = append(*into, s)
	})
}
