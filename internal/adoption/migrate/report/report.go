// Package report prints the decisions of migrate, as a table and as JSON.
package report

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/format"
	"github.com/event-gen/event-gen/internal/plumbing/plain"
)

// Names are the formats.
var Names = []string{"text", "json"}

// Summary counts the recording places of a plan. Helpers that take the reason do not count as
// sites.
type Summary struct {
	Sites       int `json:"calls"`
	Rewritten   int `json:"rewritten"`
	Equal       int `json:"equal"`
	EqualExcept int `json:"equalExcept"`
	Left        int `json:"left"`
	Helpers     int `json:"helpers"`
	// Direct and ThroughWrapper count the sites whose reason is constant, or one of a closed set of
	// constants.
	Direct         Share `json:"direct"`
	ThroughWrapper Share `json:"throughWrapper"`
	// Placeholders, Formatted and Whole count rewritten sites by the way they get their text.
	Placeholders int `json:"placeholders"`
	Formatted    int `json:"formatted"`
	Whole        int `json:"textOnly"`
	// Lines counts the changed lines, as in a unified diff.
	Added   int `json:"linesAdded"`
	Removed int `json:"linesRemoved"`
}

// Share counts some sites, and the rewritten ones among them.
type Share struct {
	Known     int `json:"known"`
	Rewritten int `json:"rewritten"`
}

func (s *Share) add(site *migrate.Decision) {
	if !site.Known {
		return
	}
	s.Known++
	if site.State == migrate.Rewritten {
		s.Rewritten++
	}
}

func (s Share) String() string { return fmt.Sprintf("%d of %d", s.Rewritten, s.Known) }

// Of counts.
func Of(p *migrate.Plan) (s Summary) {
	places := map[token.Position]bool{} // a place with several events is left, and counted once
	for _, site := range p.Decisions {
		switch {
		case site.Scope == scan.InWrapper:
			if site.State == migrate.Left {
				s.Helpers++
			}
		case !places[site.Pos]:
			places[site.Pos] = true
			s.count(site)
		}
	}
	for _, f := range p.Files {
		added, removed := Lines(f)
		s.Added, s.Removed = s.Added+added, s.Removed+removed
	}
	return s
}

func (s *Summary) count(site *migrate.Decision) {
	s.Sites++
	if site.Scope == scan.ThroughWrapper {
		s.ThroughWrapper.add(site)
	} else {
		s.Direct.add(site)
	}
	if site.State == migrate.Left {
		s.Left++
		return
	}
	s.Rewritten++
	if site.Outcome == proof.Equal {
		s.Equal++
	} else {
		s.EqualExcept++
	}
	switch site.Text {
	case migrate.Placeholders:
		s.Placeholders++
	case migrate.Formatted:
		s.Formatted++
	case migrate.Whole:
		s.Whole++
	}
}

// Line is the summary for people.
func (s Summary) Line() string {
	return fmt.Sprintf("%s: %d equal, %d equal except, %d left; %s left", format.Count(s.Sites, "call"), s.Equal, s.EqualExcept, s.Left, format.Count(s.Helpers, "helper"))
}

// Text prints a line for each site, the sites that are left with the reasons, and the code that
// nothing uses any more.
func Text(w io.Writer, p *migrate.Plan) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "CALL\tRAW\tREASON\tTYPED\tVERDICT\tCAUSES")
	for _, s := range p.Decisions {
		verdict := string(migrate.Left)
		if s.State == migrate.Rewritten {
			verdict = s.Outcome.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", s.Pos, s.Call, format.Clean(s.Reason), cmp.Or(s.Entry, "-"), verdict, cmp.Or(causes(s), "-"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	left(w, p)
	_, err := fmt.Fprintln(w, Of(p).Line())
	return err
}

// causes returns the ids of the possible differences, each once.
func causes(s *migrate.Decision) string {
	if s.State == migrate.Left {
		return ""
	}
	var ids []string
	for _, c := range s.Causes {
		if !slices.Contains(ids, string(c.ID)) {
			ids = append(ids, string(c.ID))
		}
	}
	return strings.Join(ids, ", ")
}

func left(w io.Writer, p *migrate.Plan) {
	sites := slices.DeleteFunc(slices.Clone(p.Decisions), func(s *migrate.Decision) bool { return s.State != migrate.Left })
	if len(sites) == 0 {
		return
	}
	fmt.Fprintln(w, "\nLeft as it is:")
	for _, s := range sites {
		fmt.Fprintf(w, "%s: %s\n", s.Pos, s.Why)
		for _, c := range s.Callers {
			fmt.Fprintf(w, "\t%s\n", c)
		}
	}
	fmt.Fprintln(w)
}

type position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

func positionOf(p token.Position) position { return position{p.Filename, p.Line, p.Column} }

type cause struct {
	ID    proof.ID `json:"id"`
	Param string   `json:"param,omitempty"`
	Text  string   `json:"text"`
}

type site struct {
	position
	Scope   scan.Scope    `json:"scope"`
	Call    string        `json:"call"`
	Reason  string        `json:"reason"`
	State   migrate.State `json:"state"`
	Entry   string        `json:"entry,omitempty"`
	Verdict string        `json:"verdict,omitempty"`
	Causes  []cause       `json:"causes,omitempty"`
	Text    migrate.Text  `json:"text,omitempty"`
	Why     string        `json:"why,omitempty"`
	Callers []position    `json:"callers,omitempty"`
}

type file struct {
	Path    string `json:"path"`
	Added   int    `json:"linesAdded"`
	Removed int    `json:"linesRemoved"`
}

// JSON prints the whole plan. name returns the path to print for a file.
func JSON(w io.Writer, p *migrate.Plan, name func(path string) string) error {
	out := struct {
		Summary Summary `json:"summary"`
		Sites   []site  `json:"calls"`
		Files   []file  `json:"files"`
	}{Summary: Of(p), Sites: []site{}, Files: []file{}}
	for _, s := range p.Decisions {
		out.Sites = append(out.Sites, siteOf(s))
	}
	for _, f := range p.Files {
		added, removed := Lines(f)
		out.Files = append(out.Files, file{name(f.Path), added, removed})
	}
	e := plain.Encoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func siteOf(s *migrate.Decision) site {
	out := site{
		position: positionOf(s.Pos), Scope: s.Scope, Call: s.Call, Reason: s.Reason, State: s.State,
		Entry: s.Entry, Text: s.Text, Why: s.Why,
	}
	if s.State == migrate.Rewritten {
		out.Verdict = s.Outcome.String()
	}
	for _, c := range s.Causes {
		out.Causes = append(out.Causes, cause{c.ID, c.Param, c.Text})
	}
	for _, c := range s.Callers {
		out.Callers = append(out.Callers, positionOf(c))
	}
	return out
}
