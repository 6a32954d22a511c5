package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/event-gen/event-gen/internal/scan"
)

// SummaryNames are the formats of a summary, the one for people first: a table of Markdown with one row.
var SummaryNames = []string{"markdown", "json"}

// Summary is what one row says of a program. Fields are only added to it.
type Summary struct {
	// Name is the module's path, or the folder's where there is none; Commit is short, and empty outside of a repository.
	Name   string `json:"name"`
	Commit string `json:"commit,omitempty"`
	// Recorders are the families of recorders that are called.
	Recorders  []string `json:"recorders"`
	Sites      int      `json:"sites"` // direct and derived
	Direct     int      `json:"direct"`
	Derived    int      `json:"derived"`
	Forwarders int      `json:"forwarders"`
	// Known counts the sites whose reason is constant, or one of a closed set of constants.
	Known int      `json:"known"`
	Left  []Counts `json:"left"`
	// Events of the catalog that -o would propose stand for CatalogSites; Catalog says why there is none.
	Events       int    `json:"events"`
	CatalogSites int    `json:"catalogSites"`
	Catalog      string `json:"catalog,omitempty"`
	// Findings counts the findings about calls by rule, whatever their severity.
	Findings []Counts `json:"findings"`
	// Rights counts the findings about rights by rule. It is nil if no manifest was given.
	Rights []Counts `json:"rights"`
	// Problems counts what could not be read or does not compile.
	Problems int `json:"problems"`
	// Load is the processor time of reading and type-checking the packages, Time the processor time of that and of all
	// else but the catalog.
	Load Seconds `json:"loadSeconds"`
	Time Seconds `json:"seconds"`
}

// Counts says how often something was found.
type Counts struct {
	What  string `json:"what"`
	Count int    `json:"count"`
}

// Seconds is a duration, as seconds in JSON.
type Seconds time.Duration

// MarshalJSON gives seconds.
func (s Seconds) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(s).Seconds()) }

func (s Seconds) String() string { return fmt.Sprintf("%.1f s", time.Duration(s).Seconds()) }

// Summarize counts what a result has.
func Summarize(r *scan.Result) Summary {
	s := Summary{Problems: len(r.Program.Problems), Recorders: []string{}, Findings: []Counts{}}
	left := Counter{}
	for _, site := range r.Sites {
		switch site.Scope {
		case scan.Forwarder:
			s.Forwarders++
			continue
		case scan.Derived:
			s.Derived++
		default:
			s.Direct++
		}
		s.Sites++
		if site.Reason.Closed() {
			s.Known++
		}
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
	slices.Sort(s.Recorders)
	s.Left = left.Sorted()
	return s
}

// Counter counts by name.
type Counter map[string]int

// Add counts one.
func (c Counter) Add(what string) { c[what]++ }

// Sorted has the most frequent first; it is never nil.
func (c Counter) Sorted() []Counts {
	out := []Counts{}
	for what, n := range c {
		out = append(out, Counts{what, n})
	}
	slices.SortFunc(out, func(a, b Counts) int { return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.What, b.What)) })
	return out
}

// WriteSummary writes a summary.
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
		{"derived", fmt.Sprint(s.Derived)},
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

// cell keeps a text in its cell and on its line.
var cell = strings.NewReplacer("|", `\|`, "\n", " ", "\r", " ")

func (s Summary) catalog() string {
	if s.Catalog != "" {
		return s.Catalog
	}
	return fmt.Sprintf("%d events of %d sites", s.Events, s.CatalogSites)
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
