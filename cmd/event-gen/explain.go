package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

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
a file's name, the events are read from it; - reads stdin. They can be of any size:

  kubectl get events -o json | event-gen explain -
  kubectl describe pod web-0 | event-gen explain -

Without --catalog it takes the catalogs that event-gen.yaml lists, else catalog.yaml.

--summary counts the events of the catalogs' controllers, and of each --controller: a row for each entry, then the events
that no entry knows. It reads JSON. Reasons of raw calls that calls.allow of event-gen.yaml permits are known;
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
			fmt.Fprintf(w, "%s %s (%s)\n\n%s\n\nFix: %s\n", rule.ID, rule.Name, rule.Severity, rule.Doc, rule.Fix)
			return nil
		}
	}
	return fmt.Errorf("there is no rule %s; event-gen rules lists them", id)
}

// fileName matches an argument that is a file's name and no message.
var fileName = regexp.MustCompile(`^\S+\.(json|ya?ml|txt|log)$`)

// eventsOf opens what an argument stands for: stdin, a file, or the argument itself, which has no
// name in messages.
func eventsOf(cmd *cobra.Command, argument string) (events io.ReadCloser, name string, err error) {
	switch _, missing := os.Stat(argument); {
	case argument == "-" || missing == nil || fileName.MatchString(argument):
		events, err = openEvents(cmd, argument)
		return events, argument + ": ", err
	case strings.TrimSpace(argument) == "":
		return nil, "", errors.New("nothing to explain: give a message, or events as kubectl prints them")
	}
	return io.NopCloser(strings.NewReader(argument)), "", nil
}

func explainEvents(cmd *cobra.Command, catalogs []string, argument string) error {
	input, name, err := eventsOf(cmd, argument)
	if err != nil {
		return err
	}
	defer input.Close()
	var entries *explain.Entries
	var outcome error
	err = eachEvent(input, name, func(event explain.Stored) error {
		if entries != nil {
			fmt.Fprintln(cmd.OutOrStdout())
		} else if in, err := loadValid(cmd, catalogs, model.ResolveAuto, diag.Error); errors.Is(err, exitUsage) {
			return err // the events of catalogs with errors can be explained
		} else {
			entries = explain.NewEntries(in.Set)
		}
		outcome = cmp.Or(explainEvent(cmd, entries, event), outcome)
		return nil
	})
	if err == nil && entries == nil {
		fmt.Fprintln(cmd.OutOrStdout(), "no events: there is nothing to explain")
	}
	return cmp.Or(err, outcome)
}

// mostHeld bounds the text, in bytes, that is read to its end before its first event is explained,
// so that nothing is printed of text that is cut off.
const mostHeld = 4 << 20

func eachEvent(r io.Reader, name string, each func(explain.Stored) error) error {
	text, err := io.ReadAll(io.LimitReader(r, mostHeld))
	var list []explain.Stored
	switch {
	case err == nil && len(text) == mostHeld:
		err = explain.Read(io.MultiReader(bytes.NewReader(text), r), each)
	case err == nil:
		list, err = explain.Parse(string(text))
	}
	switch {
	case errors.Is(err, exitUsage): // of each
		return err
	case err != nil:
		return fmt.Errorf("%s%w", name, err)
	}
	for _, event := range list {
		if err := each(event); err != nil {
			return err
		}
	}
	return nil
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

// labelsOf lists the labels of an entry's events: constants, and those that its objects may have.
func labelsOf(d *model.Definition) string {
	var list []string
	for _, l := range d.Runtime.Labels {
		if l.Value == nil {
			list = append(list, l.Key+" of the object")
		} else {
			list = append(list, l.Key+"="+l.Value[0].Text)
		}
	}
	return strings.Join(list, ", ")
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
	if labels := labelsOf(r.Definition); labels != "" {
		fmt.Fprintf(w, "  labels: %s\n", labels)
	}
	for _, line := range []struct{ name, text string }{{"", r.Event.Summary}, {"", r.Definition.Summary}, {"runbook: ", cmp.Or(r.Definition.Runbook, r.Event.Runbook)}} {
		if line.text != "" {
			fmt.Fprintf(w, "  %s%s\n", line.name, strings.Join(strings.Fields(line.text), " "))
		}
	}
}
