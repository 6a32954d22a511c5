package main

import (
	"cmp"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	scanreport "github.com/event-gen/event-gen/internal/adoption/scan/report"
	"github.com/event-gen/event-gen/internal/output/initialize"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// spent is the processor time of reading packages, and when that began.
type spent struct{ began, load time.Duration }

// summarize prints one row about a program: what it records, what is wrong with that, and what it took to find out.
func summarize(cmd *cobra.Command, r *scan.Result, dir string, o scanOptions, t spent) error {
	s := scanreport.Summarize(r)
	s.Name, s.Commit = nameOf(r, dir), commitOf(cmd.Context(), dir)
	in, err := judgeAll(cmd, r, dir, o)
	if err = cmp.Or(err, refused(cmd, in.problems)); err != nil {
		return err
	}
	calls, rights := scanreport.Counter{}, scanreport.Counter{}
	for _, f := range in.findings {
		if slices.Contains(rightsRules, f.Rule) {
			rights.Add(f.Rule)
		} else {
			calls.Add(f.Rule)
		}
	}
	s.Findings = calls.Sorted()
	if len(o.rbac) > 0 {
		s.Rights = rights.Sorted()
	}
	s.Load, s.Time = scanreport.Seconds(t.load), scanreport.Seconds(processorTime()-t.began)
	addProposal(cmd.Context(), &s, r, dir)
	return scanreport.WriteSummary(cmd.OutOrStdout(), s, o.format)
}

var rightsRules = []string{callrules.MissingRight.ID, callrules.SuperfluousRight.ID, callrules.LocalRight.ID, callrules.FallbackRight.ID}

// addProposal says how large a catalog -o would propose, or why it proposes none.
func addProposal(ctx context.Context, s *scanreport.Summary, r *scan.Result, dir string) {
	m, err := moduleFor([]string{dir})
	if err != nil {
		s.Catalog = err.Error()
		return
	}
	file := filepath.Join(dir, initialize.CatalogFile)
	o := placed(m, file)
	o.Dir = dir
	c, _, err := judged(ctx, r, o, file)
	if err != nil {
		s.Catalog = err.Error()
		return
	}
	s.Events, s.CatalogSites = len(c.Events), c.Sites
}

// nameOf is the module that was read; the folder, where it is none or there are several.
func nameOf(r *scan.Result, dir string) string {
	name := ""
	for _, p := range r.Program.Packages {
		switch {
		case name == "":
			name = p.Module
		case p.Module != name:
			return filepath.Base(dir)
		}
	}
	return cmp.Or(name, filepath.Base(dir))
}

// commitOf is the commit that is checked out, in short; empty outside of a repository.
func commitOf(ctx context.Context, dir string) string {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--short=8", "HEAD")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
