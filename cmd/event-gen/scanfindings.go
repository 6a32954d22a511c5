package main

import (
	"bytes"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/rawcall"
	"github.com/event-gen/event-gen/internal/adoption/rights"
	"github.com/event-gen/event-gen/internal/adoption/rights/program"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/discovery"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// judgeOptions are the options of scan that are about findings.
type judgeOptions struct {
	lintOptions
	findings, strict, early bool
	rbac, mains             []string
	serviceAccount          string
}

// judging are flags without --findings, or --rbac, of no use.
var judging = []string{"fail-on", "show", "rule", "strict", "early"}

func (o *judgeOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.findings, "findings", false, "print mistakes in the calls, instead of the calls")
	f.StringArrayVar(&o.rbac, "rbac", nil, "also print which rights are missing or superfluous in this manifest, folder, Go file or kustomization; - is stdin; can be repeated")
	f.StringArrayVar(&o.mains, "main", nil, "judge the rights of this main package only, by import path or folder; can be repeated")
	f.StringVar(&o.serviceAccount, "service-account", "", "count only rights that are bound to this service account")
	f.BoolVar(&o.strict, "strict", false, "report every note of the events API whose length can't be proven (EV515)")
	f.BoolVar(&o.early, "early", false, "report events before the status update that they tell of (EV523)")
	f.Var(&o.failOn, "fail-on", "with --findings or --rbac: the least severity that makes the command fail: error, warning or info")
	f.Var(&o.show, "show", "with --findings or --rbac: the least severity that is shown: error, warning or info")
	f.StringSliceVar(&o.rules, "rule", nil, "with --findings or --rbac: show findings of these rules only, such as EV515,EV516")
}

// check says what of the options can't be.
func (o *judgeOptions) check(cmd *cobra.Command) error {
	if len(o.rbac) > 0 {
		o.findings = true
	}
	for i, rule := range o.rules {
		o.rules[i] = strings.ToUpper(strings.TrimSpace(rule))
		if callrules.Of(o.rules[i]) == nil {
			return fmt.Errorf("--rule: there is no rule %q for calls; docs/scan.md lists them", rule)
		}
	}
	for _, name := range judging {
		if cmd.Flags().Changed(name) && !o.findings {
			return fmt.Errorf("--%s is about findings: add --findings or --rbac", name)
		}
	}
	if (len(o.mains) > 0 || o.serviceAccount != "") && len(o.rbac) == 0 {
		return fmt.Errorf("--main and --service-account are about rights: add --rbac")
	}
	return nil
}

// judgeAll finds what is wrong with calls and rights, but for what the configuration suppresses.
func judgeAll(cmd *cobra.Command, r *scan.Result, dir string, o scanOptions) (in judgement, err error) {
	in = judgeCalls(r, dir, &o.judgeOptions)
	if len(o.rbac) > 0 && len(in.problems) == 0 {
		err = judgeRights(cmd, &in, r, dir, o)
	}
	in.findings = in.settings.Applied(in.findings)
	return in, err
}

// judgeScan prints what is wrong with calls and rights.
func judgeScan(cmd *cobra.Command, r *scan.Result, dir string, o scanOptions) error {
	in, err := judgeAll(cmd, r, dir, o)
	if err != nil {
		return err
	}
	in.findings.Sort()
	failOn := o.threshold(cmd, in.settings)
	in.findings = o.chosen(in.findings)
	shown, hidden := divide(in.findings, o.least(cmd, failOn))
	sources := textOf(map[string][]byte{})
	return publish(cmd, o.format, &format.Report{
		Findings: shown, Hidden: hidden, Problems: in.problems, Files: in.files, FailOn: failOn,
		Rules: callRules(), Source: sources.of, Judged: format.Count(r.Recording(), "site"),
	})
}

// judgement is what scan has found, and where.
type judgement struct {
	inputs
	places *places
}

// judgeCalls finds what is wrong with calls.
func judgeCalls(r *scan.Result, dir string, o *judgeOptions) (j judgement) {
	config, problems := discovery.Configuration(discovery.Disk{})
	settings, wrong := lint.NewSettings(config)
	j.config, j.settings, j.problems = config, settings, append(problems, wrong...)
	j.places = &places{fset: r.Program.Fset, dir: dir, texts: map[string][]byte{}}
	if len(j.problems) > 0 {
		return j
	}
	strict, early := o.strict, o.early
	if config != nil {
		strict, early = strict || config.Calls.Strict.Value == "true", early || config.Calls.Early.Value == "true"
	}
	for _, p := range r.Program.Packages {
		for _, f := range p.Syntax {
			j.files = append(j.files, j.places.of(f.Package).File)
		}
	}
	slices.Sort(j.files)
	for _, f := range rawcall.Check(rawcall.Input{
		Fset: r.Program.Fset, Sites: r.Sites, Formats: r.Formats, Left: append(broken(r), r.Left...), Controllers: r.Controllers,
		Complete: complete(r), Packages: r.Program.All(), Whole: true, Strict: strict, Early: early,
		Where: func(pos token.Pos) string { return j.places.of(pos).String() },
	}) {
		j.findings = append(j.findings, diag.Finding{Pos: j.places.of(f.Pos), Rule: f.Rule.ID, Severity: f.Rule.Severity, Message: f.Message})
	}
	return j
}

// broken returns a cause for each package that was read, and does not compile.
func broken(r *scan.Result) (causes []scan.Cause) {
	more := map[string]int{}
	for _, p := range r.Program.Problems {
		more[p.Package]++
	}
	for _, p := range r.Program.Problems {
		if at, ok := p.Position(); ok && more[p.Package] > 0 {
			causes = append(causes, scan.Cause{Pos: at, Text: fmt.Sprintf("%s does not compile, so calls in it may be missing here: %s", p.Package, p.Msg)})
			more[p.Package] = 0
		}
	}
	return causes
}

// complete reports whether all packages of the programs were read, without errors.
func complete(r *scan.Result) bool {
	return len(r.Program.Problems) == 0 && len(r.Program.Skipped) == 0 && program.Unread(r.Program) == ""
}

// judgeRights adds what is wrong with rights. What was not read goes to stderr.
func judgeRights(cmd *cobra.Command, j *judgement, r *scan.Result, dir string, o scanOptions) error {
	set, problems := rights.Read(o.rbac, cmd.InOrStdin())
	report(cmd.ErrOrStderr(), set.Notes, diag.Info)
	j.problems = append(j.problems, problems...)
	if len(problems) > 0 {
		return nil
	}
	if unread := program.Unread(r.Program); unread != "" {
		return fmt.Errorf("--rbac needs all of a program's packages: %s was not read; name ./... , and choose with --main", unread)
	}
	all := program.Of(r.Program, r.Sites, j.places.of) // at least one
	chosen, err := choose(all, r, dir, o.mains)
	if err != nil {
		return err
	}
	all[0].Unread = append(all[0].Unread, unreadPackages(r, dir)...) // where a recorder may be made
	j.findings = append(j.findings, rights.Judge(set, chosen, all, o.serviceAccount)...)
	return nil
}

// unreadPackages tells which packages were not read, or not wholly.
func unreadPackages(r *scan.Result, dir string) (texts []string) {
	for _, problem := range r.Program.Problems {
		texts = append(texts, problem.In(dir))
	}
	for _, module := range r.Program.Skipped {
		texts = append(texts, module+" is a module of its own and was not read")
	}
	return texts
}

// choose gives the programs that --main names, or all.
func choose(all []rights.Program, r *scan.Result, dir string, names []string) ([]rights.Program, error) {
	if len(names) == 0 {
		return all, nil
	}
	var chosen []rights.Program
	for _, name := range names {
		i := slices.IndexFunc(all, func(p rights.Program) bool { return p.Name == name || folderOf(r, p.Name) == absolute(dir, name) })
		if i < 0 {
			return nil, fmt.Errorf("--main: no main package %s is among those that were read", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// folderOf is the folder of a package; empty if it was not read.
func folderOf(r *scan.Result, path string) string {
	for _, p := range r.Program.Packages {
		if p.Path == path && len(p.Syntax) > 0 {
			return filepath.Dir(r.Program.Fset.Position(p.Syntax[0].Package).Filename)
		}
	}
	return ""
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, filepath.FromSlash(path))
}

func callRules() []format.Rule {
	rules := []format.Rule{ruleOf(callrules.Suppression)}
	for _, r := range callrules.Rules() {
		rules = append(rules, ruleOf(r))
	}
	return rules
}

func ruleOf(r *callrules.Rule) format.Rule {
	rule := format.Rule{ID: r.ID, Name: r.Name, Doc: r.Doc, Severity: r.Severity, Help: r.Doc, Document: "docs/scan.md"}
	if page, ok := callrules.PageOf(r.ID); ok {
		rule.Help = page.Markdown()
	}
	return rule
}

// places turns positions of Go into ours: files relative to a folder, columns in runes.
type places struct {
	fset  *token.FileSet
	dir   string
	texts map[string][]byte
}

func (p *places) of(pos token.Pos) diag.Pos {
	at := p.fset.Position(pos)
	found := diag.Pos{File: at.Filename, Line: at.Line, Column: p.column(at)}
	if rel, err := filepath.Rel(p.dir, at.Filename); err == nil && filepath.IsLocal(rel) {
		found.File = rel
	}
	return found
}

// column counts runes where the go command counts bytes.
func (p *places) column(at token.Position) int {
	text, known := p.texts[at.Filename]
	if !known {
		text, _ = os.ReadFile(at.Filename)
		p.texts[at.Filename] = text
	}
	start := at.Offset - (at.Column - 1)
	if start < 0 || at.Offset > len(text) || bytes.IndexByte(text[start:at.Offset], '\n') >= 0 {
		return at.Column
	}
	return utf8.RuneCount(text[start:at.Offset]) + 1
}
