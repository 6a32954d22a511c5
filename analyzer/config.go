package analyzer

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/disk"
)

// config holds the settings for calls in event-gen.yaml.
type config struct {
	strict bool
	ignore map[string]bool
	allow  []string // absolute paths
}

// configs caches a function for each path that returns the configuration, because many packages
// share a file.
var configs sync.Map

// configFor returns the configuration of a package; empty if there is none.
func configFor(pass *analysis.Pass, path string) (*config, error) {
	if path == "" && len(pass.Files) > 0 {
		path = discovery.Nearest(discovery.Disk{}, filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename))
	}
	if path == "" {
		return &config{}, nil
	}
	load, _ := configs.LoadOrStore(path, sync.OnceValues(func() (*config, error) { return readConfig(path) }))
	return load.(func() (*config, error))()
}

func readConfig(path string) (*config, error) {
	f, err := disk.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	from, findings := catalog.ReadConfiguration(path, f)
	if findings.HasErrors() {
		return nil, fmt.Errorf("%s", findings[0])
	}
	absolute, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	c := &config{strict: from.Calls.Strict.Value == "true", ignore: map[string]bool{}}
	for _, i := range from.Lint.Ignore {
		if callrules.Of(i.Rule.Value) != nil && strings.TrimSpace(i.Reason.Value) != "" {
			c.ignore[i.Rule.Value] = true
		}
	}
	for _, a := range from.Calls.Allow {
		if strings.TrimSpace(a.Reason.Value) == "" {
			return nil, fmt.Errorf("%s: the allowed path %s needs a reason", a.Pos, a.Path.Value)
		}
		c.allow = append(c.allow, filepath.Join(absolute, filepath.FromSlash(a.Path.Value)))
	}
	return c, nil
}

// allowed reports whether a file may have raw calls.
func (c *config) allowed(file string) bool {
	absolute, err := filepath.Abs(file)
	return err == nil && slices.ContainsFunc(c.allow, func(a string) bool {
		return absolute == a || strings.HasPrefix(absolute, a+string(filepath.Separator))
	})
}
