package eventfilter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// condition holds if a field of the event has a text, or begins with it.
type condition struct {
	field  field
	prefix bool
	text   string
}

// field is what a condition looks at.
type field uint8

const (
	byType field = iota
	byReason
	byAction
	byKind // this and the following are of the object, those before of the definition
	byNamespace
	byName
	fieldCount
)

var fieldNames = [fieldCount]string{"type", "reason", "action", "kind", "namespace", "name"}

// parse reads rules from a source, which the error names.
func parse(source, text string) (all []*rule, err error) {
	p := parser{source: source, text: text, rest: text}
	for {
		r := &rule{}
		ok, err := p.rule(r)
		if err != nil || !ok {
			return all, err
		}
		all = append(all, r)
	}
}

// describe sets the text of a rule.
func (r *rule) describe() {
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
		words = append(words, fieldNames[c.field]+"="+value)
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

// parser reads rules from a text.
type parser struct {
	source, text, rest string
}

// rule reads the next rule; ok is false at the end of the text.
func (p *parser) rule(r *rule) (ok bool, err error) {
	for p.blanks(); p.ended() && p.rest != ""; p.blanks() { // rules that are empty
		p.rest = p.rest[1:]
	}
	if p.rest == "" {
		return false, nil
	}
	if err := p.verb(r); err != nil {
		return false, err
	}
	for p.blanks(); !p.ended(); p.blanks() {
		if err := p.condition(r); err != nil {
			return false, err
		}
	}
	r.describe()
	return true, nil
}

// blanks skips blanks, and a comment.
func (p *parser) blanks() {
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
func (p *parser) ended() bool {
	return p.rest == "" || p.rest[0] == ';' || p.rest[0] == '\n'
}

// verb reads the first word of a rule.
func (p *parser) verb(r *rule) error {
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
		r.every, r.last = d, map[passKey]time.Time{}
	default:
		return p.mistake(at, "expected a rule that begins with drop, keep or every=DURATION, found %q; a rule such as %q ends at a semicolon or the end of the line", word, "drop reason=Pulled")
	}
	return nil
}

// condition reads a field and its value.
func (p *parser) condition(r *rule) error {
	at := p.rest
	name := p.rest[:firstOf(p.rest, "= \t\r\n;")]
	f := field(slices.Index(fieldNames[:], name))
	switch {
	case !strings.HasPrefix(p.rest[len(name):], "="):
		return p.mistake(at, "expected a condition such as reason=Pulled, found %q; a semicolon ends a rule", name)
	case f >= fieldCount:
		return p.mistake(at, "expected one of the fields %s, found %q", strings.Join(fieldNames[:], ", "), name)
	case slices.ContainsFunc(r.conditions, func(c condition) bool { return c.field == f }):
		return p.mistake(at, "expected one condition for %s in a rule, found a second; write a rule for each value", name)
	}
	p.rest = p.rest[len(name)+1:]
	at = p.rest
	value, err := p.value()
	if err != nil {
		return err
	}
	c := condition{field: f}
	c.text, c.prefix = strings.CutSuffix(value, "*")
	switch {
	case strings.Contains(c.text, "*"):
		return p.mistake(at, "expected at most one *, at the end of the value, found %q", value)
	case f == byType && value != "Normal" && value != "Warning":
		return p.mistake(at, "expected the type Normal or Warning, found %q", value)
	}
	r.conditions = append(r.conditions, c)
	return nil
}

// value reads a value, quoted or not.
func (p *parser) value() (string, error) {
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
func (p *parser) mistake(at, format string, args ...any) error {
	before := p.text[:len(p.text)-len(at)]
	line := strings.Count(before, "\n") + 1
	column := utf8.RuneCountInString(before[strings.LastIndex(before, "\n")+1:]) + 1
	return fmt.Errorf("%s:%d:%d: %s", p.source, line, column, fmt.Sprintf(format, args...))
}
