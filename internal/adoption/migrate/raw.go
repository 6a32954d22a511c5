package migrate

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// raw describes a call of a recorder's method for the proof.
func (m *matcher) raw(s *scan.Site) *proof.RawCall {
	api := proof.Record
	if s.Shape.API == scan.Events {
		api = proof.Events
	}
	raw := &proof.RawCall{
		API: api, Method: s.Shape.Name, OwnRecorder: m.ownRecorder(s), OtherMethod: m.otherMethod(s), Identities: identities(s),
		Empty:  s.Empty,
		Reason: s.Reason.Expr, Type: s.Type.Expr, Action: s.Action.Expr,
		Regarding: object(s.Regarding), Related: object(s.Related), Annotations: s.Annotations,
		Info: s.Package.Info, Late: m.result.Late(s, s.Regarding.Expr) || m.result.Late(s, s.Related.Expr),
	}
	raw.Whole = wholeOf(s.Call, s.Shape.Message, s.Shape.Formats, s.Package.Info)
	raw.Text, raw.Format, raw.Known = m.text(s, s.Said, raw.Whole), m.format(s.Call), s.Message.Formats()
	return raw
}

// format returns the constant that a call passes to a recorder as the format; empty if it passes
// none.
func (m *matcher) format(call *ast.CallExpr) string {
	for _, f := range m.result.Formats {
		if f.Call == call {
			text, _ := f.Value.Constant()
			return text
		}
	}
	return ""
}

// ownRecorder returns why the recorder's own type may store something else if it gets the finished
// text; empty if it does not.
func (m *matcher) ownRecorder(s *scan.Site) string {
	return m.inModule(m.result.OwnRecorder(s))
}

// inModule returns a sentence with the module's files relative to its folder.
func (m *matcher) inModule(text string) string {
	return strings.ReplaceAll(text, m.opts.Dir+string(filepath.Separator), "")
}

// otherMethod reports whether another method of the recorder may do something else: the recorder's
// type is none of client-go's interfaces, embeds none, and was not read.
func (m *matcher) otherMethod(s *scan.Site) bool { return !isClients(s) && !m.result.KnowsRecorder(s) }

// isClients reports whether the recorder's static type has client-go's methods: the type is one of
// client-go's interfaces, or embeds one.
func isClients(s *scan.Site) bool {
	if s.Recorder == nil {
		return false
	}
	set := types.NewMethodSet(pointerTo(s.Package.Info.TypeOf(s.Recorder)))
	for _, name := range []string{"Event", "Eventf", "AnnotatedEventf"} {
		sel := set.Lookup(nil, name)
		if sel == nil {
			continue
		}
		fn, ok := sel.Obj().(*types.Func)
		if !ok || fn.Pkg() == nil || !strings.HasPrefix(scan.RealPath(fn.Pkg().Path())+"/", "k8s.io/client-go/tools/") {
			return false
		}
	}
	return set.Len() > 0
}

// pointerTo returns the type with the method set of a variable of a type.
func pointerTo(t types.Type) types.Type {
	if _, pointer := t.Underlying().(*types.Pointer); pointer || types.IsInterface(t) {
		return t
	}
	return types.NewPointer(t)
}

func object(o scan.Object) proof.Object {
	out := proof.Object{Expr: o.Expr, Nil: o.Nil}
	if o.Expr != nil && o.Info != nil {
		out.Type = o.Info.TypeOf(o.Expr)
	}
	return out
}

// identities returns the combinations of reason, type and action that occur together; nil if one is
// not known.
func identities(s *scan.Site) []proof.Identity {
	if !s.Reason.Closed() || !s.Type.Closed() {
		return nil
	}
	actions := s.Action.Alternatives
	if !s.Action.Known() || !s.Action.Closed() {
		actions = []scan.Text{{}}
	}
	var out []proof.Identity
	for _, r := range s.Reason.Alternatives {
		for _, t := range s.Type.Along(r) {
			for _, a := range (scan.Value{Alternatives: actions}).Along(r) {
				id := proof.Identity{Reason: constantOf(r), Type: constantOf(t), Action: constantOf(a)}
				if !slices.Contains(out, id) {
					out = append(out, id)
				}
			}
		}
	}
	return out
}

func constantOf(t scan.Text) string {
	text, _ := t.Constant()
	return text
}

// wholeOf returns the argument for a whole text: the message of Event, or a call of fmt.Sprintf
// with Eventf's arguments.
func wholeOf(call *ast.CallExpr, message int, formats bool, info *types.Info) proof.Part {
	if call == nil || message >= len(call.Args) {
		return proof.Part{}
	}
	x := call.Args[message]
	p := proof.Part{Expr: x, Type: info.TypeOf(x), Verb: "%s"}
	if !formats {
		return called(p, info)
	}
	if rest := call.Args[message+1:]; len(rest) > 0 {
		if c, ok := scan.ConstantText(info, x); ok && c == "%s" && len(rest) == 1 && scan.IsString(info.TypeOf(rest[0])) {
			return called(proof.Part{Expr: rest[0], Type: info.TypeOf(rest[0]), Verb: "%s"}, info)
		}
		p.Args, p.Spread = rest, call.Ellipsis.IsValid()
		return p
	}
	p.Formats = holdsVerbs(x, info)
	return called(p, info)
}

// holdsVerbs reports whether a format can have verbs, or percent signs.
func holdsVerbs(format ast.Expr, info *types.Info) bool {
	text, known := scan.ConstantText(info, format)
	return !known || strings.Contains(text, "%")
}

// text returns the parts of a message. If they can't be seen, or depend on the way to the call, it
// returns the whole argument.
func (m *matcher) text(s *scan.Site, v scan.Value, whole proof.Part) []proof.Part {
	if len(v.Alternatives) != 1 {
		return []proof.Part{whole}
	}
	var out []proof.Part
	for _, p := range v.Alternatives[0].Parts {
		switch {
		case p.Pending(), p.Expr != nil && strings.ContainsRune(p.Verb, '*'), p.Spread():
			return []proof.Part{whole}
		case p.Expr == nil:
			out = append(out, proof.Part{Literal: p.Literal})
		default:
			out = append(out, m.part(s, p))
		}
	}
	for i := range out {
		out[i].Formats = whole.Formats && out[i].Expr != nil
	}
	return out
}

func (m *matcher) part(s *scan.Site, p scan.Part) proof.Part {
	out := proof.Part{Expr: p.Expr, Type: p.Type, Verb: p.Verb}
	if out.Type == nil && p.Info != nil {
		out.Type = p.Info.TypeOf(p.Expr)
	}
	out = called(m.method(s, out, p.Info), p.Info)
	out.Moved = !m.result.Movable(s, p.Expr, p.Info)
	return out
}

// method notes the method that returned the text, if scan has looked through the method's call.
func (m *matcher) method(s *scan.Site, p proof.Part, info *types.Info) proof.Part {
	if info != s.Package.Info || s.File == nil || p.Expr.Pos() < s.File.FileStart || p.Expr.End() > s.File.FileEnd {
		return p
	}
	path, _ := astutil.PathEnclosingInterval(s.File, p.Expr.Pos(), p.Expr.End())
	for len(path) > 0 && path[0] != ast.Node(p.Expr) {
		path = path[1:]
	}
	if len(path) < 3 {
		return p
	}
	if sel, ok := path[1].(*ast.SelectorExpr); ok && sel.X == p.Expr && (sel.Sel.Name == "Error" || sel.Sel.Name == "String") {
		if c, ok := path[2].(*ast.CallExpr); ok && c.Fun == ast.Expr(sel) && len(c.Args) == 0 {
			p.Method = sel.Sel.Name
		}
	}
	return p
}

// called splits x.Error() and x.String().
func called(p proof.Part, info *types.Info) proof.Part {
	c, ok := ast.Unparen(p.Expr).(*ast.CallExpr)
	if !ok || len(c.Args) > 0 || p.Method != "" || info == nil {
		return p
	}
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Error" && sel.Sel.Name != "String" || info.Selections[sel] == nil || !scan.IsString(info.TypeOf(c)) {
		return p
	}
	p.Expr, p.Type, p.Method = sel.X, info.TypeOf(sel.X), sel.Sel.Name
	return p
}
