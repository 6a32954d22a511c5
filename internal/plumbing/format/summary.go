package format

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// summary returns the last line of a report: what was judged, the number of findings of each
// severity, and the number of findings that are not shown.
func (r *Report) summary() string {
	text := r.Judged + ": "
	switch {
	case len(r.Findings) > 0:
		text += tally(r.Findings)
	case len(r.Hidden) == 0:
		return text + "no findings"
	default:
		text += none[worst(r.Hidden)]
	}
	if len(r.Hidden) > 0 {
		text += fmt.Sprintf("; %s more with --show=%s", tally(r.Hidden), least(r.Hidden))
	}
	return text
}

// none maps the worst severity of the hidden findings to the text for a report that shows none.
var none = map[diag.Severity]string{diag.Info: "no errors or warnings", diag.Warning: "no errors", diag.Error: "nothing shown"}

// tally counts findings by severity, the worst first.
func tally(findings diag.Findings) string {
	counts := map[diag.Severity]int{}
	for _, f := range findings {
		counts[f.Severity]++
	}
	var parts []string
	for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info} {
		if counts[s] > 0 {
			parts = append(parts, Count(counts[s], s.String()))
		}
	}
	return strings.Join(parts, ", ")
}

// Count returns a number of things, such as "1 event" or "2 events".
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// least returns the least severity of some findings, and worst the worst one.
func least(findings diag.Findings) diag.Severity {
	return slices.MinFunc(findings, bySeverity).Severity
}

func worst(findings diag.Findings) diag.Severity {
	return slices.MaxFunc(findings, bySeverity).Severity
}

func bySeverity(a, b diag.Finding) int { return cmp.Compare(a.Severity, b.Severity) }
