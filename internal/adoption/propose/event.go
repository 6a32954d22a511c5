package propose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// mostParams bounds the params of an event, and mostName the bytes of a reason or an action.
const (
	mostParams = 8
	mostName   = 128
)

// add proposes the events of a site.
func (f *finder) add(s *scan.Site) {
	if s.Scope == scan.InWrapper {
		for _, n := range s.Notes {
			if n.What == "callers" {
				f.left(s, "reason: %s", n.Text)
			}
		}
		return
	}
	if !f.decided(s) {
		return
	}
	regarding, ok := f.regardingOf(s)
	if !ok {
		return
	}
	if f.selects(s) {
		f.selection(s, regarding)
		return
	}
	for _, r := range s.Reason.Alternatives {
		reason, ok := r.Constant()
		if !ok {
			continue
		}
		for _, kind := range constants(s.Type.Along(r)) {
			for _, action := range actions(s.Action.Along(r), reason) {
				e := &Event{Reason: reason, Type: kind, Action: action, Regarding: regarding, Sites: []*scan.Site{s}}
				f.texts(e, s, s.Said.Along(r))
				if len(e.Params) > mostParams {
					e.plain()
				}
				e.identify()
				f.Events = append(f.Events, e)
			}
		}
	}
}

// leftOutAction returns a comment above an event whose format stands in the place of the action; ""
// for others.
func (e *Event) leftOutAction() string {
	for _, s := range e.Sites {
		if format := s.FormatAsAction(); format != "" && format == e.Action {
			return "# The call has the message in the place of the action [EV514]. Name the action before it in the code, then propose again."
		}
	}
	return ""
}

// decided notes why the catalog leaves out a site or some of its alternatives. It reports whether
// any alternative is left.
func (f *finder) decided(s *scan.Site) bool {
	if why := noted(s, "call"); why != "" {
		f.left(s, "%s", why)
		return false
	}
	if !s.Said.Known() {
		f.left(s, "message: the call has no argument for it")
		return false
	}
	if mismatched(s) {
		f.left(s, "message: the verbs of a format do not match its arguments [EV514]")
		return false
	}
	if !s.Reason.Closed() {
		f.left(s, "reason: %s is only known at run time: %s", s.Reason, causeOf(s, "reason"))
	}
	if !s.Type.Closed() {
		f.left(s, "type: %s is only known at run time: %s", s.Type, causeOf(s, "type"))
		return false
	}
	for _, kind := range s.Type.Constants() {
		if kind != "Normal" && kind != "Warning" {
			f.left(s, "type: it is %q; the API server takes Normal and Warning", kind)
			return false
		}
	}
	for _, reason := range s.Reason.Constants() {
		if reason == "" || len(reason) > mostName {
			f.left(s, "reason: it has %d bytes; expected 1 to %d", len(reason), mostName)
			return false
		}
	}
	if s.Action.Known() && !s.Action.Closed() {
		f.left(s, "action: %s is only known at run time: %s; the entry has the reason instead", s.Action, causeOf(s, "action"))
	}
	return len(s.Reason.Constants()) > 0
}

// mismatched reports whether a text of a site has a mark of package fmt for a verb or an argument
// that does not match.
func mismatched(s *scan.Site) bool {
	return slices.ContainsFunc(s.Said.Alternatives, func(t scan.Text) bool {
		return slices.ContainsFunc(t.Parts, func(p scan.Part) bool { return p.Expr == nil && strings.Contains(p.Literal, "%!") })
	})
}

// causeOf returns the reason why a part of a site is not known.
func causeOf(s *scan.Site, what string) string { return cmp.Or(noted(s, what), "it is computed") }

// noted returns the first note about a part of a site, or "".
func noted(s *scan.Site, what string) string {
	for _, n := range s.Notes {
		if n.What == what {
			return n.Text
		}
	}
	return ""
}

func constants(texts []scan.Text) []string {
	return scan.Value{Alternatives: texts}.Constants()
}

// actions returns the actions of a reason. An empty action stands for the reason itself, which is
// the default. Unknown actions become empty.
func actions(texts []scan.Text, reason string) []string {
	if len(texts) > 0 && !(scan.Value{Alternatives: texts}).Closed() {
		return []string{""}
	}
	var out []string
	for _, a := range constants(texts) {
		if a == reason || len(a) > mostName {
			a = ""
		}
		out = union(out, a)
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// regardingOf returns the aliases of the objects that a site is about. An object of interface type
// can be of any kind, because a typed call does not know the value at run time.
func (f *finder) regardingOf(s *scan.Site) ([]string, bool) {
	if s.Regarding.Nil {
		f.left(s, "regarding: the object is nil, so that nothing is recorded")
		return nil, false
	}
	if isInterface(s.Regarding) {
		return []string{f.any()}, true
	}
	var out []string
	for _, t := range s.Regarding.Types {
		out = union(out, f.alias(t))
	}
	if len(out) == 0 || slices.Contains(out, anyObject) {
		out = []string{f.any()}
	}
	return out, true
}

// selects reports whether one event with variants stands for a site: its reasons or types vary
// under one text.
func (f *finder) selects(s *scan.Site) bool {
	if !s.Reason.Closed() || len(s.Said.Alternatives) == 0 || len(actions(s.Action.Alternatives, "")) != 1 {
		return false
	}
	reasons, kinds := s.Reason.Constants(), s.Type.Constants()
	if len(reasons) == 1 {
		return len(kinds) == 2
	}
	return !slices.ContainsFunc(s.Reason.Alternatives, func(r scan.Text) bool { return len(constants(s.Type.Along(r))) != 1 })
}

// selection proposes one event whose identity a param picks.
func (f *finder) selection(s *scan.Site, regarding []string) {
	reasons := s.Reason.Constants()
	e := &Event{Regarding: regarding, Sites: []*scan.Site{s}, Name: selectionName(s), Action: actions(s.Action.Alternatives, "")[0]}
	f.texts(e, s, s.Said.Alternatives)
	if len(reasons) == 1 {
		e.Select = e.free("eventType")
		for _, kind := range s.Type.Constants() {
			e.Variants = append(e.Variants, variant{kind, reasons[0], kind})
		}
	} else {
		e.Select = e.free("reason")
		for _, r := range s.Reason.Alternatives {
			reason, _ := r.Constant()
			v := variant{reason, reason, constants(s.Type.Along(r))[0]}
			if !slices.ContainsFunc(e.Variants, func(o variant) bool { return o.value == reason }) {
				e.Variants = append(e.Variants, v)
			}
		}
	}
	e.Params = append([]*Param{{Name: e.Select, Type: "string", MaxBytes: mostName, Precision: -1}}, e.Params...)
	if len(e.Params) > mostParams {
		e.plain()
	}
	e.key = fmt.Sprint("select", e.Variants, e.Action, e.Related, e.shape())
	f.Events = append(f.Events, e)
}

// selectionName names an event that has several reasons, after the function that records it.
func selectionName(s *scan.Site) string {
	if reasons := s.Reason.Constants(); len(reasons) == 1 {
		return reasons[0]
	}
	if prefix := commonPrefix(s.Reason.Constants()); len(prefix) > 3 {
		return prefix
	}
	if s.Func != nil {
		return identifier(s.Func.Name.Name)
	}
	return s.Reason.Constants()[0]
}

func commonPrefix(names []string) string {
	prefix := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	return prefix
}

// texts gives an event its message. If a call has one of several texts, a slice of arguments, or a
// format that is not constant, its typed call passes the text as a whole.
func (f *finder) texts(e *Event, s *scan.Site, texts []scan.Text) {
	whole := func(p scan.Part) bool { return p.Spread() || p.Pending() && !p.IsFromCaller() }
	if len(texts) > 1 || slices.ContainsFunc(texts[0].Parts, whole) {
		f.relatedOf(e, s, scan.Text{})
		e.plain()
		return
	}
	f.message(e, s, texts[0])
}

// plain makes the whole text one argument, which the caller formats.
func (e *Event) plain() {
	kept := slices.DeleteFunc(e.Params, func(p *Param) bool { return e.Select == "" || p.Name != e.Select })
	e.Params = append(kept, &Param{Name: "text", Type: "string", Precision: -1})
	e.Message = "{text}"
	// the related object came from the text only
	if len(e.Sites) == 0 || e.Sites[0].Related.Expr == nil {
		e.Related = ""
	}
}

// shape returns the message with numbers for the names of its params, so that the names do not
// matter.
func (e *Event) shape() string {
	text := e.Message
	for i, p := range e.Params {
		text = strings.ReplaceAll(text, "{"+p.Name+"}", fmt.Sprintf("{%d%s}", i, p.options()))
	}
	return text
}

func (p *Param) options() string {
	return fmt.Sprint(p.Quote, p.Precision)
}

// free returns a name that no param has yet.
func (e *Event) free(name string) string {
	base := name
	for i := 2; slices.ContainsFunc(e.Params, func(p *Param) bool { return p.Name == name }); i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	return name
}
