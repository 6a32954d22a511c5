package eventdebug

import (
	"bytes"
	_ "embed"
	"fmt"
	"html"
	"strings"
	"time"
	"unicode"
)

//go:embed page.css
var style string

const whatToDo = "https://github.com/event-gen/event-gen/blob/main/docs/operating.md"

// The page is written without html/template: that calls methods by name, so that the linker would
// keep every method of the program, which is a third of an operator's size.

// page writes HTML. All text goes through text or cells, which escape it.
type htmlPage struct{ *bytes.Buffer }

func writeHTML(b *bytes.Buffer, p *page) {
	w := htmlPage{b}
	w.WriteString("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Events</title>\n<style>\n" + style + "</style>\n</head>\n<body>\n")
	w.printf("<h1>Events</h1>\n<p class=\"weak\">%v, %v.</p>\n", p.Time.Format("2006-01-02 15:04:05 UTC"), p.State)
	w.account(&p.Account)
	if p.Skipped > 0 {
		w.printf("<p class=\"bad\">%v log lines and calls of observers were skipped, because earlier ones had not returned.</p>\n", p.Skipped)
	}
	w.filter(p)
	w.troubles(p)
	w.refusals(p.Refusals)
	w.rejections(p.Rejections)
	w.waiting(p.Waiting)
	for _, key := range p.Writers {
		w.printf("<p class=\"weak\">Events keep the number of occurrences recorded here in their annotation %v.</p>\n", key)
	}
	w.reasons(p.Reasons)
	w.objects(p.Objects)
	w.WriteString("<footer><p class=\"weak\">No text of a message is shown. For programs: <a href=\"?format=json\">JSON</a>. What to do: " +
		"<a href=\"" + whatToDo + "\">docs/operating.md</a>.</p></footer>\n</body>\n</html>\n")
}

// printf writes HTML of ours; its arguments are escaped.
func (w htmlPage) printf(format string, args ...any) {
	for i, a := range args {
		args[i] = html.EscapeString(visible(fmt.Sprint(a)))
	}
	fmt.Fprintf(w, format, args...)
}

// visible shows characters that control a terminal, or the direction of text, as Go and JSON write
// them: names and errors may have any. Line breaks stay.
func visible(text string) string {
	hides := func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) }
	if !strings.ContainsFunc(text, hides) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hides(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// table begins a table. Names of columns that begin with # hold numbers.
func (w htmlPage) table(columns ...string) {
	w.WriteString("<div class=\"wide\"><table><tr>")
	for _, c := range columns {
		if name, number := strings.CutPrefix(c, "#"); number {
			w.printf("<th class=\"n\">%v</th>", name)
			continue
		}
		w.printf("<th>%v</th>", c)
	}
	w.WriteString("</tr>\n")
}

func (w htmlPage) endTable() { w.WriteString("</table></div>\n") }

func (w htmlPage) account(a *account) {
	bad := ""
	if a.LostInAll > 0 {
		bad = " class=\"bad\""
	}
	w.printf("\n<h2 id=\"account\">Account</h2>\n<div class=\"sum\">\n<span><b>%v</b> recorded</span> = <span><b>%v</b> written</span> + <span><b>%v</b> pending</span> + ",
		a.Recorded, a.Written, a.Pending)
	w.WriteString("<span" + bad + ">")
	w.printf("<b>%v</b> lost</span>\n</div>\n", a.LostInAll)
	if a.LostInAll > 0 {
		w.WriteString("<p>Lost:")
		for _, l := range a.Lost {
			if l.Count > 0 {
				w.printf(" <span class=\"bad\">%v %v</span>", l.Count, l.Cause)
			}
		}
		w.WriteString("</p>\n")
	}
	if a.LabelsLeftOut > 0 {
		w.printf("<p class=\"bad\">Labels left out of new events, because the server would refuse them: %v.</p>\n", a.LabelsLeftOut)
	}
	w.printf("<p class=\"weak\">Creates: %v, updates: %v, retries: %v, refused writes: %v; in flight: %v, the oldest for %v; failing: %v; remembered: %v events of %v objects, in %v of %v bytes.</p>\n",
		a.Creates, a.Updates, a.Retries, a.Failures, a.InFlight, ago(a.OldestSeconds), a.Failing, a.Identities, a.Objects, a.Bytes, a.MaxBytes)
}

// section writes a heading, and a table with a row for each entry of a list, or a paragraph if the
// list is empty.
func section[T any](w htmlPage, id, title, empty string, columns []string, list []T, row func(T)) {
	w.WriteString("\n<h2 id=\"" + id + "\">" + title + "</h2>\n")
	if len(list) == 0 {
		w.WriteString(empty + "\n")
		return
	}
	w.table(columns...)
	for _, entry := range list {
		row(entry)
	}
	w.endTable()
}

func (w htmlPage) filter(p *page) {
	if p.FilterError != "" {
		w.printf("<p class=\"bad\">The filter's file can't be used; the filter before stays in force: %v</p>\n", p.FilterError)
	}
	section(w, "filter", "Filter", "<p>None: all events are recorded.</p>", []string{"rule", "#dropped"}, p.Filter, func(r filterRule) {
		w.printf("<tr><td>%v</td><td class=\"n\">%v</td></tr>\n", r.Rule, r.Dropped)
	})
}

func (w htmlPage) troubles(p *page) {
	columns := []string{"closed", "namespace", "#for", "because"}
	none := "<p class=\"good\">No outage, and no write was refused in the last 10 minutes.</p>"
	switch a := &p.Account; {
	case p.RefusedLately > 0:
		none = fmt.Sprintf("<p class=\"bad\">No outage; %d writes refused in the last 10 minutes.</p>", p.RefusedLately)
	case a.Creates+a.Updates+a.Failures > 0:
	case a.Retries > 0 || a.InFlight > 0:
		none = "<p class=\"bad\">None known, but the server has taken no event yet: see what waits.</p>"
	default:
		none = "<p>None known: no event was sent to the server yet.</p>"
	}
	section(w, "troubles", "Troubles", none, columns, p.Troubles, func(t trouble) {
		w.printf("<tr><td class=\"bad\">%v</td><td>%v</td><td class=\"n\">%v</td><td>%v</td></tr>\n", t.Scope, t.Namespace, ago(t.Seconds), t.Error)
	})
}

func (w htmlPage) refusals(list []refusal) {
	section(w, "refusals", "Last refusals", "<p>None.</p>", []string{"at", "#times", "reason", "object", "answer"}, list, func(r refusal) {
		w.printf("<tr><td>%v</td><td class=\"n\">%v</td><td>%v</td><td>%v</td><td>%v", r.Time.Format("15:04:05"), r.Times, r.Reason, r.Object, r.Error)
		if r.Rule != nil {
			w.printf("<pre>%v</pre>", r.Rule)
		}
		w.WriteString("</td></tr>\n")
	})
}

func (w htmlPage) rejections(list []rejection) {
	columns := []string{"at", "#times", "reason", "object", "problem"}
	section(w, "rejections", "Last rejections", "<p>None.</p>", columns, list, func(r rejection) {
		w.printf("<tr><td>%v</td><td class=\"n\">%v</td><td>%v</td><td>%v</td><td>%v</td></tr>\n", r.Time.Format("15:04:05"), r.Times, r.Reason, r.Object, r.Problem)
	})
}

func (w htmlPage) waiting(list []waiting) {
	columns := []string{"reason", "object", "event", "#occurrences", "#for", "#failed tries", "state"}
	section(w, "waiting", "Waits longest", "<p>Nothing waits.</p>", columns, list, func(e waiting) {
		w.printf("<tr><td>%v", e.Reason)
		if e.Aggregate {
			w.WriteString(" <span class=\"weak\">(combined)</span>")
		}
		w.printf("</td><td>%v</td><td>%v</td><td class=\"n\">%v</td><td class=\"n\">%v</td><td class=\"n\">%v</td><td>%v</td></tr>\n",
			e.Object, e.Name, e.Pending, ago(e.Seconds), e.Attempts, e.State)
	})
}

const nothingRemembered = "<p>Nothing is remembered.</p>"

func (w htmlPage) reasons(list []reasonNoise) {
	columns := []string{"type", "reason", "kind", "#occurrences", "#events"}
	section(w, "reasons", "Noisiest reasons", nothingRemembered, columns, list, func(n reasonNoise) {
		w.printf("<tr><td>%v</td><td>%v</td><td>%v</td><td class=\"n\">%v</td><td class=\"n\">%v</td></tr>\n", n.Type, n.Reason, n.Kind, n.Occurrences, n.Events)
	})
}

func (w htmlPage) objects(list []objectNoise) {
	section(w, "objects", "Noisiest objects", nothingRemembered, []string{"object", "#occurrences", "#events"}, list, func(n objectNoise) {
		w.printf("<tr><td>%v</td><td class=\"n\">%v</td><td class=\"n\">%v</td></tr>\n", n.Object, n.Occurrences, n.Events)
	})
}

// String names an object as people do.
func (o object) String() string {
	if o.Namespace == "" {
		return o.Kind + " " + o.Name
	}
	return o.Kind + " " + o.Namespace + "/" + o.Name
}

// String returns the rule as YAML, and the user who lacks it.
func (r *rule) String() string {
	text := fmt.Sprintf("- apiGroups: %s\n  resources: %s\n  verbs: %s", flow(r.APIGroups), flow(r.Resources), flow(r.Verbs))
	if r.User != "" {
		text += fmt.Sprintf("\n# for %s in %s", r.User, r.Namespace)
	}
	return text
}

// flow is a list as YAML writes it on one line.
func flow(list []string) string { return `["` + strings.Join(list, `", "`) + `"]` }

func ago(seconds float64) string {
	return time.Duration(seconds * float64(time.Second)).Round(time.Millisecond).String()
}
