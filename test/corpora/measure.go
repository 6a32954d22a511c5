package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/judge"
	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/migrate/report"
	"github.com/event-gen/event-gen/internal/adoption/propose"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	scanreport "github.com/event-gen/event-gen/internal/adoption/scan/report"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// row is what the tools find and change in a repository.
type row struct {
	// Calls, Findings and Verdicts have a line each: what a call records, the rule and the place of
	// a finding, and what becomes of a call. Catalog is the proposed one, Diff the change.
	Calls, Findings, Verdicts []string
	Catalog, Diff             string

	Recorders, Wrappers, Known int
	Total                      int // calls that migrate judges
	Equal, EqualExcept, Left   int
	Added, Removed             int
	Problem                    string // why the row ends here
}

// measure reads the repository in the working directory once, and finds its row: the one of all
// parts, and one without each of some parts.
func measure(ctx context.Context, manifests, parts []string) (map[string]row, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	loaded, err := scan.Read(ctx, scan.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	m := &measurement{ctx: ctx, dir: dir, loaded: loaded, manifests: manifests}
	rows := map[string]row{"": m.row()}
	for _, part := range parts {
		switchOff(part)
		rows[part] = m.row()
	}
	return rows, nil
}

type measurement struct {
	ctx       context.Context
	dir       string
	loaded    *scan.Loaded
	manifests []string
	// set is the proposed catalog of the first row, which all rows are migrated with.
	set *model.Set
	// unproposed is why there is none.
	unproposed error
}

func (m *measurement) row() (r row) {
	defer func() {
		if p := recover(); p != nil {
			r.Problem = fmt.Sprint("panic: ", p)
		}
	}()
	program, err := m.loaded.Program(m.ctx, false)
	if err != nil {
		return row{Problem: err.Error()}
	}
	result := scan.Scan(m.ctx, program)
	r.calls(result, m.dir)
	found, err := judge.Judge(result, m.dir, judge.Options{RBAC: m.manifests})
	if err != nil {
		r.Problem = err.Error()
	}
	for _, f := range append(found.Findings, found.Problems...) {
		r.Findings = append(r.Findings, f.Rule+" "+f.Pos.String())
	}
	slices.Sort(r.Findings)
	if m.set == nil {
		r.Catalog, m.unproposed = m.propose(result)
	}
	if m.unproposed != nil {
		r.Problem = m.unproposed.Error()
		return r
	}
	plan, err := migrate.New([]*scan.Result{result}, m.set, migrate.Options{Dir: m.dir})
	if err != nil {
		r.Problem = err.Error()
		return r
	}
	r.plan(plan, m.dir)
	return r
}

func (r *row) calls(result *scan.Result, dir string) {
	for _, s := range result.Sites {
		at := scan.Relative(s.Pos, dir)
		r.Calls = append(r.Calls, fmt.Sprintf("%s:%d %s %s %s %s", at.Filename, at.Line, s.Scope, s.Type, s.Reason, s.Action))
	}
	sum := scanreport.Summarize(result)
	r.Recorders, r.Wrappers, r.Known = sum.Direct, sum.ThroughWrapper, sum.Known
	slices.Sort(r.Calls)
}

// propose sets the catalog that the scan proposes.
func (m *measurement) propose(result *scan.Result) (string, error) {
	name := filepath.Base(m.dir)
	for _, p := range result.Program.Packages {
		if p.Module != "" {
			name = p.Module
			break
		}
	}
	o := propose.Options{Package: "repositoryevents", ImportPath: name + "/internal/repositoryevents", Dir: m.dir}
	_, text, err := judge.Proposed(m.ctx, result, o, filepath.Join(m.dir, "catalog.yaml"))
	if err != nil {
		m.set = &model.Set{}
		return "", err
	}
	catalogs, _ := catalog.Read("catalog.yaml", bytes.NewReader(text))
	m.set, _ = model.Build(m.ctx, catalogs, model.Options{Resolve: model.ResolveAuto})
	return string(text), nil
}

func (r *row) plan(p *migrate.Plan, dir string) {
	s := report.Of(p)
	r.Total, r.Equal, r.EqualExcept, r.Left, r.Added, r.Removed = s.Sites, s.Equal, s.EqualExcept, s.Left, s.Added, s.Removed
	for _, site := range p.Decisions {
		var causes []proof.ID
		for _, c := range site.Causes {
			causes = append(causes, c.ID)
		}
		r.Verdicts = append(r.Verdicts, fmt.Sprintf("%s:%d %s %s %s %v", site.Pos.Filename, site.Pos.Line, site.State, site.Entry, site.Outcome, causes))
	}
	var diff strings.Builder
	for _, f := range p.Files {
		name, _ := filepath.Rel(dir, f.Path) // the clones may be anywhere
		diff.Write(report.Diff(f, name))
	}
	r.Diff = diff.String()
}

// digest is a short name for lines.
func digest(lines ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	return fmt.Sprintf("%x", sum[:4])
}
