package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// problem is a mistake in a message, and the index of its rune.
type problem struct {
	at   int
	text string
}

// piece is a segment with the rune of the message at which it begins.
type piece struct {
	Segment
	at int
}

// placeholderName is a param, or a field of an object.
var placeholderName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z]+)?$`)

// parseMessage cuts a message into literal text and placeholders. If there are problems, it returns
// the pieces that it could read.
func parseMessage(text string) ([]piece, []problem) {
	p := &messageParser{text: []rune(text)}
	for p.next < len(p.text) {
		p.step()
	}
	p.endLiteral()
	return p.pieces, p.problems
}

type messageParser struct {
	text     []rune
	next     int
	literal  strings.Builder
	start    int // of the literal
	pieces   []piece
	problems []problem
}

func (p *messageParser) step() {
	r := p.text[p.next]
	doubled := p.next+1 < len(p.text) && p.text[p.next+1] == r
	switch {
	case r != '{' && r != '}':
		p.addLiteral(r, 1)
	case doubled:
		p.addLiteral(r, 2)
	case r == '{':
		p.placeholder()
	default:
		p.complain("this brace closes nothing; write }} for a brace")
		p.next++
	}
}

func (p *messageParser) addLiteral(r rune, width int) {
	if p.literal.Len() == 0 {
		p.start = p.next
	}
	p.literal.WriteRune(r)
	p.next += width
}

func (p *messageParser) endLiteral() {
	if p.literal.Len() > 0 {
		p.pieces = append(p.pieces, piece{Segment{Text: p.literal.String()}, p.start})
		p.literal.Reset()
	}
}

// placeholder reads from a brace to the next one.
func (p *messageParser) placeholder() {
	begin := p.next + 1
	length := slices.IndexFunc(p.text[begin:], func(r rune) bool { return r == '{' || r == '}' })
	if length < 0 || p.text[begin+length] == '{' {
		p.complain("this brace is never closed; write {param}, or {{ for a brace")
		p.next = begin
		return
	}
	name := string(p.text[begin : begin+length])
	if placeholderName.MatchString(name) {
		p.endLiteral()
		p.pieces = append(p.pieces, piece{Segment{Placeholder: name}, p.next})
	} else {
		p.complain(badPlaceholder(name))
	}
	p.next = begin + length + 1
}

func badPlaceholder(name string) string {
	bare, _, cut := strings.Cut(strings.TrimSpace(name), ":")
	switch bare = strings.TrimSpace(bare); {
	case strings.TrimSpace(name) == "":
		return "an empty placeholder; write the name of a param, or {{}} for a pair of braces"
	case placeholderName.MatchString(bare) && cut:
		return fmt.Sprintf("placeholders have no formats: write {%s}, and set its form on the param", bare)
	case placeholderName.MatchString(bare):
		return fmt.Sprintf("spaces in a placeholder; write {%s}", bare)
	}
	return fmt.Sprintf("{%s} is not a placeholder; write {param} or {regarding.name}, or {{ and }} for braces", name)
}

func (p *messageParser) complain(text string) {
	p.problems = append(p.problems, problem{p.next, text})
}
