package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	scanreport "github.com/event-gen/event-gen/internal/adoption/scan/report"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/progress"
)

type scanOptions struct {
	scan.Options
	judgeOptions
	output  string
	summary bool
}

func newScan() *cobra.Command {
	o := scanOptions{judgeOptions: judgeOptions{lintOptions: lintOptions{findingsFlags: findingsFlags{failOn: diag.Error}, show: diag.Warning}}}
	cmd := &cobra.Command{
		Use:   "scan [PACKAGES]",
		Short: "Find what a program records on client-go's recorders",
		Long: `Finds the calls of event recorders in Go packages, ./... by default, and prints what they record: with the reasons, types and
texts that constants, variables, functions, wrappers and structs lead to. What can't be decided is listed with its position
and cause. Nothing is written unless -o asks for a catalog. Packages with errors are read as far as they can be; the errors
go to stderr.

The scope of a site is direct for a call of a recorder's method, derived for a place that fixes the reason which a wrapper
passes on, and forwarder for the wrapper's own call.

With --findings it prints what is wrong with the calls, as lint does for catalogs, and with --rbac also which rights to write
events the manifests lack, or grant for nothing:

  event-gen scan --rbac config/default
  helm template charts/widget | event-gen scan --rbac -

With --summary it prints one row of a table about the program instead: how many sites it found and resolved, what it left and why,
findings, rights, and the processor time that it took.

Exit codes: 0 done, or clean; 1 with --findings or --rbac: findings of the severity of --fail-on or worse; 2 usage, no packages,
configuration, or a manifest that can't be read.`,
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
	f.StringVar(&o.format, "format", scanreport.Names[0], "how sites are written: "+strings.Join(scanreport.Names, ", ")+
		"; with --findings: "+strings.Join(format.Names, ", ")+"; with --summary: "+strings.Join(scanreport.SummaryNames, ", "))
	o.flags(cmd)
	f.StringVarP(&o.output, "output", "o", "", "propose a catalog, and write it to this file; - is stdout")
	f.BoolVar(&o.summary, "summary", false, "print one row about the program: sites, findings, rights with --rbac, and processor time")
	f.StringSliceVar(&o.Tags, "tags", nil, "build tags, separated by commas")
	f.StringVar(&o.GOOS, "goos", "", "the operating system to read the packages for; by default the go command's")
	f.BoolVar(&o.Tests, "tests", false, "read _test.go files too")
	f.BoolVar(&o.AllModules, "all-modules", false, "read the modules in folders below too, if they depend on client-go")
	return cmd
}

// checkFormat says whether there is the format for what is printed.
func (o *scanOptions) checkFormat(cmd *cobra.Command) error {
	names := scanreport.Names
	switch {
	case o.summary:
		names = scanreport.SummaryNames
	case o.findings:
		names = format.Names
	}
	if !cmd.Flags().Changed("format") {
		o.format = names[0]
	}
	if !slices.Contains(names, o.format) {
		return fmt.Errorf("--format: it is %s, not %q", strings.Join(names, ", "), o.format)
	}
	if o.summary && (o.output != "" || o.findings && len(o.rbac) == 0) {
		return errors.New("--summary prints one row: leave out -o and --findings")
	}
	if o.findings && o.output != "" {
		return errors.New("-o proposes a catalog and prints no findings; leave out --findings and --rbac")
	}
	return nil
}

func runScan(cmd *cobra.Command, o scanOptions) error {
	t := spent{began: processorTime()}
	o.Options.Loaded = func() { t.load = processorTime() - t.began }
	r, dir, err := scannedPackages(cmd, o.Options)
	if err != nil {
		return err
	}
	if o.summary {
		return summarize(cmd, r, dir, o, t)
	}
	if o.findings {
		return judgeScan(cmd, r, dir, o)
	}
	if o.output != "" {
		return proposeCatalog(cmd, r, dir, o.output)
	}
	if o.format == "tsv" { // the other formats say it themselves
		scanreport.WriteLeft(cmd.ErrOrStderr(), r, dir)
	}
	if err := scanreport.Write(cmd.OutOrStdout(), r, o.format, dir); err != nil {
		return err
	}
	if n := len(judgeCalls(r, dir, &o.judgeOptions).findings); n > 0 && o.format == scanreport.Names[0] {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s; event-gen scan --findings shows the mistakes in the calls\n", format.Count(n, "finding"))
	}
	return nil
}

// scannedPackages reads packages and finds what they record.
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

// scanned finds what packages record. It tells of packages with errors, and of modules that are passed over.
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
	for _, module := range p.Skipped {
		fmt.Fprintf(stderr, "%s is a module of its own and was not read; name ./%s/... or give --all-modules\n", module, module)
	}
	told.Step("following values")
	return scan.Scan(cmd.Context(), p), nil
}
