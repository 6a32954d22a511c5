package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// toolNames are the tools of the module tools that a release needs, by their packages.
var toolNames = map[string]string{
	"apidiff":         "golang.org/x/exp/cmd/apidiff",
	"cyclonedx-gomod": "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod",
}

// tools builds them, at the versions of the module tools.
func (r *release) tools() error {
	for name, path := range toolNames {
		if _, err := r.run(filepath.Join(r.tree(), "tools"), []string{"GOWORK=off"}, "go", "build", "-o", r.tool(name), path); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) tool(name string) string { return filepath.Join(r.work, "tools", name) }

// allowed are the licences that a program under Apache-2.0 may contain. BSD-Source-Code is what the
// tool takes the licence of golang.org/x for.
var allowed = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSD-Source-Code", "ISC", "MIT", "Unlicense"}

// component is a module of a program, as a bill of materials in CycloneDX's format has it.
type component struct {
	Name, Version string
	Licenses      []struct{ License struct{ ID string } }
}

// bill writes a bill of materials for each program, and the licences of all of them. A module
// without a licence, or with one that is not allowed, fails the release.
func (r *release) bill() error {
	licences := map[string][]string{} // by module and version
	for _, p := range platforms {
		file := r.asset(p.os, p.arch)
		if _, err := r.run(r.work, r.env, r.tool("cyclonedx-gomod"), "bin", "-json", "-std", "-licenses", "-assert-licenses",
			"-version="+r.version, "-output="+file+".cdx.json", file); err != nil {
			return err
		}
		text, err := os.ReadFile(file + ".cdx.json")
		if err != nil {
			return err
		}
		var bill struct{ Components []component }
		if err := json.Unmarshal(text, &bill); err != nil {
			return fmt.Errorf("%s.cdx.json: %w", file, err)
		}
		for _, c := range bill.Components {
			licences[c.Name+" "+c.Version] = c.licences()
		}
	}
	var table strings.Builder
	for _, of := range slices.Sorted(maps.Keys(licences)) {
		found := licences[of]
		if !slices.ContainsFunc(found, func(id string) bool { return slices.Contains(allowed, id) }) {
			return fmt.Errorf("%s: expected one of the licences %v, found %v", of, allowed, found)
		}
		fmt.Fprintf(&table, "%s %s\n", of, strings.Join(found, ", "))
	}
	r.say("%d modules:\n%s", len(licences), table.String())
	return os.WriteFile(filepath.Join(r.assets, "LICENCES"), []byte(table.String()), 0o644)
}

func (c component) licences() []string {
	if c.Name == "std" {
		// of the file LICENSE in GOROOT, which the tool does not look at
		return []string{"BSD-3-Clause"}
	}
	var ids []string
	for _, l := range c.Licenses {
		ids = append(ids, l.License.ID)
	}
	return ids
}
