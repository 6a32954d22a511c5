package breaking

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// piece is literal text, or a placeholder of an object or a param. param is the param's new index.
type piece struct {
	text  string
	value eventrt.Value
	param int
}

// pieces returns the pieces of a template. to has the new index of each param; nil leaves the indexes as they are.
func pieces(segments []eventrt.Segment, to []int) []piece {
	var out []piece
	for _, s := range segments {
		if s.Text != "" {
			out = append(out, piece{text: s.Text})
		}
		if s.Value == eventrt.NoValue {
			continue
		}
		p := piece{value: s.Value}
		if s.Value == eventrt.ParamValue {
			if p.param = s.Param; to != nil {
				p.param = to[s.Param]
			}
		}
		out = append(out, p)
	}
	return out
}

// texts compares the messages.
func (l link) texts() []broken {
	var breaks []broken
	shown := shownParams{}
	for _, p := range l.pairs() {
		was, is := pieces(p.was.Runtime.Message, l.to), pieces(p.is.Runtime.Message, nil)
		if !slices.Equal(was, is) {
			b := l.breaks("BW06", l.messagePos(p.is), fmt.Sprintf("the message was %q and is %q", p.was.Message, p.is.Message))
			breaks = append(breaks, p.found(b.by("message", p.was.Message, p.is.Message)))
		}
		changed := l.shown(was, is, p, shown)
		if !slices.Equal(was, is) {
			continue
		}
		breaks = append(breaks, l.prefixes("BW06", p, is)...)
		if !changed {
			breaks = append(breaks, l.rest("BW06", p, is)...)
		}
	}
	return append(breaks, l.displays("BW06", shown)...)
}

// shownParams are the params that the texts of both sides show: with any value, or only with the values that select a variant.
type shownParams map[int]*shownAs

type shownAs struct {
	any  bool
	only []string
}

// shows reports whether a changed option is visible in the texts.
func (s *shownAs) shows(o option) bool {
	if s == nil || s.any {
		return s != nil
	}
	switch o.name {
	case "optional":
		return false
	case "values":
		return slices.Contains(s.only, o.was)
	case "maxBytes":
		return slices.ContainsFunc(s.only, func(value string) bool { return len(value) > o.bound })
	}
	return true
}

// shown notes the params that both texts show, and reports whether one of them looks different now.
func (l link) shown(was, is []piece, by specPair, into shownParams) bool {
	changed := false
	for i, j := range l.to {
		p := piece{value: eventrt.ParamValue, param: j}
		if j < 0 || !slices.Contains(was, p) || !slices.Contains(is, p) {
			continue
		}
		changed = changed || len(l.options(i)) > 0
		if into[i] == nil {
			into[i] = &shownAs{}
		}
		if v := variantOf(by.was); v != "" && l.was.Params[i] == l.was.Select && l.is.Params[j] == l.is.Select && variantOf(by.is) != "" {
			into[i].only = append(into[i].only, v)
		} else {
			into[i].any = true
		}
	}
	return changed
}

// displays reports params that look different in texts.
func (l link) displays(rule string, shown shownParams) []broken {
	var breaks []broken
	for i := range l.to {
		if shown[i] == nil {
			continue
		}
		for _, o := range l.options(i) {
			if shown[i].shows(o) {
				breaks = append(breaks, l.option(rule, i, o))
			}
		}
	}
	return breaks
}

func (l link) option(rule string, i int, o option) broken {
	p := l.is.Params[l.to[i]]
	b := l.breaks(rule, cmp.Or(o.pos, p.Declaration().Type.Pos, p.Pos), fmt.Sprintf("param %s: %s", p.Name, o.what()))
	b = b.by("param "+p.Name+" "+o.name, o.was, o.is)
	if rule == "BW06" || rule == "BW04" {
		return l.foundAll(b)
	}
	return b
}

// prefixes reports a changed prefix of the related object, if the text shows one.
func (l link) prefixes(rule string, p specPair, text []piece) []broken {
	was, is := p.was.Runtime.RelatedPrefix, p.is.Runtime.RelatedPrefix
	if was == is || !slices.ContainsFunc(text, func(p piece) bool { return p.value >= eventrt.RelatedName }) {
		return nil
	}
	b := l.breaks(rule, cmp.Or(l.is.Source.Related.Prefix.Pos, l.is.Source.Related.Pos), fmt.Sprintf("the prefix of the related object was %q and is %q", was, is))
	return []broken{p.found(b.by("related prefix", was, is))}
}

// rest reports a param that gets the remaining bytes of the message, if these are fewer now and the text shows the param.
func (l link) rest(rule string, p specPair, text []piece) []broken {
	for i, j := range l.to {
		if j < 0 || !l.unbounded(i, j) || !slices.Contains(text, piece{value: eventrt.ParamValue, param: j}) {
			continue
		}
		if was, is := bound(p.was.Runtime.Params[i]), bound(p.is.Runtime.Params[j]); is < was {
			b := l.breaks(rule, l.messagePos(p.is), fmt.Sprintf("param %s is cut at %d bytes and was at %d, since the rest of the message takes more",
				l.is.Params[j].Name, is, was))
			return []broken{p.found(b.by("rest", fmt.Sprint(was), fmt.Sprint(is)))}
		}
	}
	return nil
}

// unbounded reports whether a param has no bound of its own now, and had none or was text with one.
func (l link) unbounded(i, j int) bool {
	was, is := l.was.Params[i], l.is.Params[j]
	return is.MaxBytes <= 0 && (was.MaxBytes == 0 ||
		!was.Definition.Sensitive && was.Text() && typeName(was.GoType, l.old) == typeName(is.GoType, l.now))
}

// bound returns the length at which the text of a param is cut, in bytes.
func bound(p eventrt.Param) int {
	const most = eventrt.MaxNoteBytes - len(eventrt.AggregatePrefix)
	if p.MaxBytes <= 0 {
		return most
	}
	return min(p.MaxBytes, most)
}

// container compares the params that name the container. A new one is no break.
func (l link) container() []broken {
	i := slices.Index(l.was.Params, l.was.Regarding.Container)
	if l.was.Regarding.Container == nil || i < 0 {
		return nil
	}
	j := slices.Index(l.is.Params, l.is.Regarding.Container)
	if l.is.Regarding.Container == nil || l.to[i] != j {
		now := "nothing"
		if l.is.Regarding.Container != nil {
			now = l.is.Regarding.Container.Name
		}
		b := l.breaks("BW03", l.aboutPos(), fmt.Sprintf("param %s named the container in the fieldPath, and %s does now", l.was.Regarding.Container.Name, now))
		return []broken{l.foundAll(b.by("container", l.was.Regarding.Container.Name, now))}
	}
	var breaks []broken
	for _, o := range l.options(i) {
		if o.cuts || o.name == "values" {
			breaks = append(breaks, l.option("BW03", i, o))
		}
	}
	return breaks
}

// option is a changed option that makes a param look different.
type option struct {
	name    string
	pos     diag.Pos
	was, is string
	cuts    bool // values are cut earlier than before, at bound bytes
	bound   int
	text    string
}

func (o option) what() string {
	return cmp.Or(o.text, fmt.Sprintf("%s was %s and is %s", o.name, quoted(o.was), quoted(o.is)))
}

func quoted(s string) string {
	if s == "" {
		return "none"
	}
	return strconv.Quote(s)
}

// showsNothing lists the run time's functions for types whose zero value has no text.
var showsNothing = []string{"String", "Strings"}

// options returns the changes that make param i look different now. It leaves out changes without effect.
func (l link) options(i int) []option {
	was, is := l.was.Params[i], l.is.Params[l.to[i]]
	if typeName(was.GoType, l.old) != typeName(is.GoType, l.now) && (was.Enum == nil || is.Enum == nil) {
		return nil // callers have to look at it anyway
	}
	d := is.Declaration()
	var out []option
	add := func(name string, s catalog.Scalar, before, now any) {
		if before != now {
			out = append(out, option{name: name, pos: s.Pos, was: fmt.Sprint(before), is: fmt.Sprint(now)})
		}
	}
	before, now := was.Definition, is.Definition
	add("prefix", d.Prefix, before.Prefix, now.Prefix)
	if before.Optional != now.Optional && visible(was, is) {
		add("optional", d.Optional, before.Optional, now.Optional)
	}
	if before.Sensitive || now.Sensitive {
		add("sensitive", d.Sensitive, before.Sensitive, now.Sensitive)
		return out
	}
	add("quote", d.Quote, before.Quote, now.Quote)
	add("precision", d.Precision, precision(before), precision(now))
	if was.Convert == "Duration" && is.Convert == "Duration" {
		add("round", d.Round, max(before.Round, 1), max(now.Round, 1))
		add("unit", d.Unit, before.Unit, now.Unit)
	}
	add("layout", d.Layout, cmp.Or(before.Layout, time.RFC3339), cmp.Or(now.Layout, time.RFC3339))
	if was.Extra != nil && is.Extra != nil {
		add("separator", d.Separator, *was.Extra, *is.Extra)
	}
	out = append(out, values(was, is)...)
	if is.Convert == "Float" && was.Convert == "Float" {
		return append(out, scientific(was, is, d)...)
	}
	return append(out, cut(was, is, d)...)
}

func precision(p eventrt.Param) string {
	if p.Precision == 0 {
		return ""
	}
	return fmt.Sprint(p.Precision - 1)
}

// visible reports whether leaving a zero value out changes the text.
func visible(was, is *model.Param) bool {
	return !slices.Contains(showsNothing, is.Convert) || was.Definition.Quote || is.Definition.Quote || was.Definition.Sensitive || is.Definition.Sensitive
}

// values returns the constants of an enum whose text changed.
func values(was, is *model.Param) []option {
	if was.Enum == nil || is.Enum == nil {
		return nil
	}
	var out []option
	for _, v := range was.Enum.Values {
		i := slices.IndexFunc(is.Enum.Values, func(o model.Constant) bool { return o.Name == v.Name && o.Value != v.Value })
		if i >= 0 {
			value := is.Enum.Values[i].Value
			text := fmt.Sprintf("%s was %q and is %q", v.Name, v.Value, value)
			out = append(out, option{name: "values", pos: valuePos(is, value), was: v.Value, is: value, text: text})
		}
	}
	return out
}

func valuePos(p *model.Param, value string) diag.Pos {
	listed := p.Declaration().Values
	if i := slices.IndexFunc(listed, func(v catalog.Scalar) bool { return v.Value == value }); i >= 0 {
		return listed[i].Pos
	}
	return p.Enum.Pos
}

// cut reports that the param's own bound cuts text earlier than before.
func cut(was, is *model.Param, d catalog.Param) []option {
	if is.Enum != nil || is.MaxBytes == 0 || !is.Text() || was.MaxBytes > 0 && was.MaxBytes <= is.MaxBytes {
		return nil
	}
	o := option{name: "maxBytes", pos: d.MaxBytes.Pos, is: fmt.Sprint(is.MaxBytes), cuts: true, bound: is.MaxBytes}
	o.text = fmt.Sprintf("text is cut at %d bytes", is.MaxBytes)
	if was.MaxBytes > 0 {
		o.was = fmt.Sprint(was.MaxBytes)
		o.text += " and was at " + o.was
	}
	if len(d.Values) > 0 {
		o.pos = d.Values[0].Pos
	}
	return []option{o}
}

// scientific reports that the param's bound puts other numbers than before into scientific notation, or shows other digits. A changed
// precision is reported instead.
func scientific(was, is *model.Param, d catalog.Param) []option {
	precision := is.Definition.Precision
	if was.Definition.Precision != precision || !otherNumbers(precision, was.MaxBytes, is.MaxBytes) {
		return nil
	}
	o := option{name: "maxBytes", pos: d.MaxBytes.Pos, was: was.Declaration().MaxBytes.Value, is: d.MaxBytes.Value, bound: is.MaxBytes}
	o.text = fmt.Sprintf("numbers of more than %d bytes are shown in scientific notation, and were from %d bytes on", is.MaxBytes, was.MaxBytes+1)
	return []option{o}
}

// The values follow from the run time's appendFloat.
const (
	// longestFloat is the longest text of a number without a precision: -2.2250738585072014e-308.
	longestFloat = 24
	// longestWhole is the longest text of a number with no digits behind the point: a sign and 309 digits.
	longestWhole = 310
	// exponentBytes is the length of scientific notation without the digits behind the point.
	exponentBytes = 8
)

// otherNumbers reports whether two bounds give some number different texts. precision is one more than the digits behind the point; 0 means
// as many as needed.
func otherNumbers(precision, a, b int) bool {
	shortest, longest := 1, longestFloat
	if precision > 0 {
		longest = longestWhole
	}
	if digits := precision - 1; digits > 0 {
		shortest, longest = digits+len("0."), longestWhole+digits+len(".")
	}
	low, high := min(a, b, longest), min(max(a, b), longest)
	if high < shortest { // all are in scientific notation
		return max(low, exponentBytes) != max(high, exponentBytes)
	}
	return low != high
}
