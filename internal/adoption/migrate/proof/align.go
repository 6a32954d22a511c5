package proof

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// listVerb marks a list between the brackets in which fmt shows it.
const listVerb = "[]"

// text fills the params from the message of every definition.
func (p *prover) text() bool {
	for i, d := range p.definitions {
		a, ok := p.align(d)
		switch {
		case !ok:
			return false
		case i == 0:
			p.verdict.Args, p.verdict.Related = a.args, a.related
			if a.related.How == None {
				p.verdict.Related = p.relatedArgument()
			}
		case !slices.EqualFunc(p.verdict.Args, a.args, sameArgument):
			return p.fail(TextDiffers, "The variants of the entry would take their arguments from different places of the raw call.")
		}
		for _, c := range a.causes {
			p.cause(c.ID, c.Param, c.Text)
		}
	}
	return true
}

// aligned is a way for a message to show the text of the raw call.
type aligned struct {
	args    []Argument
	related Argument
	causes  []Cause
}

// align matches the raw call's text with the message of a definition. The whole text as one
// argument is the simplest way.
func (p *prover) align(d *model.Definition) (aligned, bool) {
	if a, ok := p.alignWhole(d); ok {
		return a, true
	}
	var nearest *aligner
	for _, parts := range [][]Part{p.site.Text, expanded(p.site.Text)} {
		m := newAligner(p, d, parts)
		if m.match(0, 0, 0) {
			return m.aligned, true
		}
		if nearest == nil || m.furthest > nearest.furthest {
			nearest = m
		}
	}
	nearest.explain()
	return aligned{}, false
}

// alignWhole matches messages that consist of one placeholder of a string.
func (p *prover) alignWhole(d *model.Definition) (aligned, bool) {
	segments := d.Runtime.Message
	if p.site.Whole.Expr == nil || p.isConstantFormat() || len(segments) != 1 || segments[0].Text != "" || segments[0].Value != eventrt.ParamValue {
		return aligned{}, false
	}
	i := segments[0].Param
	m := newAligner(p, d, nil)
	q := p.event.Params[i]
	if q.Convert != "String" || q.Definition.Prefix != "" || q == p.event.Select || !m.take(i, p.site.Whole) {
		return aligned{}, false
	}
	for _, part := range p.site.Text {
		if p.site.Whole.Formats {
			m.percent(part.Literal, q.Name)
		}
	}
	return m.aligned, true
}

// isConstantFormat reports whether the whole text is a constant used as a format, so that its verbs
// are known.
func (p *prover) isConstantFormat() bool {
	return p.site.Whole.Formats && p.site.Info != nil && p.site.Info.Types[p.site.Whole.Expr].Value != nil
}

// expanded shows lists of strings as fmt does: in brackets, with spaces between them.
func expanded(parts []Part) []Part {
	var out []Part
	for _, part := range parts {
		if part.Expr == nil || !isPlain(part.Verb) || part.Method != "" || len(part.Args) > 0 || !isStrings(part.Type) {
			out = appendPart(out, part)
			continue
		}
		list := part
		list.Verb = listVerb
		out = appendPart(appendPart(appendPart(out, Part{Literal: "["}), list), Part{Literal: "]"})
	}
	return out
}

func appendPart(parts []Part, part Part) []Part {
	if last := len(parts) - 1; part.Expr == nil && last >= 0 && parts[last].Expr == nil {
		parts[last].Literal += part.Literal
		return parts
	}
	return append(parts, part)
}

// element is literal text of a message, or a placeholder.
type element struct {
	text  string
	value eventrt.Value
	param int
}

// aligner searches a way to make a message of the parts of a raw call.
type aligner struct {
	*prover
	aligned
	definition *model.Definition
	elements   []element
	parts      []Part
	// formats: the text is used as a format, so that a % in literal text is taken for a verb.
	formats bool
	failed  map[[3]int]bool
	// furthest is the furthest point of the search; stuck is the element and the part there.
	furthest  int
	stuckAt   element
	stuckPart Part
}

func newAligner(p *prover, d *model.Definition, parts []Part) *aligner {
	m := &aligner{prover: p, definition: d, elements: elements(p, d), failed: map[[3]int]bool{}, furthest: -1}
	m.args = make([]Argument, len(p.event.Params))
	for _, part := range parts {
		m.formats = m.formats || part.Formats
		m.parts = appendPart(m.parts, part)
	}
	if p.event.Select != nil {
		i := slices.Index(p.event.Params, p.event.Select)
		m.args[i] = p.chosen
	}
	return m
}

// elements returns the elements of a message. The kind of an object of a known type is literal
// text.
func elements(p *prover, d *model.Definition) []element {
	var out []element
	prefix := d.Runtime.RelatedPrefix
	add := func(text string) {
		if last := len(out) - 1; last >= 0 && out[last].value == eventrt.NoValue {
			out[last].text += text
		} else if text != "" {
			out = append(out, element{text: text})
		}
	}
	for _, s := range d.Runtime.Message {
		add(s.Text)
		switch {
		case s.Value == eventrt.NoValue:
		case s.Value == eventrt.RegardingKind && p.verdict.Method.Regarding != nil && !p.verdict.Method.Regarding.Any:
			add(d.Runtime.Regarding.Kind)
		default:
			if s.Value >= eventrt.RelatedName {
				add(prefix)
				prefix = ""
			}
			out = append(out, element{value: s.Value, param: s.Param})
		}
	}
	return out
}

// match reports whether the elements from e on show the parts from part and offset on.
func (m *aligner) match(e, part, offset int) bool {
	if part < len(m.parts) && m.parts[part].Expr == nil && offset == len(m.parts[part].Literal) {
		part, offset = part+1, 0
	}
	if e == len(m.elements) {
		return part == len(m.parts) || m.stuck(e, part, element{})
	}
	key := [3]int{e, part, offset}
	if m.failed[key] {
		return false
	}
	el := m.elements[e]
	args, related, causes := slices.Clone(m.args), m.related, len(m.causes)
	for _, try := range m.ways(el) {
		if try(e, part, offset) {
			return true
		}
		m.args, m.related, m.causes = slices.Clone(args), related, m.causes[:causes]
	}
	m.failed[key] = true
	return m.stuck(e, part, el)
}

// stuck notes how far the search got.
func (m *aligner) stuck(e, part int, el element) bool {
	if e > m.furthest {
		m.furthest, m.stuckAt, m.stuckPart = e, el, Part{}
		if part < len(m.parts) {
			m.stuckPart = m.parts[part]
		}
	}
	return false
}

// ways are the ways to match an element, best first.
func (m *aligner) ways(el element) []func(e, part, offset int) bool {
	switch {
	case el.value == eventrt.NoValue:
		return []func(int, int, int) bool{m.literal}
	case el.value != eventrt.ParamValue:
		return []func(int, int, int) bool{m.object}
	case m.event.Params[el.param] == m.event.Select && m.chosen.How == Constant:
		return []func(int, int, int) bool{m.constant}
	}
	return []func(int, int, int) bool{m.argument, m.absorb, m.omit}
}

// literal matches literal text.
func (m *aligner) literal(e, part, offset int) bool {
	end, ok := m.sameText(m.elements[e].text, part, offset)
	return ok && m.match(e+1, part, end)
}

// sameText compares text with the literal text at a place. It notes a cause for each rune that the
// typed call shows differently.
func (m *aligner) sameText(want string, part, offset int) (end int, ok bool) {
	if part >= len(m.parts) || m.parts[part].Expr != nil {
		return 0, want == ""
	}
	have := m.parts[part].Literal[offset:]
	start := len(have)
	if m.formats {
		m.percent(want, "")
	}
	for want != "" {
		if have == "" {
			return 0, false
		}
		w, wsize := utf8.DecodeRuneInString(want)
		h, hsize := utf8.DecodeRuneInString(have)
		if id := becomes(have[:hsize], h, want[:wsize], w); id != "" {
			m.differs("", id)
		} else if have[:hsize] != want[:wsize] {
			return 0, false
		}
		want, have = want[wsize:], have[hsize:]
	}
	return offset + start - len(have), true
}

// percent notes differences of literal text that is used as a format: a doubled % stays doubled in
// the typed call.
func (m *aligner) percent(text, param string) {
	switch {
	case strings.Contains(text, "%%"):
		m.differs(param, Rendering)
	case strings.Contains(text, "%"):
		m.differs(param, Percent)
	}
}

// becomes returns the cause that turns a rune of the raw call into another rune in the entry; empty
// if there is none.
func becomes(have string, h rune, want string, w rune) ID {
	switch {
	case have == want:
		return ""
	case w == ' ' && eventrt.Clean(have, 0) == " ":
		return Control
	case h == utf8.RuneError && w == utf8.RuneError:
		return UTF8
	}
	return ""
}

// differs notes causes of the current way.
func (m *aligner) differs(param string, ids ...ID) {
	for _, id := range ids {
		m.causes = append(m.causes, Cause{ID: id, Param: param, Text: textOf(id, param)})
	}
}

// take makes a part the argument of a param.
func (m *aligner) take(i int, part Part) bool {
	q := m.event.Params[i]
	f, ok := m.fill(q, part)
	if !ok || !m.set(i, f.arg) {
		return false
	}
	m.differs(q.Name, f.causes...)
	return true
}

// set gives a param its argument; a param that stands twice has to get the same one twice.
func (m *aligner) set(i int, a Argument) bool {
	if m.args[i].How != None {
		return sameArgument(m.args[i], a)
	}
	m.args[i] = a
	return true
}

// behindPrefix matches the prefix of an optional param.
func (m *aligner) behindPrefix(e, part, offset int) (int, int, bool) {
	prefix := m.event.Params[m.elements[e].param].Definition.Prefix
	end, ok := m.sameText(prefix, part, offset)
	if prefix != "" && ok && end == len(m.parts[part].Literal) {
		return part + 1, 0, true
	}
	if prefix == "" {
		return part, offset, true
	}
	return part, end, ok
}

// argument matches a placeholder with one argument.
func (m *aligner) argument(e, part, offset int) bool {
	part, offset, ok := m.behindPrefix(e, part, offset)
	if !ok || part >= len(m.parts) || offset > 0 || m.parts[part].Expr == nil {
		return false
	}
	return m.take(m.elements[e].param, m.parts[part]) && m.match(e+1, part+1, 0)
}

// constant matches a select param of known value with literal text.
func (m *aligner) constant(e, part, offset int) bool {
	end, ok := m.sameText(m.chosen.Text, part, offset)
	return ok && m.match(e+1, part, end)
}

// omit leaves an optional param out.
func (m *aligner) omit(e, part, offset int) bool {
	a, ok := noneOf(m.event.Params[m.elements[e].param])
	return ok && m.set(m.elements[e].param, a) && m.match(e+1, part, offset)
}

// absorb matches a placeholder of a string with literal text, or with several parts, which the
// caller formats.
func (m *aligner) absorb(e, part, offset int) bool {
	i := m.elements[e].param
	q := m.event.Params[i]
	if q.Convert != "String" && q.Enum == nil || q.Definition.Quote || q == m.event.Select {
		return false
	}
	part, offset, ok := m.behindPrefix(e, part, offset)
	if !ok {
		return false
	}
	args, related, causes := slices.Clone(m.args), m.related, len(m.causes)
	for end := part; end < len(m.parts); end++ {
		for _, stop := range m.stops(e, end) {
			if end == part && stop <= offset {
				continue // nothing, or one argument alone, which another way has tried
			}
			next, at := end, stop
			if m.parts[end].Expr != nil {
				next, at = end+1, 0
			}
			if m.takeRun(i, run{first: part, offset: offset, last: end, end: stop}) && m.match(e+1, next, at) {
				return true
			}
			m.args, m.related, m.causes = slices.Clone(args), related, m.causes[:causes]
		}
	}
	return false
}

// stops returns the places in a part where the successor of element e can begin: behind an
// argument, as 0, or in literal text.
func (m *aligner) stops(e, part int) []int {
	p := m.parts[part]
	if p.Expr != nil {
		return []int{0}
	}
	if e+1 < len(m.elements) && m.elements[e+1].value == eventrt.NoValue {
		var out []int
		for i := range p.Literal {
			if strings.HasPrefix(p.Literal[i:], m.elements[e+1].text[:1]) {
				out = append(out, i)
			}
		}
		return out
	}
	return []int{len(p.Literal)}
}

// run is a stretch of parts, from an offset in the first to an offset in the last, if those are
// literal text.
type run struct{ first, offset, last, end int }

// takeRun makes a run the argument of a param: a constant, or a call of fmt.Sprintf.
func (m *aligner) takeRun(i int, r run) bool {
	q := m.event.Params[i]
	var format, text strings.Builder
	var args []ast.Expr
	numbers := true
	for n := r.first; n <= r.last; n++ {
		p := m.parts[n]
		if p.Expr == nil {
			literal := r.literal(m.parts, n)
			text.WriteString(literal)
			format.WriteString(strings.ReplaceAll(literal, "%", "%%"))
			continue
		}
		if !m.takeFormatted(q, p) {
			return false
		}
		format.WriteString(p.Verb)
		args = append(args, p.Expr)
		numbers = numbers && p.isNumber()
	}
	if q.Enum != nil {
		a, ok := enumConstant(q, text.String())
		return ok && len(args) == 0 && m.set(i, a)
	}
	m.runCauses(i, text.String(), len(args) == 0, numbers)
	if len(args) == 0 {
		return m.set(i, Argument{How: Constant, Text: text.String()})
	}
	return m.set(i, Argument{How: Sprintf, Format: format.String(), Args: args, Type: q.GoType, Converted: !isPlainString(q.GoType)})
}

// literal is the text of a part that belongs to the run.
func (r run) literal(parts []Part, n int) string {
	text := parts[n].Literal
	if n == r.last {
		text = text[:r.end]
	}
	if n == r.first {
		text = text[r.offset:]
	}
	return text
}

// takeFormatted notes what differs if the caller formats a part. A call of Error or String becomes
// fmt's.
func (m *aligner) takeFormatted(q *model.Param, p Part) bool {
	switch {
	case p.Moved, len(p.Args) > 0, !vetted(p):
		return false
	case p.Method == "":
		return true
	case !isPlain(p.Verb) || !has(p.Type, p.Method) || p.Method == "String" && has(p.Type, "Error"):
		return false
	}
	m.differs(q.Name, OwnFormat, Panic)
	return true
}

// runCauses notes what differs if literal text and parts become one argument. numbers: all of the
// parts are numbers.
func (m *aligner) runCauses(i int, text string, constant, numbers bool) {
	q := m.event.Params[i]
	if m.formats {
		m.percent(text, q.Name)
		if !numbers {
			m.differs(q.Name, Percent)
		}
	}
	if q.Definition.Sensitive {
		m.differs(q.Name, Redacted)
	}
	if q.Definition.Optional && q.Definition.Prefix != "" && !constant {
		m.differs(q.Name, Zero)
	}
	if constant {
		m.constantCauses(i, text)
		return
	}
	m.differs(q.Name, textCauses...)
}

// constantCauses notes how the run time changes a constant.
func (m *aligner) constantCauses(i int, text string) {
	q := m.event.Params[i]
	switch clean := eventrt.Clean(text, 0); {
	case !utf8.ValidString(text):
		m.differs(q.Name, UTF8, Control)
	case clean != text:
		m.differs(q.Name, Control)
	}
	if bound := m.definition.Runtime.Params[i].MaxBytes; bound > 0 && len(eventrt.Clean(text, 0)) > bound {
		m.differs(q.Name, Cut)
	}
}

// explain notes why nothing matches.
func (m *aligner) explain() {
	if m.stuckPart.Expr != nil && m.stuckPart.Moved {
		m.prover.cause(MovedArgument, "", "An argument of the text stands elsewhere, or may be written between its format and the call.")
		return
	}
	if len(m.stuckPart.Args) > 0 {
		m.prover.cause(TextDiffers, "", m.unknownText())
		return
	}
	if text := m.wholeText(); text != "" {
		m.prover.cause(TextDiffers, "", text)
		return
	}
	if m.stuckAt.value == eventrt.ParamValue {
		q := m.event.Params[m.stuckAt.param]
		text := fmt.Sprintf("The raw call has nothing that %s, a %s, shows in the same way.", q.Name, q.Type)
		if m.stuckPart.Expr != nil {
			text = fmt.Sprintf("%s, a %s, does not show what %s shows of a %s.", q.Name, q.Type, m.stuckPart.Verb, typeString(m.stuckPart.Type))
		}
		m.prover.cause(TextDiffers, q.Name, text)
		return
	}
	m.prover.cause(TextDiffers, "", fmt.Sprintf("The text of the raw call is %q, the entry's %q.", shownText(m.parts), m.verdictMessage()))
}

// wholeText describes the text of a raw call that passes it as one argument, as far as it is known.
// It returns "" for other texts, and for a placeholder if nothing is known.
func (m *aligner) wholeText() string {
	if len(m.parts) != 1 || m.parts[0].Expr == nil || m.parts[0].Expr != m.site.Whole.Expr {
		return ""
	}
	known := ", which is known only at run time"
	if hasWords(m.site.Known) {
		known = fmt.Sprintf(", which is %q", m.site.Known)
	} else if m.stuckAt.value != eventrt.NoValue {
		return ""
	}
	argument := types.ExprString(m.parts[0].Expr)
	if m.parts[0].Method != "" {
		argument += "." + m.parts[0].Method + "()"
	}
	if m.parts[0].Formats {
		known += ", used as a format"
	}
	return fmt.Sprintf("The raw call passes its text as a whole: %s%s. The entry's text is %q. "+
		"Pass a constant text and its arguments in the call, or give the entry one placeholder for the whole text.", argument, known, m.verdictMessage())
}

// hasWords reports whether a format has more than verbs.
func hasWords(format string) bool {
	return strings.Trim(directive.ReplaceAllString(format, ""), "{|} ") != ""
}

func (m *aligner) verdictMessage() string {
	for _, d := range m.definitions {
		if d.Message != "" {
			return d.Message
		}
	}
	return ""
}

// shownText returns a text in the form of a format.
func shownText(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Expr == nil {
			b.WriteString(strings.ReplaceAll(p.Literal, "%", "%%"))
		} else {
			b.WriteString(p.Verb)
		}
	}
	return b.String()
}
