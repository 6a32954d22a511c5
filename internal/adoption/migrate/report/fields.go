package report

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/event-gen/event-gen/internal/adoption/migrate/fields"
)

// Fields prints the moving fields, parameters, results and variables, the changing makers of
// recorders, and the staying places with the reasons.
func Fields(w io.Writer, p *fields.Plan) error {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(p.Moved) > 0 {
		fmt.Fprintln(t, "RECORDER\tKIND\tNAME\tTYPE")
	}
	public := false
	for _, m := range p.Moved {
		note := ""
		if m.Public {
			note, public = " *", true
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s%s\n", m.Pos, m.Kind, m.Name, m.Type, note)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if public {
		fmt.Fprintln(w, "* other modules can name it, and would have to change too")
	}
	if len(p.Sources) > 0 {
		fmt.Fprintln(w, "\nRecorders are made by:")
	}
	for _, s := range p.Sources {
		fmt.Fprintf(w, "%s: %s, was %s\n", s.Pos, s.Now, s.Was)
	}
	if len(p.Left) > 0 {
		fmt.Fprintln(w, "\nStays a recorder of client-go:")
	}
	for _, l := range p.Left {
		fmt.Fprintf(w, "%s: the %s %s: %s: %s\n", l.Pos, l.Kind, l.Name, l.Use, l.Why)
	}
	_, err := fmt.Fprintf(w, "%d recorders moved, %d left\n", len(p.Moved), len(p.Left))
	return err
}

// movedPlace, leftPlace and changedSource are the JSON form of stage 2.
type movedPlace struct {
	position
	Kind   string `json:"kind"`
	Name   string `json:"name"`
	Type   string `json:"type"`
	Public bool   `json:"public,omitempty"`
}

type leftPlace struct {
	position
	Kind string   `json:"kind"`
	Name string   `json:"name"`
	Use  position `json:"use"`
	Why  string   `json:"why"`
}

type changedSource struct {
	position
	Was string `json:"was"`
	Now string `json:"now"`
}

type recorders struct {
	Moved   []movedPlace    `json:"moved"`
	Left    []leftPlace     `json:"left"`
	Sources []changedSource `json:"sources"`
}

// recordersOf is nil without stage 2.
func recordersOf(p *fields.Plan) *recorders {
	if p == nil {
		return nil
	}
	out := &recorders{Moved: []movedPlace{}, Left: []leftPlace{}, Sources: []changedSource{}}
	for _, m := range p.Moved {
		out.Moved = append(out.Moved, movedPlace{positionOf(m.Pos), m.Kind, m.Name, m.Type, m.Public})
	}
	for _, l := range p.Left {
		out.Left = append(out.Left, leftPlace{positionOf(l.Pos), l.Kind, l.Name, positionOf(l.Use), l.Why})
	}
	for _, s := range p.Sources {
		out.Sources = append(out.Sources, changedSource{positionOf(s.Pos), s.Was, s.Now})
	}
	return out
}
