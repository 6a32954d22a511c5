package emit

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxColumns is how wide a line of generated code may be, a tab being tabColumns of it.
const (
	maxColumns = 120
	tabColumns = 4
)

// fields are the fields of a literal that are not zero, in the order they are added.
type fields []string

func (f *fields) add(name string, set bool, value string) {
	if set {
		*f = append(*f, name+": "+value)
	}
}

func (f *fields) text(name, value string)   { f.add(name, value != "", strconv.Quote(value)) }
func (f *fields) flag(name string, on bool) { f.add(name, on, "true") }
func (f *fields) number(name string, n int) { f.add(name, n != 0, strconv.Itoa(n)) }

// literal is a literal of the fields on one line, without its type.
func (f fields) literal() string { return "{" + strings.Join(f, ", ") + "}" }

// packed puts items on as few lines as there is room for behind indent tabs.
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

// list is a slice literal that stands behind as many columns on a line that begins with indent tabs: on that line if it
// has room there, else with each element on a line of its own.
func list(typ string, elements []string, indent, columns int) string {
	head := "[]" + typ + "{"
	one := head + strings.Join(elements, ", ") + "}"
	if indent*tabColumns+columns+utf8.RuneCountInString(one)+len(",") <= maxColumns {
		return one
	}
	tabs := strings.Repeat("\t", indent)
	return head + "\n\t" + tabs + strings.Join(elements, ",\n\t"+tabs) + ",\n" + tabs + "}"
}

// quoted is text as a Go string that begins behind so many columns on a line of indent tabs. What is too long for its line goes on behind
// a plus, on lines of a tab more.
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

// lastSpace is the index behind the last space of text whose quoted form has room columns, 0 if there is none.
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

// timeUnits are what durations are written in, longest first.
var timeUnits = []struct {
	name string
	unit time.Duration
}{
	{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond},
	{"Microsecond", time.Microsecond}, {"Nanosecond", time.Nanosecond},
}

// duration is d in the longest unit that divides it: 10 * time.Minute.
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

// binary is a bit set as a Go literal, so that the bits can be read.
func binary(bits uint8) string { return fmt.Sprintf("0b%b", bits) }
