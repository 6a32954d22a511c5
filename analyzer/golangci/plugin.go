// Package golangci is the analyzer as a module plugin of golangci-lint v2. Its settings are those
// of analyzer.Settings, in .golangci.yml under linters.settings.custom.eventgen.settings.
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

// New makes the plugin of the settings that golangci-lint has read. It refuses unknown keys.
func New(conf any) (register.LinterPlugin, error) {
	s, err := register.DecodeSettings[analyzer.Settings](conf)
	if err != nil {
		return nil, err
	}
	return &plugin{s}, nil
}

// BuildAnalyzers gives the analyzer.
func (p *plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	return []*analysis.Analyzer{analyzer.New(p.settings)}, nil
}

// GetLoadMode says that types are needed.
func (p *plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
