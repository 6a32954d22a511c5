package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/scan"
	scanreport "github.com/event-gen/event-gen/internal/scan/report"
)

type scanOptions struct {
	scan.Options
	format string
	output string
}

func newScan() *cobra.Command {
	var o scanOptions
	cmd := &cobra.Command{
		Use:   "scan [PACKAGES]",
		Short: "Find what a program records on client-go's recorders",
		Long: `Finds the calls of event recorders in Go packages, ./... by default, and prints what they record: with the reasons, types and
texts that constants, variables, functions, wrappers and structs lead to. What can't be decided is listed with its position
and cause. Nothing is written unless -o asks for a catalog. Packages with errors are read as far as they can be; the errors
go to stderr.

The scope of a site is direct for a call of a recorder's method, derived for a place that fixes the reason which a wrapper
passes on, and forwarder for the wrapper's own call.

Exit codes: 0 done, 2 usage, or no packages.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(scanreport.Names, o.format) {
				return fmt.Errorf("--format: it is %s, not %q", strings.Join(scanreport.Names, ", "), o.format)
			}
			o.Patterns = args
			return runScan(cmd, o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", scanreport.Names[0], "how sites are written: "+strings.Join(scanreport.Names, ", "))
	f.StringVarP(&o.output, "output", "o", "", "propose a catalog, and write it to this file; - is stdout")
	f.StringSliceVar(&o.Tags, "tags", nil, "build tags, separated by commas")
	f.StringVar(&o.GOOS, "goos", "", "the operating system to read the packages for; the default is that of the go command")
	f.BoolVar(&o.Tests, "tests", false, "read _test.go files too")
	f.BoolVar(&o.AllModules, "all-modules", false, "read the modules in folders below too, if they depend on client-go")
	return cmd
}

func runScan(cmd *cobra.Command, o scanOptions) error {
	r, dir, err := scanned(cmd, o.Options)
	if err != nil {
		return err
	}
	if o.output != "" {
		return proposeCatalog(cmd, r, dir, o.output)
	}
	if o.format == "tsv" { // the other formats say it themselves
		scanreport.WriteLeft(cmd.ErrOrStderr(), r, dir)
	}
	return scanreport.Write(cmd.OutOrStdout(), r, scanreport.Options{Format: o.format, Dir: dir})
}

// scanned reads packages and finds what they record. It tells of packages with errors, and of modules that are passed over.
func scanned(cmd *cobra.Command, o scan.Options) (r *scan.Result, dir string, err error) {
	if dir, err = os.Getwd(); err != nil {
		return nil, "", err
	}
	stderr := cmd.ErrOrStderr()
	if isTerminal(stderr) {
		o.Progress = func(line string) { fmt.Fprintf(stderr, "\r\033[K%s …", line) }
		defer fmt.Fprint(stderr, "\r\033[K")
	}
	p, err := scan.Load(cmd.Context(), o)
	if err != nil {
		return nil, "", err
	}
	for _, problem := range p.Problems {
		fmt.Fprintln(stderr, problem.In(dir))
	}
	for _, module := range p.Skipped {
		fmt.Fprintf(stderr, "%s is a module of its own and was not read; name ./%s/... or give --all-modules\n", module, module)
	}
	if o.Progress != nil {
		o.Progress("following values")
	}
	return scan.Scan(cmd.Context(), p), dir, nil
}
