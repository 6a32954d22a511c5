package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/format"
)

// SummaryNames lists the formats of a summary. The first one, a Markdown table with one row, is for
// people.
var SummaryNames = []string{"markdown", "json"}

// Summary is one row about a program. New versions only add fields.
type Summary struct {
	// Name is the path of the module, or of the folder if there is no module. Commit is short. It
	// is empty outside of a repository.
	Name   string `json:"name"`
	Commit string `json:"commit,omitempty"`
	// Recorders lists the families of the called recorders.
	Recorders      []string `json:"recorders"`
	Sites          int      `json:"calls"` // the places that record: direct and through wrappers
	Direct         int      `json:"direct"`
	ThroughWrapper int      `json:"throughWrapper"`
	InWrapper      int      `json:"inWrapper"`
	// Known counts the places whose reason is constant, or one of a closed set of constants.
	Known int      `json:"known"`
	Left  []Counts `json:"left"`
	// Events counts the events of the catalog that -o would propose, and CatalogCalls their sites.
	// Catalog is the reason if there is no catalog.
	Events       int    `json:"events"`
	CatalogCalls int    `json:"catalogCalls"`
	Catalog      string `json:"catalog,omitempty"`
	// Findings counts the findings about calls of any severity, by rule.
	Findings []Counts `json:"findings"`
	// Rights counts the findings about rights by rule. It is nil if no manifest was given.
	Rights []Counts `json:"rights"`
	// Problems counts the errors of packages that were not found or do not compile.
	Problems int `json:"problems"`
	// Load is the processor time of reading and type-checking the packages. Time is the processor
	// time of everything except the proposed catalog, and includes Load.
	Load Seconds `json:"loadSeconds"`
	Time Seconds `json:"seconds"`
}

// Counts is a finding, and how often it occurs.
type Counts struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// Seconds is a duration that JSON shows in seconds.
type Seconds time.Duration

// MarshalJSON returns the number of seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).Seconds()) }

func (s Seconds) String() string { return fmt.Sprintf("%.1f s", time.Duration(s).Seconds()) }

// Summarize counts the sites of a result. The caller sets the other fields.
func Summarize(r *scan.Result) Summary {
	s := Summary{Problems: len(r.Program.Problems), Recorders: []string{}, Findings: []Counts{}}
	left, known := Counter{}, map[token.Position]bool{}
	for _, site := range r.Sites {
		before, seen := known[site.Pos]
		switch {
		case site.Scope == scan.InWrapper:
			s.InWrapper++
			continue
		case seen:
		case site.Scope == scan.ThroughWrapper:
			s.ThroughWrapper++
		default:
			s.Direct++
		}
		known[site.Pos] = site.Reason.Closed() && (before || !seen)
		if !slices.Contains(s.Recorders, string(site.Shape.API)) {
			s.Recorders = append(s.Recorders, string(site.Shape.API))
		}
		for _, n := range site.Notes {
			left.Add(n.What + ": " + n.Text)
		}
	}
	for _, c := range r.Left {
		left.Add(c.What + ": " + c.Text)
	}
	for _, k := range known {
		if k {
			s.Known++
		}
	}
	s.Sites = r.Recording()
	slices.Sort(s.Recorders)
	s.Left = left.Sorted()
	return s
}

// Counter maps names to how often they were added.
type Counter map[string]int

// Add counts a name once more.
func (c Counter) Add(what string) { c[what]++ }

// Sorted returns the counts, the highest first. The slice is never nil, so that JSON shows [].
func (c Counter) Sorted() []Counts {
	out := []Counts{}
	for what, n := range c {
		out = append(out, Counts{what, n})
	}
	slices.SortFunc(out, func(a, b Counts) int { return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.What, b.What)) })
	return out
}

// WriteSummary writes a summary in a format of SummaryNames.
func WriteSummary(w io.Writer, s Summary, format string) error {
	switch format {
	case "markdown":
		return writeRow(w, s)
	case "json":
		return writeJSON(w, s)
	}
	return fmt.Errorf("unknown format %q of a summary; it is one of %s", format, strings.Join(SummaryNames, ", "))
}

func writeRow(w io.Writer, s Summary) error {
	columns := [][2]string{
		{"module", strings.TrimSpace(s.Name + " " + s.Commit)},
		{"recorders", strings.Join(s.Recorders, ", ")},
		{"direct", fmt.Sprint(s.Direct)},
		{"through wrappers", fmt.Sprint(s.ThroughWrapper)},
		{"known", fmt.Sprint(s.Known)},
		{"left, and why", listed(s.Left, "%[2]d %[1]s")},
		{"catalog", s.catalog()},
		{"findings", total(s.Findings)},
		{"rights", s.rights()},
		{"problems", fmt.Sprint(s.Problems)},
		{"time, of that loading", s.Time.String() + ", " + s.Load.String()},
	}
	var heads, lines, cells []string
	for _, c := range columns {
		heads, lines, cells = append(heads, c[0]), append(lines, "---"), append(cells, cell.Replace(c[1]))
	}
	for _, row := range [][]string{heads, lines, cells} {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | ")); err != nil {
			return err
		}
	}
	return nil
}

// cell replaces the characters that end a cell or a line of a Markdown table.
var cell = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ")

func (s Summary) catalog() string {
	return cmp.Or(s.Catalog, format.Count(s.Events, "event")+" of "+format.Count(s.CatalogCalls, "call"))
}

func (s Summary) rights() string {
	if s.Rights == nil {
		return "not compared: --rbac names manifests"
	}
	return total(s.Rights)
}

func total(counts []Counts) string {
	n := 0
	for _, c := range counts {
		n += c.Count
	}
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%d: %s", n, listed(counts, "%[1]s %[2]d"))
}

func listed(counts []Counts, format string) string {
	var parts []string
	for _, c := range counts {
		parts = append(parts, fmt.Sprintf(format, c.What, c.Count))
	}
	return strings.Join(parts, "; ")
}
