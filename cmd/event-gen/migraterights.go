package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/migrate/fields"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/rights/program"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// usualManifests is where kubebuilder's projects have their rights.
const usualManifests = "config/rbac"

// tellRights prints which rights the manifests lack once the recorders have moved. Without manifests it prints the rule.
func (m *migration) tellRights(w io.Writer) error {
	if len(m.fields.Sources) == 0 || m.onto != string(fields.Events) && m.onto != string(fields.EventGen) {
		return nil
	}
	manifests := m.rbac
	if info, err := os.Stat(filepath.FromSlash(usualManifests)); len(manifests) == 0 && err == nil && info.IsDir() {
		manifests = []string{usualManifests}
	}
	if len(manifests) == 0 {
		_, err := fmt.Fprintf(w, "\nThe program now needs the rule %s\n(--rbac=DIR compares it with the manifests)\n",
			rights.Text(false, []string{rights.EventsGroup}, []string{"create", "patch"}))
		return err
	}
	findings, err := m.missingRights(manifests)
	if err != nil {
		return err
	}
	if len(findings) == 0 {
		_, err := fmt.Fprintf(w, "\nThe manifests grant what the program now needs: %v\n", manifests)
		return err
	}
	fmt.Fprintln(w, "\nRights that are missing:")
	for _, f := range findings {
		fmt.Fprintf(w, "%s: %s\n", f.Pos, f.Message)
	}
	return nil
}

// missingRights compares the manifests with what the changed programs need.
func (m *migration) missingRights(manifests []string) (diag.Findings, error) {
	set, problems := rights.Read(manifests, m.cmd.InOrStdin())
	if err := refused(m.cmd, problems); err != nil {
		return nil, err
	}
	var found diag.Findings
	texts := m.plan.Changed(m.checks())
	for _, l := range m.loads {
		loaded, err := l.Loaded(m.cmd.Context(), texts)
		if err != nil {
			return nil, err
		}
		p, err := loaded.Program(m.cmd.Context(), false)
		if err != nil {
			return nil, err
		}
		at := &places{fset: p.Fset, dir: m.dir, texts: maps.Clone(texts)}
		all := program.Of(p, nil, at.of)
		found = append(found, rights.Judge(set, all, all, "")...)
	}
	found = slices.DeleteFunc(found, func(f diag.Finding) bool {
		return f.Rule != callrules.MissingRight.ID && f.Rule != callrules.LocalRight.ID
	})
	found.Sort()
	return slices.Compact(found), nil
}
