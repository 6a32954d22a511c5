package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/event-gen/event-gen/internal/catalog/breaking"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/output/explain"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

type explainOptions struct {
	catalogs, controllers []string
	summary               bool
	since                 string
}

func newExplain() *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain RULE | explain [--catalog FILE|DIR] MESSAGE|EVENTS|FILE|- | explain --summary FILE|-",
		Short: "Explain a rule, or read a stored event back to its catalog entry",
		Long: `Explains a rule such as EV201 or BW01; event-gen rules lists them. Any other argument is a message, or events as kubectl
prints them: JSON or YAML, or the lines of get events, events or describe. For each event it prints its object, count and
times, the catalog entries that it may come from, the likeliest first, and the values of their params. If the argument is
a file's name, the events are read from it; - reads stdin:

  kubectl get events -o json | event-gen explain -
  kubectl describe pod web-0 | event-gen explain -

Without --catalog it takes the catalogs that event-gen.yaml lists, else catalog.yaml.

--summary counts the events of the catalogs' controllers, and of each --controller: a row for each entry, then the events
that no entry knows. It reads JSON, of any size. Reasons of raw calls that calls.allow of event-gen.yaml permits are known;
explain reads the module's packages for them. After an upgrade, --since leaves out the events of the former version:

  kubectl get events -A -o json | event-gen explain --summary --since=20m -

Exit codes: 0 explained, or an empty list; 1 no entry of the catalogs has such a message, or with --summary: there are
events that no entry knows; 2 wrong usage, an unknown rule, input that is empty, cut off or can't be read, or a file that
is missing or no catalog of this version.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case o.summary:
				return summarizeEvents(cmd, o, args[0])
			case len(o.controllers) > 0 || o.since != "":
				return errors.New("--controller and --since are for --summary")
			case ruleID.MatchString(args[0]) && len(o.catalogs) == 0:
				return explainRule(cmd.OutOrStdout(), args[0])
			}
			return explainEvents(cmd, o.catalogs, args[0])
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.catalogs, "catalog", nil, "look events up in this catalog or folder of catalogs; can be repeated")
	f.BoolVar(&o.summary, "summary", false, "count the events of each entry, and list those that no entry knows")
	f.StringArrayVar(&o.controllers, "controller", nil, "with --summary: also count the events of this reporting controller; can be repeated")
	f.StringVar(&o.since, "since", "", "with --summary: leave out events last seen before this duration (20m), or before this time (RFC 3339)")
	return cmd
}

// ruleID matches ids of rules, in any case.
var ruleID = regexp.MustCompile(`^[A-Za-z]{2}[0-9]{1,4}$`)

func explainRule(w io.Writer, id string) error {
	id = strings.ToUpper(id)
	for _, rule := range slices.Concat(lintRules(), callRules()) {
		if rule.ID == id {
			_, err := io.WriteString(w, rule.Help)
			return err
		}
	}
	for _, rule := range breaking.Rules() {
		if rule.ID == id {
			fmt.Fprintf(w, "%s %s (%s)\n\n%s\n", rule.ID, rule.Name, rule.Severity, rule.Doc)
			return nil
		}
	}
	return fmt.Errorf("there is no rule %s; event-gen rules lists them", id)
}

// fileName matches an argument that is a file's name and no message.
var fileName = regexp.MustCompile(`^\S+\.(json|ya?ml|txt|log)$`)

// eventsOf returns the text of events that an argument stands for: what stdin or a file holds, or
// the argument itself.
func eventsOf(cmd *cobra.Command, argument string) (string, error) {
	var data []byte
	var err error
	switch _, missing := os.Stat(argument); {
	case argument == "-":
		data, err = io.ReadAll(io.LimitReader(cmd.InOrStdin(), mostEvents+1))
	case missing == nil || fileName.MatchString(argument):
		data, err = upTo(argument, mostEvents+1)
	default:
		return argument, nil
	}
	switch {
	case err != nil:
	case len(data) > mostEvents:
		err = fmt.Errorf("%s: expected at most %d MiB; --summary counts events of any number", argument, mostEvents>>20)
	case strings.TrimSpace(string(data)) == "":
		err = explain.ErrEmpty
	case !utf8.Valid(data):
		err = fmt.Errorf("%s: expected UTF-8; the > of Windows PowerShell writes UTF-16", argument)
	}
	return string(data), err
}

// mostEvents bounds the text whose events are explained one by one, in bytes.
const mostEvents = 32 << 20

// upTo returns the beginning of a file or pipe.
func upTo(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

func explainEvents(cmd *cobra.Command, catalogs []string, argument string) error {
	input, err := eventsOf(cmd, argument)
	if err != nil {
		return err
	}
	events, err := explain.Parse(input)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "no events: there is nothing to explain")
		return nil
	}
	in, err := loadValid(cmd, catalogs, model.ResolveAuto, diag.Error)
	if errors.Is(err, exitUsage) { // the events of catalogs with errors can be explained
		return err
	}
	var outcome error
	entries := explain.NewEntries(in.Set)
	for i, event := range events {
		if i > 0 {
			fmt.Fprintln(cmd.OutOrStdout())
		}
		outcome = errors.Join(outcome, explainEvent(cmd, entries, event))
	}
	return outcome
}

func explainEvent(cmd *cobra.Command, entries *explain.Entries, event explain.Stored) error {
	facts := event.Facts()
	readings := entries.Readings(event)
	if len(readings) == 0 {
		if facts != "" {
			facts += ": "
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%sno entry of the catalog matches %q%s\n", facts, event.Message, entries.Almost(event))
		return exitFindings
	}
	if facts != "" {
		fmt.Fprintln(cmd.OutOrStdout(), facts)
	}
	for _, r := range readings {
		printReading(cmd.OutOrStdout(), r)
	}
	return nil
}

// printReading prints an event's catalog entry, its values, and the entry's documentation.
func printReading(w io.Writer, r explain.Reading) {
	def := &r.Definition.Runtime
	fmt.Fprintf(w, "%s: %s: %s %s %q\n", r.Pos, r.Event.Name, def.Type, def.Reason, r.Definition.Message)
	if r.Former != "" {
		fmt.Fprintf(w, "  the event has the former reason %s\n", r.Former)
	}
	if r.Aggregate {
		fmt.Fprintln(w, "  the event is an aggregate of several events; these are the values of one of them")
	}
	for _, v := range r.Values {
		fmt.Fprintf(w, "  %s: %q\n", v.Name, v.Text)
	}
	switch {
	case r.Latest == nil:
	case slices.Equal(r.Latest, r.Values):
		fmt.Fprintln(w, "  these are the values of the latest occurrence")
	default:
		fmt.Fprintln(w, "  these are the values of the first occurrence; the latest occurrence has:")
		for _, v := range r.Latest {
			fmt.Fprintf(w, "    %s: %q\n", v.Name, v.Text)
		}
	}
	for _, line := range []struct{ name, text string }{{"", r.Event.Summary}, {"", r.Definition.Summary}, {"runbook: ", cmp.Or(r.Definition.Runbook, r.Event.Runbook)}} {
		if line.text != "" {
			fmt.Fprintf(w, "  %s%s\n", line.name, strings.Join(strings.Fields(line.text), " "))
		}
	}
}
