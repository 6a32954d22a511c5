package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
	"slices"
)

// Settings holds the settings for rules in the configuration of a module. The zero value has the
// defaults.
type Settings struct {
	// FailOn is the least severity that makes a command fail; nil stands for error.
	FailOn *diag.Severity

	severities map[string]diag.Severity
	ignore     []catalog.Ignore
}

// NewSettings reads the settings of a configuration, which may be nil. Its findings are about the
// configuration.
func NewSettings(config *catalog.Configuration) (s Settings, findings diag.Findings) {
	if config == nil {
		return s, nil
	}
	var severity diag.Severity
	if config.Lint.FailOn.Set() && severity.Set(config.Lint.FailOn.Value) == nil {
		s.FailOn = new(severity)
	}
	s.severities = map[string]diag.Severity{}
	for _, r := range config.Lint.Severities {
		if checkAdjustable(&findings, r.Rule, "have another severity") && severity.Set(r.Severity.Value) == nil {
			s.severities[r.Rule.Value] = severity
		}
	}
	for _, i := range config.Lint.Ignore {
		if !checkAdjustable(&findings, i.Rule, "be suppressed") {
			continue
		}
		if !reasoned(i) {
			findings.Errorf(i.Reason.Pos, diag.Syntax, "the suppression of %s needs a reason", i.Rule.Value)
		}
		s.ignore = append(s.ignore, i)
	}
	return s, findings
}

// checkAdjustable reports a rule that does not exist or whose severity can't be changed. Errors of
// rules for calls can be changed, because these rules judge other people's code and may be wrong.
func checkAdjustable(findings *diag.Findings, id catalog.Scalar, what string) bool {
	switch rule := ruleOf(id.Value); {
	case callrules.Of(id.Value) != nil:
	case rule == nil:
		findings.Errorf(id.Pos, diag.Syntax, "there is no rule %q%s", id.Value, spell.DidYouMean(id.Value, IDs()))
		return false
	case rule.Severity == diag.Error:
		findings.Errorf(id.Pos, diag.Syntax, "%s is an error, which can't %s", id.Value, what)
		return false
	}
	return true
}

// Applied returns the findings that the configuration does not suppress, with the configuration's
// severities.
func (s Settings) Applied(findings diag.Findings) diag.Findings {
	findings = slices.DeleteFunc(findings, func(f diag.Finding) bool {
		return slices.ContainsFunc(s.ignore, func(i catalog.Ignore) bool { return i.Rule.Value == f.Rule && reasoned(i) })
	})
	s.adjust(findings)
	return findings
}

// adjust sets the severities of findings to those of the settings.
func (s Settings) adjust(findings diag.Findings) {
	for i, f := range findings {
		if severity, given := s.severities[f.Rule]; given {
			findings[i].Severity = severity
		}
	}
}

// IDs returns the ids of all rules.
func IDs() []string {
	var ids []string
	for _, rule := range Rules() {
		ids = append(ids, rule.ID)
	}
	return ids
}
