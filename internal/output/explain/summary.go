package explain

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// mostUnknown bounds the pairs of controller and reason that a summary lists without an entry.
const mostUnknown = 100

// mostText bounds the texts of stored events in a summary, in bytes.
const mostText = 120

// Tally counts stored events, and the occurrences that they stand for.
type Tally struct {
	Events, Occurrences int64
	Last                time.Time
}

func (t *Tally) add(s *Stored) {
	t.Events++
	t.Occurrences += max(s.Count, 1)
	if s.Last.After(t.Last) {
		t.Last = s.Last
	}
}

func (t *Tally) columns() string {
	return fmt.Sprintf("%d\t%d\t%s", t.Events, t.Occurrences, timeText(t.Last))
}

// Summary counts the stored events of controllers by their catalog entries. Its size depends on the
// catalogs only, however many events there are.
type Summary struct {
	entries     *Entries
	controllers []string
	since       time.Time
	elsewhere   func(reason string) bool

	known   map[*model.Event]*Tally
	unknown map[source]*stranger
	// allowed are the events with a reason that is known elsewhere, beyond the unknown ones past
	// mostUnknown.
	allowed, beyond Tally
	// others counts events of other controllers, older those before since.
	read, others, older int64
}

// source is what an event without an entry is listed by.
type source struct{ controller, reason string }

// stranger is an event that no entry knows.
type stranger struct {
	Tally
	example string
}

// NewSummary returns an empty summary of the events of controllers: those of the entries, and more.
// Events whose last occurrence is before since do not count. elsewhere reports whether a reason
// without an entry is known elsewhere.
func NewSummary(x *Entries, more []string, since time.Time, elsewhere func(reason string) bool) *Summary {
	return &Summary{
		entries: x, controllers: append(x.controllers(), more...), since: since, elsewhere: elsewhere,
		known: map[*model.Event]*Tally{}, unknown: map[source]*stranger{},
	}
}

// controllers returns the controllers that the entries name.
func (x *Entries) controllers() []string {
	var names []string
	for _, e := range x.all {
		if name := e.ReportingController(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Anonymous returns the first entry without a controller, or nil.
func (x *Entries) Anonymous() *model.Event {
	if i := slices.IndexFunc(x.all, func(e *model.Event) bool { return e.ReportingController() == "" }); i >= 0 {
		return x.all[i]
	}
	return nil
}

// Add counts an event.
func (m *Summary) Add(s Stored) {
	m.read++
	switch {
	case !slices.Contains(m.controllers, s.Controller):
		m.others++
		return
	case s.Last.Before(m.since) && !s.Last.IsZero():
		m.older++
		return
	}
	if readings := m.entries.Readings(s); len(readings) > 0 {
		e := readings[0].Event
		if m.known[e] == nil {
			m.known[e] = &Tally{}
		}
		m.known[e].add(&s)
		return
	}
	if m.entries.byReason[s.Reason] == nil && m.elsewhere(s.Reason) {
		m.allowed.add(&s)
		return
	}
	m.addUnknown(&s)
}

func (m *Summary) addUnknown(s *Stored) {
	from := source{short(s.Controller), short(s.Reason)}
	u := m.unknown[from]
	if u == nil && len(m.unknown) == mostUnknown {
		m.beyond.add(s)
		return
	}
	if u == nil {
		u = &stranger{example: m.example(s)}
		m.unknown[from] = u
	}
	u.add(s)
}

// example shows an event, and which entry has its reason.
func (m *Summary) example(s *Stored) string {
	text := strings.TrimSpace(fmt.Sprintf("%s %q", short(s.Regarding.text()), short(s.Message)))
	if like := m.entries.byReason[s.Reason]; like != nil {
		text += fmt.Sprintf(", unlike %s %s", like[0].Source.Pos, like[0].Name)
	}
	return text
}

// short returns text that fits a line. It does not keep a longer text in memory.
func short(text string) string { return strings.Clone(eventrt.Clean(text, mostText)) }

// Unknown returns the number of events that nothing knows.
func (m *Summary) Unknown() int64 {
	n := m.beyond.Events
	for _, u := range m.unknown {
		n += u.Events
	}
	return n
}

// Write prints a row for each entry, then the events that no entry knows, then what was left out.
func (m *Summary) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ENTRY\tAT\tEVENTS\tOCCURRENCES\tLAST SEEN")
	for _, e := range m.entries.all {
		tally := cmp.Or(m.known[e], &Tally{})
		name := e.Name
		if e.Deprecated != nil {
			name += " (deprecated)"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", name, e.Source.Pos, tally.columns())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if m.Unknown() > 0 {
		m.writeUnknown(w)
	}
	_, err := fmt.Fprintf(w, "\n%s\n", m.total())
	return err
}

func (m *Summary) writeUnknown(w io.Writer) {
	fmt.Fprintln(w, "\nNo entry knows these events:")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "REASON\tCONTROLLER\tEVENTS\tOCCURRENCES\tLAST SEEN\tEXAMPLE")
	for _, from := range m.sources() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", cmp.Or(from.reason, "-"), from.controller, m.unknown[from].columns(), m.unknown[from].example)
	}
	if m.beyond.Events > 0 {
		fmt.Fprintf(t, "(further ones)\t\t%s\t\n", m.beyond.columns())
	}
	_ = t.Flush() // a broken pipe shows at the next line
}

// sources returns what is unknown, the most frequent first.
func (m *Summary) sources() []source {
	list := make([]source, 0, len(m.unknown))
	for from := range m.unknown {
		list = append(list, from)
	}
	slices.SortFunc(list, func(a, b source) int {
		return cmp.Or(cmp.Compare(m.unknown[b].Occurrences, m.unknown[a].Occurrences), strings.Compare(a.reason, b.reason), strings.Compare(a.controller, b.controller))
	})
	return list
}

// total tells how many events were read, and which of them the rows leave out.
func (m *Summary) total() string {
	parts := []string{fmt.Sprintf("events read: %d", m.read)}
	for _, part := range []struct {
		n    int64
		text string
	}{
		{m.Unknown(), "known to no entry"}, {m.allowed.Events, "of raw calls that calls.allow permits"},
		{m.others, "of other controllers"}, {m.older, "older than --since"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %d", part.text, part.n))
		}
	}
	return strings.Join(parts, "; ")
}
