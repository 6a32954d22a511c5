// Package breaking reports what a newer set of catalogs breaks: Go code that calls generated
// methods, and alerts and dashboards that match stored events. It compares two models, and does not
// care where they come from.
package breaking

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// broken is one break of one event. Breaks with one cause at one position become one finding.
type broken struct {
	rule string
	pos  diag.Pos
	// cause tells changes at one position apart. If it is empty, the field what does so.
	cause string
	// event is the newer name of the event and formerly the older one. Both are empty for a whole
	// package.
	event, formerly string
	what            string
	at              diag.Pos // the position in the older catalog
	before, after   string
	was, is         []*model.Definition // the definitions that alerts match, before and now
}

func (b broken) key() string {
	if b.cause == "" {
		return b.pos.String() + "\x00" + b.what
	}
	return b.pos.String() + "\x00" + b.cause
}

// findings returns one finding for all breaks with one cause.
func (c *comparison) findings() diag.Findings {
	var order []string
	groups := map[string][]broken{}
	for _, b := range c.breaks {
		key := b.key()
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], b)
	}
	var findings diag.Findings
	for _, key := range order {
		findings = append(findings, c.finding(groups[key]))
	}
	findings.Sort()
	return findings
}

func (c *comparison) finding(group []broken) diag.Finding {
	slices.SortStableFunc(group, func(a, b broken) int { return cmp.Compare(severityOf(b.rule), severityOf(a.rule)) })
	f := diag.Finding{Pos: group[0].pos, Rule: group[0].rule, Change: &diag.Change{}}
	var what, events []string
	for _, b := range group {
		f.Severity = max(f.Severity, severityOf(b.rule))
		f.Change.Rules = addOnce(f.Change.Rules, b.rule)
		what, events = addOnce(what, b.what), addOnce(events, b.event)
		f.Change.Formerly = addOnce(f.Change.Formerly, b.formerly)
		f.Change.Before.Add(c.before(b.at), b.before)
		f.Change.After.Add("", b.after)
		if b.rule == labelRule {
			f.Change.Before.LabelSelectors = addOnce(f.Change.Before.LabelSelectors, b.before)
			if b.after != nothing {
				f.Change.After.LabelSelectors = addOnce(f.Change.After.LabelSelectors, b.after)
			}
		}
		addMatchers(&f.Change.Before, b.was)
		addMatchers(&f.Change.After, b.is)
	}
	f.Change.Events = events
	f.Message = eventrt.Clean(subject(events)+strings.Join(what, "; "), 0)
	return f
}

func addOnce(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// mostNamed bounds the events that a message names. JSON output names all.
const mostNamed = 4

func subject(events []string) string {
	switch n := len(events); {
	case n == 0:
		return ""
	case n == 1:
		return "event " + events[0] + ": "
	case n <= mostNamed:
		return "events " + strings.Join(events[:n-1], ", ") + " and " + events[n-1] + ": "
	default:
		return fmt.Sprintf("events %s and %d more: ", strings.Join(events[:mostNamed-1], ", "), n-mostNamed+1)
	}
}

// Rule describes one kind of breaking change.
type Rule struct {
	// ID begins with BG for Go callers, with BW for the wire, and with BA for acknowledgements.
	ID, Name, Doc string
	Severity      diag.Severity
	Fix           string // what to do
}

// StaleRule is the id of the rule about acknowledgements. It is no kind of change.
const StaleRule = "BA01"

// labelRule is the rule about labels. Its findings show label selectors.
const labelRule = "BW09"

// Stale returns the finding about an acknowledgement that a newer release has ended.
func Stale(pos diag.Pos, rule, event, since, newer string) diag.Finding {
	what := rule
	if event != "" {
		what += " of event " + event
	}
	return diag.Finding{
		Pos: pos, Rule: StaleRule, Severity: severityOf(StaleRule),
		Message: fmt.Sprintf("the acknowledgement of %s names release %s, and %s has been released since, so it no longer holds; remove it", what, since, newer),
	}
}

var rules = []Rule{
	{StaleRule, "stale-acknowledgement", "A release newer than the one in an acknowledgement was tagged, so the acknowledgement no longer holds.", diag.Warning,
		"Remove the acknowledgement from event-gen.yaml."},
	{"BG01", "method-removed", "A method or constant was removed or renamed, so its callers do not compile.", diag.Error,
		"Rename: list the former name under formerly, and its callers compile. Removal: mark the event deprecated in one release, and remove it in the next."},
	{"BG02", "params-changed", "A param was added, removed, renamed, reordered or retyped, so callers do not compile, or compile and write something else.", diag.Error,
		"Add an event beside the old one, and mark the old one deprecated. A change that must be: acknowledge it in event-gen.yaml."},
	{"BG03", "object-changed", "A method takes another object, so callers do not compile, or are rejected at run time.", diag.Error,
		"Add an event about the other object beside the old one, and mark the old one deprecated."},
	{"BG04", "package-renamed", "The package or its recorder was renamed, or its fake is gone, so callers do not compile.", diag.Error,
		"Keep go.package and go.recorder. A change that must be: acknowledge it in event-gen.yaml."},
	{"BW01", "identity-changed", "Reason, action, type, controller or transition changed, so alerts on them are silent, or fire at other times.", diag.Error,
		"Keep the value, or set it as it was: an entry's action and the catalog's reportingController can stay when a name changes. Otherwise change the alerts first, with the selectors that the finding prints, and acknowledge it in event-gen.yaml."},
	{"BW02", "removed-undeprecated", "An event was removed without a release in which it was deprecated.", diag.Error,
		"Mark the event deprecated in one release, and remove it in the next; or acknowledge the removal in event-gen.yaml."},
	{"BW03", "kind-changed", "Events are about, or related to, another kind, scope or container, so alerts on it are silent.", diag.Error,
		"Add an event about the other kind beside the old one; or change the alerts first, and acknowledge it in event-gen.yaml."},
	{"BW04", "annotation-removed", "An annotation that tools may read is gone, or has another value.", diag.Error,
		"Keep the annotation; or change the tools that read it first, and acknowledge it in event-gen.yaml."},
	{"BW05", "key-changed", "Occurrences are grouped into events differently than before, or a new event is stored like an existing one, so counts shift.", diag.Warning,
		"Keep correlation.key as it was, if alerts compare counts; else acknowledge it in event-gen.yaml."},
	{"BW06", "text-changed", "A message has other words, or shows a param in another form, so text matchers are silent.", diag.Warning,
		"Keep the words that matchers look for; or change the matchers first, and acknowledge it in event-gen.yaml."},
	{"BW07", "budget-changed", "Threshold, budget or window changed, so more or fewer events are written.", diag.Warning,
		"Set correlation.threshold, budget and window as they were, if the number of events matters; else acknowledge it in event-gen.yaml."},
	{"BW08", "pace-changed", "An interval or a limit changed, so repeats are written earlier or later, or are lost.", diag.Warning,
		"Set the interval or the limit as it was, if alerts depend on the pace; else acknowledge it in event-gen.yaml."},
	{labelRule, "label-changed", "A label is gone, or has another value, so selectors of others find no events.", diag.Error,
		"Keep the label; or change the selectors that the finding prints first, and acknowledge it in event-gen.yaml."},
}

// Rules gives all rules, by id.
func Rules() []Rule { return rules }

func severityOf(id string) diag.Severity {
	for _, r := range rules {
		if r.ID == id {
			return r.Severity
		}
	}
	return diag.Error
}
