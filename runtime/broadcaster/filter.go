package broadcaster

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Filter decides which events are recorded, by rules that a person writes into a flag, an
// environment variable or a file:
//
//	drop type=Normal; keep reason=Created; drop reason=FailedMount namespace=kube-system; every=5m reason=BackOff
//
// A semicolon or the end of a line ends a rule. A rule begins with drop, keep or every=DURATION;
// every=5m keeps the first event of an object, type and reason, and drops further ones until 5
// minutes have passed since the last that it kept. Conditions follow: type, reason, action, and
// kind, namespace and name of the regarding object. All of a rule must hold; a rule without
// conditions matches every event. The last rule that matches decides. An event that no rule matches
// is recorded.
//
// A * at the end of a value stands for any further text. A value may be quoted as a Go string; one
// with blanks, semicolons or quotes, or an empty one (namespace="" is that of cluster-scoped
// objects), must be. A # at the beginning of a word makes the rest of the line a comment.
//
// The zero Filter records everything. A *Filter is a flag.Value, and one of github.com/spf13/pflag.
// Copies are independent; Set must not be called while the same Filter is used elsewhere.
type Filter struct {
	rules []filterRule
	keep  func(eventrt.Event) bool // of FilterFunc
}

// filterRule is a rule. It never changes.
type filterRule struct {
	text       string // as String writes it
	drop       bool
	every      time.Duration // 0: the rule drops all, or none
	conditions []condition
}

// condition holds if a field of the event has a text, or begins with it.
type condition struct {
	field  filterField
	prefix bool
	text   string
}

// filterField is what a condition looks at.
type filterField uint8

const (
	byType filterField = iota
	byReason
	byAction
	byKind // this and the following are of the object, those before of the definition
	byNamespace
	byName
	filterFields
)

var filterFieldNames = [filterFields]string{"type", "reason", "action", "kind", "namespace", "name"}

// ParseFilter reads a filter, as Filter.Set does.
func ParseFilter(text string) (Filter, error) { return parseFilter("filter", text) }

// parseFilter reads a filter from a source, which the error names.
func parseFilter(source, text string) (Filter, error) {
	p := filterParser{source: source, text: text, rest: text}
	var f Filter
	for {
		rule, ok, err := p.rule()
		if err != nil {
			return Filter{}, err
		}
		if !ok {
			return f, nil
		}
		f.rules = append(f.rules, rule)
	}
}

// Set replaces the filter by the one that text describes. If there is a mistake, the filter stays
// as it is. The error names line and column of the mistake, counted in characters from 1, and what
// to write.
func (f *Filter) Set(text string) error {
	parsed, err := ParseFilter(text)
	if err == nil {
		*f = parsed
	}
	return err
}

// String returns the filter's text, on one line and without comments. Set makes an equal filter
// of it. The text of a FilterFunc is empty.
func (f *Filter) String() string {
	if f == nil { // as package flag asks
		return ""
	}
	texts := make([]string, len(f.rules))
	for i := range f.rules {
		texts[i] = f.rules[i].text
	}
	return strings.Join(texts, "; ")
}

// Type is for flags of package pflag, which show it in their help.
func (f *Filter) Type() string { return "filter" }

// describe sets the text of a rule.
func (r *filterRule) describe() {
	words := []string{"keep"}
	switch {
	case r.drop:
		words[0] = "drop"
	case r.every > 0:
		words[0] = "every=" + shortDuration(r.every)
	}
	for _, c := range r.conditions {
		value := c.text
		if c.prefix {
			value += "*"
		}
		if value == "" || strings.ContainsFunc(value, needsQuotes) {
			value = strconv.Quote(value)
		}
		words = append(words, filterFieldNames[c.field]+"="+value)
	}
	r.text = strings.Join(words, " ")
}

func needsQuotes(r rune) bool {
	return !('0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' || strings.ContainsRune("-._/:@+*", r))
}

// shortDuration leaves out the zeros of Duration.String: 5m, not 5m0s.
func shortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []struct{ end, keep string }{{"m0s", "m"}, {"h0m", "h"}} {
		if strings.HasSuffix(text, zero.end) {
			text = strings.TrimSuffix(text, zero.end) + zero.keep
		}
	}
	return text
}

// filterParser reads rules from a text.
type filterParser struct {
	source, text, rest string
}

// rule returns the next rule; ok is false at the end of the text.
func (p *filterParser) rule() (r filterRule, ok bool, err error) {
	for p.blanks(); p.ended() && p.rest != ""; p.blanks() { // rules that are empty
		p.rest = p.rest[1:]
	}
	if p.rest == "" {
		return r, false, nil
	}
	if err := p.verb(&r); err != nil {
		return r, false, err
	}
	for p.blanks(); !p.ended(); p.blanks() {
		if err := p.condition(&r); err != nil {
			return r, false, err
		}
	}
	r.describe()
	return r, true, nil
}

// blanks skips blanks, and a comment.
func (p *filterParser) blanks() {
	p.rest = strings.TrimLeft(p.rest, " \t\r")
	if strings.HasPrefix(p.rest, "#") {
		p.rest = p.rest[firstOf(p.rest, "\n"):]
	}
}

// firstOf returns where the first of some characters is in a text, or the text's length.
func firstOf(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}

// ended reports whether a rule ends here.
func (p *filterParser) ended() bool {
	return p.rest == "" || p.rest[0] == ';' || p.rest[0] == '\n'
}

// verb reads the first word of a rule.
func (p *filterParser) verb(r *filterRule) error {
	at := p.rest
	word := p.rest[:firstOf(p.rest, " \t\r\n;")]
	p.rest = p.rest[len(word):]
	duration, every := strings.CutPrefix(word, "every=")
	switch {
	case word == "drop":
		r.drop = true
	case word == "keep":
	case every:
		d, err := time.ParseDuration(duration)
		if err != nil || d <= 0 {
			return p.mistake(at[len("every="):], "expected a duration above 0 such as 30s or 5m, found %q", duration)
		}
		r.every = d
	default:
		return p.mistake(at, "expected a rule that begins with drop, keep or every=DURATION, found %q; a rule such as %q ends at a semicolon or the end of the line", word, "drop reason=Pulled")
	}
	return nil
}

// condition reads a field and its value.
func (p *filterParser) condition(r *filterRule) error {
	at := p.rest
	name := p.rest[:firstOf(p.rest, "= \t\r\n;")]
	field := filterField(slices.Index(filterFieldNames[:], name))
	switch {
	case !strings.HasPrefix(p.rest[len(name):], "="):
		return p.mistake(at, "expected a condition such as reason=Pulled, found %q; a semicolon ends a rule", name)
	case field >= filterFields:
		return p.mistake(at, "expected one of the fields %s, found %q", strings.Join(filterFieldNames[:], ", "), name)
	case slices.ContainsFunc(r.conditions, func(c condition) bool { return c.field == field }):
		return p.mistake(at, "expected one condition for %s in a rule, found a second; write a rule for each value", name)
	}
	p.rest = p.rest[len(name)+1:]
	at = p.rest
	value, err := p.value()
	if err != nil {
		return err
	}
	c := condition{field: field}
	c.text, c.prefix = strings.CutSuffix(value, "*")
	switch {
	case strings.Contains(c.text, "*"):
		return p.mistake(at, "expected at most one *, at the end of the value, found %q", value)
	case field == byType && value != "Normal" && value != "Warning":
		return p.mistake(at, "expected the type Normal or Warning, found %q", value)
	}
	r.conditions = append(r.conditions, c)
	return nil
}

// value reads a value, quoted or not.
func (p *filterParser) value() (string, error) {
	at := p.rest
	if !strings.HasPrefix(p.rest, `"`) {
		value := p.rest[:firstOf(p.rest, " \t\r\n;")]
		p.rest = p.rest[len(value):]
		switch {
		case value == "":
			return "", p.mistake(at, `expected a value, found none; write "" for an empty one`)
		case strings.Contains(value, ","):
			return "", p.mistake(at, "expected one value, found %s; write a rule for each value, or quote a value that has a comma", value)
		case strings.ContainsAny(value, "\"'`"):
			return "", p.mistake(at, "expected a value, found %s; a value with quotes must be quoted as a whole, such as %q", value, value)
		}
		return value, nil
	}
	quoted, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		return "", p.mistake(at, "expected a value quoted as a Go string, on one line, found %s", p.rest[:firstOf(p.rest, "\n")])
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		return "", p.mistake(at, "expected a value quoted as a Go string, found %s", quoted)
	}
	p.rest = p.rest[len(quoted):]
	if !p.ended() && !strings.ContainsRune(" \t\r", rune(p.rest[0])) {
		return "", p.mistake(p.rest, "expected a blank or a semicolon after %s, found %q", quoted, p.rest[:firstOf(p.rest, " \t\r\n;")])
	}
	return value, nil
}

// mistake returns an error at the beginning of what is at, the rest of the text from there.
func (p *filterParser) mistake(at, format string, args ...any) error {
	before := p.text[:len(p.text)-len(at)]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:]) + 1
	return fmt.Errorf("%s:%d:%d: %s", p.source, line, column, fmt.Sprintf(format, args...))
}
