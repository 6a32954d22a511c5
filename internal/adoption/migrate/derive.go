package migrate

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// handed are the expressions with which a place hands an event to a helper or a struct: arguments
// of a call, or elements of a literal. Nil: the helper gets the value from elsewhere.
type handed struct {
	reason, eventType, action ast.Expr
	// message is also nil if the helper adds text of its own: the place then hands over its text as
	// before.
	message ast.Expr
	// format: the message is a format, followed by its arguments.
	format bool
	rest   []ast.Expr
}

// derived describes a place that fixes the reason of a helper for the proof: as a call of Event
// with the handed values. The helper's other effects do not change.
func (m *matcher) derived(s *scan.Site) (*proof.RawCall, string) {
	h, why := handedOver(s)
	if why != "" {
		return nil, why
	}
	regarding := m.handedObject(s)
	if regarding.Type == nil {
		return nil, "the call has no argument for the object"
	}
	raw := &proof.RawCall{
		API: proof.Record, Method: "Event", Identities: identities(s), Empty: s.Empty, Reason: h.reason, Type: h.eventType, Action: h.action,
		Regarding: regarding, Info: s.Package.Info,
	}
	if h.action == nil { // the helper gives it
		for i := range raw.Identities {
			raw.Identities[i].Action = ""
		}
	} else {
		raw.API = proof.Events
	}
	info := s.Package.Info
	switch {
	case h.message == nil:
	case h.format:
		raw.Whole = proof.Part{Expr: h.message, Type: info.TypeOf(h.message), Verb: "%s", Args: h.rest, Spread: s.Call.Ellipsis.IsValid()}
		raw.Whole.Formats = len(h.rest) == 0 && holdsVerbs(h.message, info)
	default:
		raw.Whole = called(proof.Part{Expr: h.message, Type: info.TypeOf(h.message), Verb: "%s"}, info)
	}
	raw.Text, raw.Format, raw.Known = m.text(s, s.Said, raw.Whole), m.format(s.Call), s.Message.Formats()
	return raw, ""
}

// readsArguments returns why the function that a place calls may record something else if it gets
// "%s" and the finished text. It is empty if the function records the same, or gets no format.
func (m *matcher) readsArguments(s *scan.Site) string {
	h, why := handedOver(s)
	if why != "" || !h.format {
		return ""
	}
	return m.inModule(m.result.ReadsArguments(s, slices.Index(s.Call.Args, h.message)))
}

// changed looks at the program's own recorder methods that a place calls, directly or through
// helpers. It returns which argument a method replaces by another value, or where it reads the
// format's arguments. It is empty if such methods store their arguments.
func (m *matcher) changed(s *scan.Site) string {
	for i, at := range append([]*scan.Site{s}, s.Via[:len(s.Via)-1]...) {
		if why := m.changedBy(at, s.Via[i], s); why != "" {
			return fmt.Sprintf("%s (%s)", why, proof.OwnRecorder)
		}
	}
	return ""
}

// changedBy is changed for a call of a recorder's method and the method's next call.
func (m *matcher) changedBy(at, next, s *scan.Site) string {
	if at.Call == nil || at.Callee == nil {
		return ""
	}
	shape, records := scan.ShapeOf(at.Callee)
	if !records {
		return ""
	}
	for _, v := range []struct {
		what         string
		index        int
		stored, made scan.Value
	}{{"reason", shape.Reason, s.Reason, next.Reason}, {"type", shape.EventType, s.Type, next.Type}, {"action", shape.Action, s.Action, next.Action}} {
		if v.index >= 0 && v.index < len(at.Call.Args) && argument(at, v.made) != at.Call.Args[v.index] {
			return fmt.Sprintf("%s of the recorder stores the %s %s in place of %s", at.Callee.Name(), v.what, quoted(v.stored), types.ExprString(at.Call.Args[v.index]))
		}
	}
	if !shape.Formats {
		return ""
	}
	return m.inModule(m.result.ReadsArguments(at, shape.Message))
}

func quoted(v scan.Value) string {
	if text, ok := v.Constant(); ok {
		return strconv.Quote(text)
	}
	return v.String()
}

// handedOver finds the expressions that the nearest helper takes its reason, type and message from.
func handedOver(s *scan.Site) (handed, string) {
	helper := s.Via[0]
	var pick func(v scan.Value) ast.Expr
	switch {
	case s.Call != nil:
		pick = func(v scan.Value) ast.Expr { return argument(s, v) }
	case literalOf(s) != nil:
		pick = func(v scan.Value) ast.Expr { return elementOf(s, v) }
	default:
		return handed{}, "the reason is set by an assignment"
	}
	h := handed{reason: pick(helper.Reason), eventType: pick(helper.Type), message: pick(helper.Message), action: pick(helper.Action)}
	if h.message == nil && s.Call != nil {
		h.message, h.rest = formatArguments(s, helper)
		h.format = h.message != nil
	}
	if h.message == nil && s.Call == nil {
		h.message = formatElement(s)
		if h.message != nil && hasPercent(s) {
			return h, "the text is used as a format, and has a % of its own"
		}
	}
	switch {
	case h.reason == nil:
		return h, "its reason is made by " + helper.Func.Name.Name
	case h.message == nil && (s.Call == nil || textElsewhere(s)):
		return h, "the text is made elsewhere"
	case h.eventType == nil && !helper.Type.Closed():
		return h, "its type is made elsewhere"
	case h.eventType == nil && len(helper.Type.Constants()) > 1 && len(s.Type.Constants()) > 1:
		return h, "its type is chosen by " + helper.Func.Name.Name
	case h.action == h.message && h.message != nil:
		h.action = nil
	}
	return h, ""
}

// textElsewhere reports whether another call gives the text that the helper of a place records.
func textElsewhere(s *scan.Site) bool {
	p, _ := single(s.Via[0].Message)
	fn, _, ok := p.Param()
	if !ok {
		fn, _, ok = p.FormatParam()
	}
	return ok && elsewhere(s, fn)
}

func literalOf(s *scan.Site) *ast.CompositeLit {
	lit, _ := s.Fixes.(*ast.CompositeLit)
	return lit
}

// single returns the part of a value that consists of one part.
func single(v scan.Value) (scan.Part, bool) {
	if len(v.Alternatives) != 1 || len(v.Alternatives[0].Parts) != 1 {
		return scan.Part{}, false
	}
	return v.Alternatives[0].Parts[0], true
}

// only is single for a value that is passed on unchanged.
func only(v scan.Value) (scan.Part, bool) {
	p, ok := single(v)
	return p, ok && p.Plain() && !p.Pending() && p.Type != nil && scan.IsString(p.Type)
}

// argument returns the argument that a helper passes on as a value.
func argument(s *scan.Site, v scan.Value) ast.Expr {
	p, ok := only(v)
	if !ok {
		return nil
	}
	fn, index, ok := p.Param()
	args := s.Call.Args
	if !ok || elsewhere(s, fn) || index < 0 || index >= len(args) || len(args) == 1 && s.Call.Ellipsis.IsValid() {
		return nil
	}
	return args[index]
}

// elsewhere reports whether a value comes from the callers of another function than the one that a
// place calls: another call gives it, such as one of a builder.
func elsewhere(s *scan.Site, fn *types.Func) bool {
	return fn != nil && s.Callee != nil && s.Callee.Name() != fn.Name()
}

// formatArguments returns the format that a helper passes on with all arguments after it.
func formatArguments(s, helper *scan.Site) (ast.Expr, []ast.Expr) {
	p, _ := single(helper.Message)
	fn, index, ok := p.FormatParam()
	call := s.Call
	if !ok || fn == nil || elsewhere(s, fn) || index < 0 || index >= len(call.Args) || index != fn.Signature().Params().Len()-2 || !fn.Signature().Variadic() {
		return nil, nil
	}
	return call.Args[index], call.Args[index+1:]
}

// elementOf returns the element of a place's literal that a value is taken from.
func elementOf(s *scan.Site, v scan.Value) ast.Expr {
	p, ok := only(v)
	if !ok {
		return nil
	}
	_, name, _ := p.Field() // no field is called ""
	x, _ := scan.Element(s.Package.Info, literalOf(s), name)
	return x
}

// formatElement returns the element of a place's literal that its helper uses as a format without
// arguments. The helper stays as it is: the event's text becomes the format, and shows the same
// unless the format has a % of its own.
func formatElement(s *scan.Site) ast.Expr {
	p, _ := single(s.Via[0].Message)
	_, name, _ := p.FormatField() // no field is called ""
	x, _ := scan.Element(s.Package.Info, literalOf(s), name)
	return x
}

// hasPercent reports whether the literal text of a place has a %. A format shows it differently.
func hasPercent(s *scan.Site) bool {
	return slices.ContainsFunc(s.Said.Alternatives, func(t scan.Text) bool {
		return slices.ContainsFunc(t.Parts, func(p scan.Part) bool { return strings.Contains(p.Literal, "%") })
	})
}

// handedObject returns the object that the place passes. If the helper takes its object from
// elsewhere, it is the argument of that type. If no argument has the type, the object has no
// expression.
func (m *matcher) handedObject(s *scan.Site) proof.Object {
	info := s.Package.Info
	node := ast.Node(s.Call)
	if s.Call == nil {
		node = s.Fixes
	}
	if x := s.Regarding.Expr; x != nil && s.Regarding.Info == info && node.Pos() <= x.Pos() && x.End() <= node.End() {
		return object(s.Regarding)
	}
	if s.Call == nil || len(s.Regarding.Types) != 1 {
		return proof.Object{}
	}
	// no argument: the helper reads the object itself, as before
	out := proof.Object{Type: s.Regarding.Types[0]}
	for _, a := range s.Call.Args {
		switch t := info.TypeOf(a); {
		case t == nil || types.TypeString(t, nil) != types.TypeString(s.Regarding.Types[0], nil):
		case out.Expr != nil:
			return proof.Object{}
		default:
			out = proof.Object{Expr: a, Type: t}
		}
	}
	return out
}
