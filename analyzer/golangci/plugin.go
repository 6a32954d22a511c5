// Package golangci provides the analyzer as a module plugin of golangci-lint v2. Its settings are
// analyzer.Settings, in .golangci.yml under linters.settings.custom.eventgen.settings.
package golangci

import (
	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/event-gen/event-gen/analyzer"
)

// Name is the linter's name.
const Name = "eventgen"

func init() { register.Plugin(Name, New) }

// plugin is one configured linter.
type plugin struct{ settings analyzer.Settings }

// New returns a plugin with the settings that golangci-lint has read. It fails on unknown keys.
func New(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[analyzer.Settings](conf)
	if err != nil {
		return nil, err
	}
	return &plugin{s}, nil
}

// BuildAnalyzers returns the analyzer.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{analyzer.New(p.settings)}, nil
}

// GetLoadMode tells golangci-lint to load types.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
