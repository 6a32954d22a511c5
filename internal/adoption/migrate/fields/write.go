package fields

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/migrate"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// writer makes the edits of moving places.
type writer struct {
	*decision
	texts   map[string][]byte
	edits   map[string][]migrate.Edit
	done    map[span]bool
	files   map[string][]byte
	sources []Source
}

func newWriter(d *decision, texts map[string][]byte) *writer {
	return &writer{
		decision: d, texts: texts, edits: map[string][]migrate.Edit{}, done: map[span]bool{},
		files: map[string][]byte{},
	}
}

// write makes the new texts.
func (w *writer) write() error {
	for _, c := range w.classes {
		if c.moves() {
			for _, n := range c.nodes {
				w.node(n, w.catalogs[c][0])
			}
		}
	}
	for path, edits := range w.edits {
		old, err := w.text(path)
		if err != nil {
			return err
		}
		text, err := migrate.Rewrite(old, edits, w.names[path].Added)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		w.files[path] = text
	}
	return nil
}

// text returns a file as the first stage leaves it.
func (w *writer) text(path string) ([]byte, error) {
	if text, ok := w.texts[path]; ok {
		return text, nil
	}
	return os.ReadFile(filepath.Clean(path))
}

func (w *writer) of(s span) string {
	text, err := w.text(s.file)
	if err != nil || s.to > len(text) {
		return ""
	}
	return string(text[s.from:s.to])
}

func (w *writer) replace(s span, text string) {
	if w.done[s] && s.to > s.from {
		return
	}
	w.done[s] = true
	w.edits[s.file] = append(w.edits[s.file], migrate.Edit{From: s.from, To: s.to, Text: text})
}

func (w *writer) insert(file string, at int, text string) { w.replace(span{file, at, at}, text) }

// node edits the type of a node, its uses, and the values stored in it.
func (w *writer) node(n *node, p *model.Package) {
	if n.typeTo > n.typeFrom {
		w.replace(span{n.file, n.typeFrom, n.typeTo}, w.names[n.file].Qualified(p.Path, p.Name, p.Recorder))
	}
	for _, s := range n.renames {
		w.replace(s, p.Recorder)
	}
	for _, u := range n.typed {
		w.typed(u, p)
	}
	for _, s := range n.nils {
		w.replace(s, "("+w.zero(s.file, p)+")")
	}
	for _, in := range n.in {
		w.inflow(n, &in, p)
	}
}

func (w *writer) zero(file string, p *model.Package) string {
	return w.names[file].Qualified(p.Path, p.Name, p.Recorder) + "{}"
}

// typed removes a call of FromEvents: its argument is a generated recorder now.
func (w *writer) typed(u typedUse, p *model.Package) {
	w.replace(span{u.call.file, u.call.from, u.arg.from}, "")
	text := ""
	if u.field != "" {
		text = "." + p.Recorder
	}
	w.replace(span{u.call.file, u.arg.to, u.call.to}, text)
}

// inflow converts a value stored in a node.
func (w *writer) inflow(n *node, in *inflow, p *model.Package) {
	switch {
	case in.kind == isNil, in.kind == isFake && !w.comparedWithNil(n.class):
		w.replace(in.span, w.zero(in.file, p))
	case in.kind == oneOfMany, in.kind == fromNode && in.from.class.moves():
	case in.kind == fromNode:
		w.wrap(in, in.from.api, p)
	case in.kind == fromManager && w.opts.Onto == EventGen && !isTest(in.file):
		w.fromManager(in, p)
	case in.kind == fromManager && w.opts.Onto == Events && in.api == scan.Record && in.made.hasEvents:
		w.toEvents(in, p)
	default:
		w.wrap(in, in.api, p)
	}
}

// wrap puts a call of FromEvents or FromRecord around a recorder of client-go.
func (w *writer) wrap(in *inflow, api scan.API, p *model.Package) {
	on := p.FromRecord
	if api == scan.Events {
		on = p.FromEvents
	}
	w.around(in.span, w.names[in.file].Qualified(p.Path, p.Name, on))
}

func (w *writer) around(s span, function string) {
	if w.done[s] {
		return
	}
	w.done[s] = true
	w.insert(s.file, s.from, function+"(")
	w.insert(s.file, s.to, ")")
}

// toEvents replaces a recorder by the same manager's recorder of tools/events.
func (w *writer) toEvents(in *inflow, p *model.Package) {
	if !w.done[in.made.method] && in.api == scan.Record {
		w.source(in, w.of(in.made.method), "GetEventRecorder")
	}
	w.replace(in.made.method, "GetEventRecorder")
	if text, err := w.text(in.file); err == nil {
		if e, found := migrate.WithoutStaticcheck(text, in.made.call.to); found {
			w.replace(span{in.file, e.From, e.To}, e.Text)
		}
	}
	w.wrap(in, scan.Events, p)
}

func (w *writer) source(in *inflow, was, now string) {
	w.sources = append(w.sources, Source{Pos: w.onDisk(in.pos), Was: was, Now: now})
}

// fromManager replaces a recorder by the recorder of our manager.
func (w *writer) fromManager(in *inflow, p *model.Package) {
	w.convertManagers()
	m := in.made
	if !m.ours && !w.managerVars[m.receiverKey] || !m.known || p.Controller != "" && p.Controller != m.name {
		if in.api == scan.Record && !m.hasEvents {
			w.wrap(in, in.api, p)
			return
		}
		w.toEvents(in, p)
		return
	}
	args := w.of(m.receiver)
	if p.Controller == "" {
		args += fmt.Sprintf(", %q", m.name)
	}
	if !w.done[in.span] {
		w.source(in, w.of(m.method), p.For)
	}
	w.replace(in.span, w.names[in.file].Qualified(p.Path, p.Name, p.For)+"("+args+")")
}

// convertManagers makes the program create its managers with this project's package.
func (w *writer) convertManagers() {
	for _, m := range w.managers {
		if m.test || m.ours || w.done[m.fun] {
			continue
		}
		w.replace(m.fun, w.names[m.file].Qualified(facts.Managers, "ctrlevents", "NewManager"))
		w.sources = append(w.sources, Source{Pos: m.pos, Was: w.of(m.fun), Now: "ctrlevents.NewManager"})
	}
}

// plan returns the report of the decisions.
func (d *decision) plan(w *writer) *Plan {
	p := &Plan{Files: w.files, Sources: w.sources}
	for _, n := range d.order {
		c := n.class
		switch {
		case c.moves():
			g := d.catalogs[c][0]
			p.Moved = append(p.Moved, Moved{Place: d.place(n), Type: g.Name + "." + g.Recorder, Public: n.public})
		case c.held != nil && d.worthTelling(n):
			p.Left = append(p.Left, Left{Place: d.place(n), Use: d.onDisk(c.held.pos), Why: c.held.why})
		}
	}
	slices.SortStableFunc(p.Moved, func(a, b Moved) int { return comparePositions(a.Pos, b.Pos) })
	slices.SortStableFunc(p.Left, func(a, b Left) int { return comparePositions(a.Pos, b.Pos) })
	slices.SortStableFunc(p.Sources, func(a, b Source) int { return cmp.Or(comparePositions(a.Pos, b.Pos), cmp.Compare(a.Now, b.Now)) })
	return p
}

// worthTelling reports whether somebody might expect a staying node to move: typed calls go through
// it, or it is handed to a node that moves.
func (d *decision) worthTelling(n *node) bool {
	return len(n.typed) > 0 || slices.ContainsFunc(n.to, func(to *node) bool { return to.class.moves() })
}
