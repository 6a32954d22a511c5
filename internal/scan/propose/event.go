package propose

import (
	"fmt"
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/scan"
)

// mostParams is the most that an event may have; mostName the bytes of a reason or an action.
const (
	mostParams = 8
	mostName   = 128
)

// identity is what one alternative of a site stores, beside its text.
type identity struct{ reason, kind, action string }

// add proposes the events of a site.
func (f *finder) add(s *scan.Site) {
	if s.Scope == scan.Forwarder {
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
		for _, kind := range constants(along(r.Def, s.Type.Alternatives)) {
			for _, action := range actions(along(r.Def, s.Action.Alternatives), reason) {
				f.event(s, identity{reason, kind, action}, regarding, along(r.Def, s.Said.Alternatives))
			}
		}
	}
}

// decided says why a site, or an alternative of it, can't be in a catalog. It reports whether anything can.
func (f *finder) decided(s *scan.Site) bool {
	for _, n := range s.Notes {
		if n.What == "call" {
			f.left(s, "%s", n.Text)
			return false
		}
	}
	if !s.Said.Known() {
		f.left(s, "message: the call has no argument for it")
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

// causeOf is why a part of a site is not known.
func causeOf(s *scan.Site, what string) string {
	for _, n := range s.Notes {
		if n.What == what {
			return n.Text
		}
	}
	return "it is computed"
}

// along are the texts that the same statement gives as another value, or all where none is.
func along(def ast.Node, texts []scan.Text) []scan.Text {
	var same []scan.Text
	for _, t := range texts {
		if def != nil && t.Def == def {
			same = append(same, t)
		}
	}
	if len(same) > 0 {
		return same
	}
	return texts
}

func constants(texts []scan.Text) []string {
	return scan.Value{Alternatives: texts}.Constants()
}

// actions are those of an identity: none stands for the reason, which is the default, also of an action that is not known.
func actions(texts []scan.Text, reason string) []string {
	if len(texts) > 0 && !(scan.Value{Alternatives: texts}).Closed() {
		return []string{""}
	}
	var out []string
	for _, a := range constants(texts) {
		if a == reason || len(a) > mostName {
			a = ""
		}
		if !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return []string{""}
	}
	return out
}

// regardingOf are the aliases of the objects that a site is about. An object of interface type is one of any kind: what the
// variable holds at run time is known to no typed call.
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
		if alias := f.alias(t); !slices.Contains(out, alias) {
			out = append(out, alias)
		}
	}
	if len(out) == 0 || slices.Contains(out, anyObject) {
		out = []string{f.any()}
	}
	return out, true
}

// selects reports whether one event with variants stands for a site: reasons, or types, that vary under one text.
func (f *finder) selects(s *scan.Site) bool {
	if !s.Reason.Closed() || len(s.Said.Alternatives) == 0 || len(actions(s.Action.Alternatives, "")) != 1 {
		return false
	}
	reasons, kinds := s.Reason.Constants(), s.Type.Constants()
	if len(reasons) == 1 {
		return len(kinds) == 2
	}
	for _, r := range s.Reason.Alternatives {
		if len(constants(along(r.Def, s.Type.Alternatives))) != 1 {
			return false
		}
	}
	return true
}

// selection proposes one event whose identity a param picks.
func (f *finder) selection(s *scan.Site, regarding []string) {
	reasons := s.Reason.Constants()
	e := &Event{Regarding: regarding, Sites: []*scan.Site{s}, Name: selectionName(s)}
	if a := actions(s.Action.Alternatives, ""); a[0] != "" {
		e.Action = a[0]
	}
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
			kind := constants(along(r.Def, s.Type.Alternatives))[0]
			v := variant{reason, reason, kind}
			if !slices.ContainsFunc(e.Variants, func(o variant) bool { return o.value == reason }) {
				e.Variants = append(e.Variants, v)
			}
		}
	}
	e.Params = append([]*Param{{Name: e.Select, Type: "string", MaxBytes: mostName, Precision: -1}}, e.Params...)
	if len(e.Params) > mostParams {
		f.plain(e)
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

// texts gives an event its message. A call that has one of several texts, or a slice of arguments, passes the text as a whole: one typed
// call stands for it.
func (f *finder) texts(e *Event, s *scan.Site, texts []scan.Text) {
	if len(texts) > 1 || slices.ContainsFunc(texts[0].Parts, scan.Part.Spread) {
		f.relatedOf(e, s, scan.Text{})
		f.plain(e)
		return
	}
	f.message(e, s, texts[0])
}

// event proposes the event of one identity.
func (f *finder) event(s *scan.Site, id identity, regarding []string, texts []scan.Text) {
	e := &Event{Reason: id.reason, Type: id.kind, Action: id.action, Regarding: regarding, Sites: []*scan.Site{s}}
	f.texts(e, s, texts)
	if len(e.Params) > mostParams {
		f.plain(e)
	}
	e.identify()
	f.Events = append(f.Events, e)
}

// plain makes the whole text one argument, which the caller formats.
func (f *finder) plain(e *Event) {
	kept := e.Params[:0]
	for _, p := range e.Params {
		if p.Name == e.Select && e.Select != "" {
			kept = append(kept, p)
		}
	}
	e.Params = append(kept, &Param{Name: "text", Type: "string", Precision: -1})
	e.Message = "{text}"
	if len(e.Sites) == 0 || e.Sites[0].Related.Expr == nil { // it was only what the text shows of it
		e.Related = ""
	}
}

// shape is the message with its params numbered, so that their names do not matter.
func (e *Event) shape() string {
	text := e.Message
	for i, p := range e.Params {
		text = strings.ReplaceAll(text, "{"+p.Name+"}", "{"+strconv.Itoa(i)+p.options()+"}")
	}
	return text
}

func (p *Param) options() string {
	return fmt.Sprint(p.Quote, p.Precision, p.Separator)
}

// free is a name that no param has yet.
func (e *Event) free(name string) string {
	base := name
	for i := 2; slices.ContainsFunc(e.Params, func(p *Param) bool { return p.Name == name }); i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	return name
}
