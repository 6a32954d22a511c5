package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/inputs"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/explain"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// summarizeEvents prints how many stored events each entry has, and those that no entry knows.
func summarizeEvents(cmd *cobra.Command, o explainOptions, argument string) error {
	since, err := o.sinceTime(time.Now())
	if err != nil {
		return err
	}
	in, err := loadValid(cmd, o.catalogs, model.ResolveAuto, diag.Error)
	if errors.Is(err, exitUsage) { // the events of catalogs with errors can be counted
		return err
	}
	allowed := allowedReasons{cmd: cmd, in: in}
	entries := explain.NewEntries(in.Set)
	if e := entries.Anonymous(); e != nil && len(o.controllers) == 0 {
		return fmt.Errorf("the catalogs name no reportingController for %s: %s, so its events are not known; give --controller=NAME, as stored in reportingController", e.Source.Pos, e.Name)
	}
	m := explain.NewSummary(entries, o.controllers, since, allowed.has)
	events, err := openEvents(cmd, argument)
	if err != nil {
		return err
	}
	defer events.Close()
	if err := explain.ReadJSON(events, func(s explain.Stored) error { m.Add(s); return nil }); err != nil {
		return fmt.Errorf("expected JSON, as kubectl get events -A -o json prints it: %w", err)
	}
	if err := m.Write(cmd.OutOrStdout()); err != nil {
		return err
	}
	if m.Unknown() > 0 {
		return exitFindings
	}
	return nil
}

// openEvents opens stdin or a file. It does not take the events themselves as an argument.
func openEvents(cmd *cobra.Command, argument string) (io.ReadCloser, error) {
	if argument == "-" {
		return io.NopCloser(cmd.InOrStdin()), nil
	}
	return os.Open(argument)
}

// sinceTime returns the time before which events do not count; zero if there is none.
func (o *explainOptions) sinceTime(now time.Time) (time.Time, error) {
	if o.since == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339, o.since); err == nil {
		return t, nil
	}
	if d, err := time.ParseDuration(o.since); err == nil && d > 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("--since=%s: expected a duration before now (20m), or a time (2006-01-02T15:04:05Z)", o.since)
}

// allowedReasons are the reasons of raw calls in the files that calls.allow permits. Reading them
// takes as long as scan, so it is done for the first event that no entry knows.
type allowedReasons struct {
	cmd     *cobra.Command
	in      inputs.Inputs
	read    bool
	reasons map[string]bool
}

func (a *allowedReasons) has(reason string) bool {
	if !a.read && a.in.Config != nil && len(a.in.Config.Calls.Allow) > 0 {
		if err := a.scan(a.in.Config); err != nil {
			fmt.Fprintf(a.cmd.ErrOrStderr(), "%s: the calls that calls.allow permits can't be read, so their events count as unknown: %v\n", a.in.Config.File, err)
		}
	}
	a.read = true
	return a.reasons[reason]
}

func (a *allowedReasons) scan(config *catalog.Configuration) error {
	root, err := filepath.Abs(filepath.Dir(config.File))
	if err != nil {
		return err
	}
	result, _, err := scannedPackages(a.cmd, scan.Options{Dir: root})
	if err != nil {
		return err
	}
	a.reasons = map[string]bool{}
	open := 0
	for _, site := range result.Sites {
		if site.Scope == scan.InWrapper || !permitted(config, root, site.Pos.Filename) {
			continue
		}
		for _, text := range site.Reason.Alternatives {
			if len(text.Parts) != 1 || text.Parts[0].Expr != nil {
				open++
				continue
			}
			a.reasons[text.Parts[0].Literal] = true
		}
	}
	if open > 0 {
		fmt.Fprintf(a.cmd.ErrOrStderr(), "%s: scan can't tell %s of the calls that calls.allow permits, so their events count as unknown; event-gen scan lists the calls\n", config.File, format.Count(open, "reason"))
	}
	return nil
}

// permitted reports whether calls.allow has a file, or a folder above the file.
func permitted(config *catalog.Configuration, root, file string) bool {
	return slices.ContainsFunc(config.Calls.Allow, func(a catalog.AllowedCalls) bool {
		path := filepath.Join(root, filepath.FromSlash(a.Path.Value))
		return file == path || strings.HasPrefix(file, path+string(filepath.Separator))
	})
}
