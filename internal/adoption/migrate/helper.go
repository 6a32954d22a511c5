package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// helper is a function whose parameters go into one call of a recorder, and that can take an event
// instead. Each of its callers makes the event by a constructor.
type helper struct {
	site    *Site
	fn      *types.Func
	callers []*Site
	// object is the parameter that the event is about. reads has the removed parameters, from first
	// to last, each with the event's method that returns its text.
	object, first, last int
	reads               map[*types.Var]string
}

// helpers finds the helpers, among the sites, that can take an event. All of their callers are
// rewritten.
func (m *matcher) helpers(sites []*Site) []*helper {
	var out []*helper
	for _, s := range sites {
		if s.Scope != scan.InWrapper || s.scan.Func == nil || s.scan.Call == nil || len(s.scan.Via) > 0 || m.stay[s.Pos] {
			continue
		}
		h := &helper{site: s}
		for _, caller := range sites {
			if caller.State == Rewritten && caller.scan.Call != nil && len(caller.scan.Via) > 0 && caller.scan.Via[0] == s.scan {
				h.callers = append(h.callers, caller)
			}
		}
		if len(h.callers) > 0 && !slices.ContainsFunc(h.callers, func(c *Site) bool { return c.shared }) && h.takes() && !m.result.ReadsObject(s.scan) && h.alone(m.result.Program) && h.keepsObject() && h.readWhole(m.result.Program) && m.proves(h) {
			out = append(out, h)
		}
	}
	return out
}

// takes finds the parameters of the helper. It reports whether all arguments of the recorder come
// from them, and they stand together.
func (h *helper) takes() bool {
	s := h.site.scan
	fn, ok := s.Package.Info.Defs[s.Func.Name].(*types.Func)
	if !ok || fn.Exported() || fn.Signature().TypeParams().Len()+fn.Signature().RecvTypeParams().Len() > 0 || s.Annotations != nil || s.Related.Expr != nil && !s.Related.Nil {
		return false
	}
	h.fn, h.reads = fn, map[*types.Var]string{}
	params := slices.Collect(fn.Signature().Params().Variables())
	h.object = slices.Index(params, scan.Variable(s.Package.Info, s.Regarding.Expr))
	for _, given := range []struct {
		value  scan.Value
		method string
	}{{s.Action, "Action"}, {s.Type, "Type"}, {s.Message, "Message"}, {s.Reason, "Reason"}} {
		part, plain := only(given.value)
		if _, index, ok := part.Param(); ok && plain && index >= 0 && isPlainString(params[index].Type()) {
			h.reads[params[index]] = given.method
		} else if format, args := h.format(params, given.value); format != nil {
			h.reads[format], h.reads[args] = "", ""
		} else if given.method == "Message" || given.method == "Reason" || given.value.Known() && !given.value.Closed() {
			return false
		}
	}
	for v, method := range h.reads {
		if method == "" && h.readsElsewhere(v) { // an event does not give its format
			return false
		}
	}
	h.first = slices.IndexFunc(params, h.goes)
	h.last = h.first + len(h.reads) - 1
	if h.object < 0 || h.last >= len(params) || slices.ContainsFunc(params[h.first:h.last+1], func(v *types.Var) bool { return !h.goes(v) }) {
		return false
	}
	if beside := h.object == h.first-1 || h.object == h.last+1; beside && !h.readsElsewhere(params[h.object]) {
		h.reads[params[h.object]] = ""
		h.first, h.last = min(h.first, h.object), max(h.last, h.object)
	}
	return true
}

// readsElsewhere reports whether the helper reads a parameter outside of the recorder's call.
func (h *helper) readsElsewhere(v *types.Var) bool {
	s := h.site.scan
	return slices.ContainsFunc(slices.Collect(ast.Preorder(s.Func.Body)), func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && s.Package.Info.Uses[id] == v && !within(s.Call, id)
	})
}

// format returns the parameters for a format and its arguments if a value is that format.
func (h *helper) format(params []*types.Var, v scan.Value) (format, args *types.Var) {
	part, _ := single(v)
	if fn, index, ok := part.FormatParam(); ok && fn == h.fn && index == len(params)-2 && fn.Signature().Variadic() {
		return params[index], params[index+1]
	}
	return nil, nil
}

// alone reports whether nothing but the callers' calls names the helper, and no interface has a
// method of its name.
func (h *helper) alone(p *scan.Program) bool {
	calls := map[token.Position]bool{}
	for _, c := range h.callers {
		calls[p.Fset.Position(ast.Unparen(c.scan.Call.Fun).End())] = true
	}
	name := scan.ObjectName(h.fn)
	for _, pkg := range p.Packages {
		for id, obj := range pkg.Info.Uses {
			if fn, ok := obj.(*types.Func); ok && fn.Name() == h.fn.Name() && scan.ObjectName(fn) == name && !calls[p.Fset.Position(id.End())] {
				return false
			}
		}
		for _, f := range pkg.Syntax {
			for n := range ast.Preorder(f) {
				if i, ok := n.(*ast.InterfaceType); ok && pkg.Path == h.fn.Pkg().Path() && slices.ContainsFunc(i.Methods.List, func(m *ast.Field) bool {
					return len(m.Names) == 1 && m.Names[0].Name == h.fn.Name()
				}) {
					return false
				}
			}
		}
	}
	return true
}

// keepsObject reports whether the helper does not change the object and the texts before it
// records. It must not, because the caller makes the event before.
func (h *helper) keepsObject() bool {
	s := h.site.scan
	info := s.Package.Info
	object := h.fn.Signature().Params().At(h.object)
	mentions := func(x ast.Node) bool {
		return x != nil && slices.ContainsFunc(slices.Collect(ast.Preorder(x)), func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			return ok && info.Uses[id] == object
		})
	}
	for n := range ast.Preorder(s.Func.Body) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if v := scan.Variable(info, x); mentions(x) || v != nil && h.goes(v) {
					return false
				}
			}
		case *ast.UnaryExpr:
			if v := scan.Variable(info, n.X); n.Op == token.AND && v != nil && (h.goes(v) || v == object) {
				return false
			}
		case *ast.CallExpr:
			if n.Pos() < s.Call.Pos() && mentions(n) && !scan.Pure(info, n) {
				return false
			}
		}
	}
	return true
}

func (h *helper) goes(v *types.Var) bool {
	_, ok := h.reads[v]
	return ok
}

func within(n, inner ast.Node) bool { return n.Pos() <= inner.Pos() && inner.End() <= n.End() }

// readWhole reports whether all files in the helper's folder that name the helper were read. Files
// of tests or of other build tags may be unread.
func (h *helper) readWhole(p *scan.Program) bool {
	read := map[string]bool{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Syntax {
			read[p.Fset.Position(f.Package).Filename] = true
		}
	}
	folder := filepath.Dir(h.site.scan.Pos.Filename)
	files, err := os.ReadDir(folder)
	named := regexp.MustCompile(`\b` + h.fn.Name() + `\b`)
	return err == nil && !slices.ContainsFunc(files, func(file os.DirEntry) bool {
		path := filepath.Join(folder, file.Name())
		if filepath.Ext(path) != ".go" || read[path] {
			return false
		}
		text, err := os.ReadFile(path)
		return err != nil || named.Match(text)
	})
}

// proves reports whether each caller's event stays the same if it goes through Emit on the helper's
// recorder. If so, proves sets the callers' verdicts. An event has no object, so its entry must
// give the object's kind.
func (m *matcher) proves(h *helper) bool {
	s := h.site.scan
	verdicts := map[*Site]proof.Verdict{}
	for _, c := range h.callers {
		raw := *c.raw
		raw.API, raw.Method, raw.Identities, raw.Related = proof.Record, s.Shape.Name, identities(c.scan), object(s.Related)
		raw.OwnRecorder, raw.OtherMethod = m.ownRecorder(s), m.otherMethod(s)
		if s.Shape.API == scan.Events {
			raw.API = proof.Events
		}
		v := proof.Prove(&raw, c.verdict.Event)
		about, args := raw.Regarding.Expr, c.scan.Call.Args
		fits := v.Method != nil && v.Outcome(m.opts.Accept...) <= proof.EqualExcept && v.Event.Related == nil && len(v.Event.Also) == 0 &&
			!v.Event.Regarding.AnyOf && !v.Method.Regarding.Any && c.pkg == h.callers[0].pkg
		if !fits || about == nil || len(args) <= h.object || args[h.object] != about || !m.result.OnlyReads(c.scan, about) {
			return false
		}
		verdicts[c] = v
	}
	for c, v := range verdicts {
		c.verdict, c.Outcome, c.Causes = &v, v.Outcome(m.opts.Accept...), v.Causes
	}
	h.site.pkg = h.callers[0].pkg
	return true
}

// take rewrites a helper and its callers. It reports whether that worked for all of them.
func (e *editor) take(h *helper) bool {
	for _, c := range h.callers {
		if e.rewriteBy(c, func(w *writer) string { return w.inline(h) }) != "" {
			return false
		}
	}
	return e.rewriteBy(h.site, func(w *writer) string { return w.emits(h) }) == ""
}

// inline puts a generated constructor in the place of the arguments that the helper no longer
// takes.
func (w *writer) inline(h *helper) string {
	call := w.site.scan.Call
	last := call.Args[len(call.Args)-1].End()
	if h.last+1 < h.fn.Signature().Params().Len() {
		last = call.Args[h.last].End()
	} else if call.Ellipsis.IsValid() {
		last = call.Ellipsis + 3
	}
	for _, x := range call.Args[h.first:] {
		if x.End() <= last {
			w.change.replaced = append(w.change.replaced, x)
		}
	}
	method := w.site.verdict.Method
	constructor := w.src.names.Qualified(w.site.pkg.Path, w.site.pkg.Name, method.Constructor)
	text := w.call(constructor, w.arguments(), call)
	w.change.edits = append(w.change.edits, Edit{w.offset(call.Args[h.first].Pos()), w.offset(last), text})
	w.site.Entry = method.Constructor
	return w.comments()
}

// emits replaces the removed parameters of the helper by an event, and its recorder's call by one
// that emits the event.
func (w *writer) emits(h *helper) string {
	s := h.site.scan
	recorder, why := w.recorder()
	if why != "" {
		return why
	}
	name := "event"
	for n := range ast.Preorder(s.Func) {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			name = "recorded"
		}
	}
	w.parameters(h, name+" "+w.src.names.Qualified(facts.RunTime, "eventrt", "Event"))
	for n := range ast.Preorder(s.Func.Body) {
		if id, ok := n.(*ast.Ident); ok && !within(s.Call, id) {
			if v, ok := s.Package.Info.Uses[id].(*types.Var); ok && h.goes(v) {
				w.edit(id, name+"."+h.reads[v]+"()")
			}
		}
	}
	w.keep(s.Recorder)
	w.replace(s.Call, fmt.Sprintf("%s(%s).Emit(%s)", w.src.names.Qualified(w.site.pkg.Path, w.site.pkg.Name, on(w.site.pkg, s.Shape.API)), recorder, name))
	h.site.State, h.site.Entry = Rewritten, "Emit"
	return w.comments()
}

// on returns the function of a generated package that records on a recorder of an API.
func on(p *model.Package, api scan.API) string {
	if api == scan.Events {
		return p.FromEvents
	}
	return p.FromRecord
}

// parameters writes one parameter in the place of the removed ones.
func (w *writer) parameters(h *helper, text string) {
	var kept [2]string // in the same declarations: before, and after
	var from, to token.Pos
	index := 0
	for _, field := range h.site.scan.Func.Type.Params.List {
		var before, after []string
		touched := false
		for _, name := range field.Names {
			switch {
			case index < h.first:
				before = append(before, name.Name)
			case index > h.last:
				after = append(after, name.Name)
			default:
				touched = true
			}
			index++
		}
		if !touched {
			continue
		}
		if !from.IsValid() {
			from = field.Pos()
		}
		to = field.End()
		for i, names := range [][]string{before, after} {
			if len(names) > 0 {
				kept[i] = strings.Join(names, ", ") + " " + w.text(w.src, field.Type)
			}
		}
	}
	if kept[0] != "" {
		text = kept[0] + ", " + text
	}
	if kept[1] != "" {
		text += ", " + kept[1]
	}
	w.change.edits = append(w.change.edits, Edit{w.offset(from), w.offset(to), text})
}
