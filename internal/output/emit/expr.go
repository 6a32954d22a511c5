package emit

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// maxColumns is the greatest width of a line of generated code. A tab counts as tabColumns.
const (
	maxColumns = 120
	tabColumns = 4
)

// expr is a piece of Go, and its width on one line. Long lists are broken into lines by these
// widths.
type expr struct {
	code  jen.Code
	width int
}

// id returns a piece of Go that needs no import.
func id(text string) expr { return expr{jen.Id(text), utf8.RuneCountInString(text)} }

func str(text string) expr {
	return expr{jen.Lit(text), utf8.RuneCountInString(strconv.Quote(text))}
}

func num(n int) expr { return id(strconv.Itoa(n)) }

// name returns a reference to a name of another package.
func (f *file) name(path, name string) expr {
	for _, i := range f.p.Imports {
		if i.Path == path {
			return expr{jen.Qual(path, name), len(i.Alias) + len(".") + len(name)}
		}
	}
	return id(name) // of the package itself
}

// rt returns a reference to a name of the run time.
func (f *file) rt(name string) expr { return f.name(model.RuntimePath, name) }

// join puts pieces together without space.
func join(pieces ...expr) expr {
	s, width := &jen.Statement{}, 0
	for _, p := range pieces {
		s.Add(p.code)
		width += p.width
	}
	return expr{s, width}
}

// codes returns pieces as code of jennifer.
func codes(pieces []expr) []jen.Code {
	out := make([]jen.Code, len(pieces))
	for i, p := range pieces {
		out[i] = p.code
	}
	return out
}

// commas joins pieces by commas.
func commas(pieces []expr) expr {
	width := 0
	for i, p := range pieces {
		if i > 0 {
			width += len(", ")
		}
		width += p.width
	}
	return expr{jen.List(codes(pieces)...), width}
}

func call(function expr, args ...expr) expr {
	return join(function, id("("), commas(args), id(")"))
}

func braces(items ...expr) expr { return join(id("{"), commas(items), id("}")) }

// field is a field of a struct literal.
func field(name string, value expr) expr { return join(id(name+": "), value) }

// fields are the fields of a literal that are not zero, in the order of their addition.
type fields []expr

func (fs *fields) add(name string, set bool, value func() expr) {
	if set {
		*fs = append(*fs, field(name, value()))
	}
}

func (fs *fields) text(name, value string) {
	fs.add(name, value != "", func() expr { return str(value) })
}
func (fs *fields) id(name, value string) {
	fs.add(name, value != "", func() expr { return id(value) })
}
func (fs *fields) number(name string, n int) {
	fs.add(name, n != 0, func() expr { return num(n) })
}

func (fs *fields) flag(name string, on bool) {
	fs.add(name, on, func() expr { return id("true") })
}

// span adds a field with a duration.
func (fs *fields) span(f *file, name string, d time.Duration) {
	fs.add(name, d != 0, func() expr { return f.duration(d) })
}

// timeUnits are the units of durations, longest first.
var timeUnits = []struct {
	name string
	unit time.Duration
}{
	{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond},
	{"Microsecond", time.Microsecond}, {"Nanosecond", time.Nanosecond},
}

// duration returns d as a multiple of the longest unit that divides it: 10 * time.Minute.
func (f *file) duration(d time.Duration) expr {
	for _, u := range timeUnits {
		if d%u.unit == 0 && d == u.unit {
			return f.name("time", u.name)
		}
		if d%u.unit == 0 {
			return join(id(fmt.Sprintf("%d * ", d/u.unit)), f.name("time", u.name))
		}
	}
	return id(strconv.FormatInt(int64(d), 10))
}

// lines returns a literal with each element on lines of its own, below the element's comments.
func lines(elements ...jen.Code) expr {
	return expr{jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, elements...), maxColumns}
}

// packed returns items on as few lines as possible, each line indented by indent tabs.
func packed(items []expr, indent int) (out []jen.Code) {
	var line []jen.Code
	column := indent * tabColumns
	for _, item := range items {
		width := item.width + len(", ")
		if len(line) > 0 && column+width > maxColumns {
			out = append(out, jen.List(line...))
			line, column = nil, indent*tabColumns
		}
		line = append(line, item.code)
		column += width
	}
	if len(line) > 0 {
		out = append(out, jen.List(line...))
	}
	return out
}

// list returns a slice literal. It begins at column columns of a line indented by indent tabs. If
// it does not fit on that line, each element has a line of its own.
func list(typ expr, elements []expr, indent, columns int) expr {
	head := join(id("[]"), typ)
	if one := join(head, braces(elements...)); indent*tabColumns+columns+one.width+len(",") <= maxColumns {
		return one
	}
	return join(head, lines(codes(elements)...))
}

// wrapped joins a list that begins at column columns. Items that do not fit continue on lines
// indented by indent tabs.
func wrapped(items []expr, columns, indent int) jen.Code {
	if one := commas(items); columns+one.width <= maxColumns {
		return one.code
	}
	var out []jen.Code
	for i, item := range items {
		width := item.width + len(", ")
		if i > 0 && columns+width > maxColumns {
			out = append(out, jen.Line().Add(item.code))
			columns = indent * tabColumns
		} else {
			out = append(out, item.code)
		}
		columns += width
	}
	return jen.List(out...)
}

// quoted returns text as a Go string. It begins at column columns of a line indented by indent
// tabs. Text that does not fit continues after a plus sign, on lines with one more tab.
func quoted(text string, indent, columns int) expr {
	s := &jen.Statement{}
	room := maxColumns - indent*tabColumns - columns - len(`"" +`)
	for utf8.RuneCountInString(strconv.Quote(text)) > room {
		cut := lastSpace(text, room)
		if cut <= 0 {
			break
		}
		s.Lit(text[:cut]).Op("+").Line()
		text, room = text[cut:], maxColumns-indent*tabColumns-len(`"" +`)
	}
	if last := str(text); len(*s) == 0 {
		return last
	}
	return expr{s.Lit(text), maxColumns}
}

// lastSpace returns the index after the last space within the first room columns of the quoted
// text; 0 if there is none.
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
