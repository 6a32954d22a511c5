package emit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxColumns is the greatest width of a line of generated code. A tab counts as tabColumns.
const (
	maxColumns = 120
	tabColumns = 4
)

// fields are the fields of a literal that are not zero, in the order of their addition.
type fields []string

func (f *fields) add(name string, set bool, value string) {
	if set {
		*f = append(*f, name+": "+value)
	}
}

func (f *fields) text(name, value string)   { f.add(name, value != "", strconv.Quote(value)) }
func (f *fields) flag(name string, on bool) { f.add(name, on, "true") }
func (f *fields) number(name string, n int) { f.add(name, n != 0, strconv.Itoa(n)) }

// literal returns a literal of the fields on one line, without its type.
func (f fields) literal() string { return "{" + strings.Join(f, ", ") + "}" }

// packed puts items on as few lines of indent tabs as possible.
func packed(items []string, indent int) (lines []line) {
	column := maxColumns
	for _, item := range items {
		width := utf8.RuneCountInString(item) + len(", ")
		if column+width > maxColumns {
			lines = append(lines, line{})
			column = indent * tabColumns
		}
		last := &lines[len(lines)-1]
		last.items = append(last.items, item)
		column += width
	}
	return lines
}

// list returns a slice literal that begins after that many columns of a line of indent tabs. If the line has no room for the literal, each
// element has a line of its own.
func list(typ string, elements []string, indent, columns int) string {
	head := "[]" + typ + "{"
	one := head + strings.Join(elements, ", ") + "}"
	if indent*tabColumns+columns+utf8.RuneCountInString(one)+len(",") <= maxColumns {
		return one
	}
	tabs := strings.Repeat("\t", indent)
	return head + "\n\t" + tabs + strings.Join(elements, ",\n\t"+tabs) + ",\n" + tabs + "}"
}

// quoted returns text as a Go string that begins after that many columns of a line of indent tabs. What does not fit continues after a plus,
// on lines with one more tab.
func quoted(text string, indent, columns int) string {
	var parts []string
	room := maxColumns - indent*tabColumns - columns - len(`"" +`)
	for utf8.RuneCountInString(strconv.Quote(text)) > room {
		cut := lastSpace(text, room)
		if cut <= 0 {
			break
		}
		parts = append(parts, strconv.Quote(text[:cut]))
		text, room = text[cut:], maxColumns-indent*tabColumns-len(`"" +`)
	}
	return strings.Join(append(parts, strconv.Quote(text)), " +\n"+strings.Repeat("\t", indent+1))
}

// lastSpace returns the index after the last space up to which the quoted text has room columns; 0 if there is none.
func lastSpace(text string, room int) int {
	cut := 0
	for i, r := range text {
		if r == ' ' && utf8.RuneCountInString(strconv.Quote(text[:i+1])) <= room {
			cut = i + 1
		}
		if i > room {
			break
		}
	}
	return cut
}

// timeUnits are the units of durations, longest first.
var timeUnits = []struct {
	name string
	unit time.Duration
}{
	{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond},
	{"Microsecond", time.Microsecond}, {"Nanosecond", time.Nanosecond},
}

// span adds a duration.
func (f *file) span(fs *fields, name string, d time.Duration) {
	if d != 0 {
		fs.add(name, true, f.duration(d))
	}
}

// duration returns d in the longest unit that divides it: 10 * time.Minute.
func (f *file) duration(d time.Duration) string {
	for _, u := range timeUnits {
		if d%u.unit != 0 {
			continue
		}
		if d == u.unit {
			return f.name("time", u.name)
		}
		return fmt.Sprintf("%d * %s", d/u.unit, f.name("time", u.name))
	}
	return strconv.FormatInt(int64(d), 10)
}

// binary returns a bit set as a Go literal that shows the bits.
func binary(bits uint8) string { return fmt.Sprintf("0b%b", bits) }
