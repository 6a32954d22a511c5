package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/judge"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	scanreport "github.com/event-gen/event-gen/internal/adoption/scan/report"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
)

type scanOptions struct {
	scan.Options
	judgeOptions
	output string
}

func newScan() *cobra.Command {
	o := scanOptions{judgeOptions: judgeOptions{lintOptions: lintOptions{findingsFlags: findingsFlags{failOn: diag.Error}, show: diag.Warning}}}
	cmd := &cobra.Command{
		Use:   "scan [PACKAGES]",
		Short: "Find what a program records on client-go's recorders",
		Long: `Finds the calls of event recorders in Go packages, ./... by default, and prints the events that they record. It follows
reasons, types and texts through constants, variables, functions, wrappers and structs. A value that it can't find is
listed with its position and the cause. It writes nothing, except for a catalog with -o. It reads packages with errors as
far as possible, and prints the errors to stderr.

The first run in a module compiles its dependencies, which can take minutes; --progress shows it.

The scope of a call is direct if it calls a recorder's method and gives the reason, through-wrapper if it gives a wrapper
the reason, and in-wrapper for the call of the recorder's method in the wrapper. A literal of a struct that carries the
reason counts as a call.

--findings prints mistakes in the calls, as lint does for catalogs. --rbac also prints which rights to write events the
manifests lack or grant needlessly:

  event-gen scan --rbac config/rbac
  helm template charts/widget | event-gen scan --rbac -

Exit codes: 0 done, or clean; 1 with --findings or --rbac: findings of the severity of --fail-on or worse; 2 wrong usage
or configuration, no packages, or a manifest that can't be read.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.judgeOptions.check(cmd); err != nil {
				return err
			}
			if err := o.checkFormat(cmd); err != nil {
				return err
			}
			o.Patterns = args
			return runScan(cmd, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", scanreport.Names[0], "the format of calls: "+strings.Join(scanreport.Names, ", ")+
		"; with --findings: "+strings.Join(format.Names, ", "))
	o.flags(cmd)
	f.StringVarP(&o.output, "output", "o", "", "propose a catalog and write it to this file; - is stdout")
	f.StringSliceVar(&o.Tags, "tags", nil, "build tags, separated by commas")
	f.StringVar(&o.GOOS, "goos", "", "the operating system to read the packages for; by default the go command's")
	f.BoolVar(&o.Tests, "tests", false, "read _test.go files too")
	return cmd
}

// checkFormat reports a format that does not exist for the chosen output, and flags that exclude
// each other.
func (o *scanOptions) checkFormat(cmd *cobra.Command) error {
	names := scanreport.Names
	if o.findings {
		names = format.Names
	}
	if !cmd.Flags().Changed("format") {
		o.format = names[0]
	}
	if !slices.Contains(names, o.format) {
		return unknownValue("format", o.format, names...)
	}
	if o.findings && o.output != "" {
		return errors.New("-o proposes a catalog and prints no findings; leave out --findings and --rbac")
	}
	return nil
}

func runScan(cmd *cobra.Command, o scanOptions) error {
	goes, err := destinationOf(o.output)
	if err != nil {
		return err
	}
	r, dir, err := scannedPackages(cmd, o.Options)
	if err != nil {
		return err
	}
	if o.findings {
		return judgeScan(cmd, r, dir, o)
	}
	if o.output != "" {
		return proposeCatalog(cmd, r, dir, goes)
	}
	if err := scanreport.Write(cmd.OutOrStdout(), r, o.format, dir); err != nil {
		return err
	}
	if n := len(judge.Calls(r, dir, judge.Options{Strict: o.strict}).Findings); n > 0 && o.format == scanreport.Names[0] {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s about the calls; run event-gen scan --findings to see them\n", format.Count(n, "finding"))
	}
	return nil
}

// scannedPackages reads packages and finds the events that they record.
func scannedPackages(cmd *cobra.Command, o scan.Options) (r *scan.Result, dir string, err error) {
	loaded, dir, err := readPackages(cmd, &o)
	if err != nil {
		return nil, "", err
	}
	r, err = scanned(cmd, loaded, o.Tests)
	return r, dir, err
}

// readPackages reads packages.
func readPackages(cmd *cobra.Command, o *scan.Options) (l *scan.Loaded, dir string, err error) {
	if dir, err = os.Getwd(); err != nil {
		return nil, "", err
	}
	defer progress.From(cmd.Context()).End()
	l, err = scan.Read(cmd.Context(), *o)
	return l, dir, err
}

// scanned finds the events that packages record. It prints the errors of packages, and the modules
// that were not read.
func scanned(cmd *cobra.Command, l *scan.Loaded, tests bool) (*scan.Result, error) {
	stderr := cmd.ErrOrStderr()
	told := progress.From(cmd.Context())
	defer told.End()
	p, err := l.Program(cmd.Context(), tests)
	told.End()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for _, problem := range p.Problems {
		fmt.Fprintln(stderr, problem.In(dir))
	}
	for _, c := range p.Unselected {
		fmt.Fprintf(stderr, "%s: %s\n", scan.Relative(c.Pos, dir), c.Text)
	}
	for _, module := range p.Skipped {
		fmt.Fprintf(stderr, "%s is another module and was not read; add ./%s/...\n", module, module)
	}
	told.Step("following values")
	return scan.Scan(cmd.Context(), p), nil
}

// judgeOptions are the options of scan for findings.
type judgeOptions struct {
	lintOptions
	findings, strict bool
	rbac, mains      []string
	serviceAccount   string
}

// judging lists flags that choose the findings, and showing those that choose which are printed.
// They have no effect without findings.
var (
	judging = []string{"strict"}
	showing = []string{"fail-on", "show", "rule"}
)

func (o *judgeOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.findings, "findings", false, "print mistakes in the calls instead of the calls")
	f.StringArrayVar(&o.rbac, "rbac", nil, "also print which rights are missing or superfluous in this manifest, folder or Go file; - is stdin; can be repeated")
	f.StringArrayVar(&o.mains, "main", nil, "judge the rights of this main package only, by import path or folder; can be repeated")
	f.StringVar(&o.serviceAccount, "service-account", "", "count only rights that are bound to this service account")
	f.BoolVar(&o.strict, "strict", false, "report every note of the events API whose length can't be proven (EV515)")
	f.Var(&o.failOn, "fail-on", "with --findings or --rbac: fail on findings of this severity or worse: error, warning or info")
	f.Var(&o.show, "show", "with --findings or --rbac: show findings of this severity or worse: error, warning or info")
	f.StringSliceVar(&o.rules, "rule", nil, "with --findings or --rbac: show findings of these rules only, such as EV515,EV516")
}

// check returns the first mistake in the options.
func (o *judgeOptions) check(cmd *cobra.Command) error {
	if len(o.rbac) > 0 {
		o.findings = true
	}
	for i, rule := range o.rules {
		o.rules[i] = strings.ToUpper(strings.TrimSpace(rule))
		switch r := callrules.Of(o.rules[i]); {
		case r == nil:
			return fmt.Errorf("--rule: there is no rule %q for calls; event-gen rules lists them", rule)
		case r.Analyzer:
			return fmt.Errorf("--rule: scan does not have %s %s; event-gen-vet does", r.ID, r.Name)
		}
	}
	for _, name := range slices.Concat(showing, judging) {
		if cmd.Flags().Changed(name) && !o.findings {
			return fmt.Errorf("--%s has an effect only on findings; add --findings or --rbac", name)
		}
	}
	if (len(o.mains) > 0 || o.serviceAccount != "") && len(o.rbac) == 0 {
		return fmt.Errorf("--main and --service-account have an effect only on rights; add --rbac")
	}
	return nil
}

// judged finds the mistakes in calls and rights. It prints to stderr what could not be read.
func (o *judgeOptions) judged(cmd *cobra.Command, r *scan.Result, dir string) (judge.Judgement, error) {
	in, err := judge.Judge(r, dir, judge.Options{
		Strict: o.strict, RBAC: o.rbac, Stdin: cmd.InOrStdin(), Mains: o.mains, ServiceAccount: o.serviceAccount,
	})
	report(cmd.ErrOrStderr(), in.Notes, diag.Info)
	if err == nil {
		o.idle(cmd)
	}
	return in, err
}

// idle says which of the chosen rules were not run, and why.
func (o *judgeOptions) idle(cmd *cobra.Command) {
	for _, id := range o.rules {
		if slices.Contains(rightsRules, id) && len(o.rbac) == 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s was not run: it compares rights, which --rbac names\n", id)
		}
	}
}

// judgeScan prints the findings about calls and rights.
func judgeScan(cmd *cobra.Command, r *scan.Result, dir string, o scanOptions) error {
	in, err := o.judged(cmd, r, dir)
	if err != nil {
		return err
	}
	in.Findings.Sort()
	failOn := o.threshold(cmd, in.Settings)
	in.Findings = o.chosen(in.Findings)
	shown, hidden := divide(in.Findings, o.least(cmd, failOn))
	sources := textOf(map[string][]byte{})
	return publish(cmd, o.format, &format.Report{
		Findings: shown, Hidden: hidden, Problems: in.Problems, Files: in.Files, FailOn: failOn,
		Rules: callRules(), Source: sources.of, Judged: format.Count(r.Recording(), "call"),
	})
}

func callRules() []format.Rule {
	rules := []format.Rule{ruleOf(callrules.Suppression)}
	for _, r := range callrules.Rules() {
		rules = append(rules, ruleOf(r))
	}
	return rules
}

func ruleOf(r *callrules.Rule) format.Rule {
	rule := format.Rule{ID: r.ID, Name: r.Name, Doc: r.Doc, Severity: r.Severity, Help: r.Doc}
	if page, ok := callrules.PageOf(r.ID); ok {
		rule.Help = page.Markdown()
	}
	return rule
}

var rightsRules = []string{callrules.MissingRight.ID, callrules.SuperfluousRight.ID, callrules.LocalRight.ID}
