package report

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// Run holds the facts in a row beside the plan.
type Run struct {
	// Name and Commit are the module's; Commit is empty outside of a repository.
	Name, Commit string
	// Tests are the results before and after the change; both are empty if no tests were run.
	Before, After string
	// Time is the processor time of everything except the tests.
	Time time.Duration
}

// Row writes a Markdown table with one row, as in the table of repositories.
func Row(w io.Writer, p *migrate.Plan, r Run) error {
	s := Of(p)
	columns := [][2]string{
		{"module", strings.TrimSpace(r.Name + " " + r.Commit)},
		{"calls", fmt.Sprint(s.Sites)},
		{"direct", s.Direct.String()},
		{"through wrappers", s.ThroughWrapper.String()},
		{"equal", fmt.Sprint(s.Equal)},
		{"equal except", fmt.Sprint(s.EqualExcept)},
		{"left, and why", leftCell(p, s.Left)},
		{"literal text", literalCell(s)},
		{"lines", fmt.Sprintf("+%d −%d", s.Added, s.Removed)},
		{"tests before, after", testsCell(r)},
		{"time", fmt.Sprintf("%.1f s", r.Time.Seconds())},
	}
	var heads, lines, cells []string
	for _, c := range columns {
		heads, lines, cells = append(heads, c[0]), append(lines, "---"), append(cells, inCell.Replace(c[1]))
	}
	for _, row := range [][]string{heads, lines, cells} {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
			return err
		}
	}
	return nil
}

var inCell = strings.NewReplacer("|", `\|`, "\n", " ")

// leftCell counts why sites are left, the most frequent cause first.
func leftCell(p *migrate.Plan, left int) string {
	if left == 0 {
		return "0"
	}
	counts := map[string]int{}
	for _, s := range p.Sites {
		if s.State == migrate.Left && s.Scope != scan.InWrapper {
			counts[s.Why]++
		}
	}
	whys := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	for i, why := range whys {
		whys[i] = fmt.Sprintf("%d: %s", counts[why], why)
	}
	return strings.Join(whys, "; ")
}

// literalCell counts the sites with a visible format, and how many of them have the format's text
// in the catalog.
func literalCell(s Summary) string {
	text := fmt.Sprintf("%d of %d", s.Placeholders, s.Placeholders+s.Formatted)
	if s.Whole > 0 {
		text += fmt.Sprintf(", and %d text only", s.Whole)
	}
	return text
}

func testsCell(r Run) string {
	switch {
	case r.Before == "" && r.After == "":
		return "not run"
	case r.Before == r.After:
		return r.Before + " in both"
	}
	return r.Before + "; " + r.After
}
