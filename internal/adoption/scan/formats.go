package scan

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// FormatCall is a call that passes a format to a recorder: a call of Eventf, or of a function that
// passes on its parameters for the format and the arguments. go vet's printf analysis finds the
// same functions, but not through interfaces of other packages.
type FormatCall struct {
	Package *Package
	File    *ast.File
	Func    *ast.FuncDecl // nil in a package variable's initializer
	Call    *ast.CallExpr
	// Format is the index of the format among the arguments. Args is the index of the first
	// argument for its verbs.
	Format, Args int
	// Value holds the possible texts of the format. Known is Value with the texts that callers pass
	// and fields hold, if all places that pass or store them were read. If Callers is set, Known is
	// Value.
	Value, Known Value
	// Callers: the callers of the function around the call pass the format together with all of its
	// arguments. Their calls pass formats, too.
	Callers bool
	// Shape is the shape of the recorder's method.
	Shape Shape

	place place
}

// FormatFunction is a function that passes a format and its arguments on to a recorder.
type FormatFunction struct {
	Function *types.Func
	// Format and Args are indexes of parameters. Args is the variadic one.
	Format, Args int
	Shape        Shape
	// OnlyWithArgs: without arguments for the verbs, the function does not format the text.
	OnlyWithArgs bool
}

// formats collects the calls that pass a format to a recorder.
func (s *scanner) formats() {
	seen := map[ast.Node]bool{}
	defer s.onlyFormats()
	for _, c := range s.recorded {
		call := c.node.(*ast.CallExpr)
		switch {
		case c.shape.Formats && (!s.direct(c.place) || s.hidden(c)): // callers may pass formats
		case c.shape.Formats:
			s.format(c.place, FormatFunction{Format: c.shape.Message, Args: c.shape.Message + 1, Shape: c.shape}, seen)
		case c.shape.Message < len(call.Args):
			s.formatCallers(s.shown(c.place, call.Args[c.shape.Message:c.shape.Message+1]), FormatFunction{Shape: c.shape}, call, seen)
		}
	}
	if s.prog.Formats == nil {
		return
	}
	for _, calls := range []map[string][]place{s.calls, s.dynamic} {
		for _, list := range calls {
			for _, c := range list {
				if f, ok := s.prog.Formats(Callee(c.pkg.Info, c.node.(*ast.CallExpr))); ok {
					s.format(c, f, seen)
				}
			}
		}
	}
}

// onlyFormats drops calls of recorders' methods if they can enter a method without a format.
func (s *scanner) onlyFormats() {
	s.result.Formats = slices.DeleteFunc(s.result.Formats, func(f *FormatCall) bool {
		return s.recording[f.Call] && slices.ContainsFunc(s.at(f.place).own, func(fn *function) bool {
			ends := s.ends(f.place)
			makes := !s.records(fn) && !ends || ends && s.readsText(fn, f.Format, f.Args) == nil
			return !makes && !s.formatting[fn] && !s.storesArgumentsAt(f.place, fn)
		})
	})
}

// format adds a call of a function with a format. If the function around the call passes the format
// on, format adds the calls of that function, too. seen has true for the calls of functions that
// always format.
func (s *scanner) format(at place, f FormatFunction, seen map[ast.Node]bool) {
	call := at.node.(*ast.CallExpr)
	always, visited := seen[call]
	if always || visited && f.OnlyWithArgs || f.Format >= len(call.Args) || f.OnlyWithArgs && len(call.Args) <= f.Args {
		return
	}
	seen[call] = !f.OnlyWithArgs
	e := s.evaluator(at.fn, at.pkg)
	value := Value{Expr: call.Args[f.Format], Alternatives: e.eval(call.Args[f.Format])}
	texts := e.formatted(call, f.Format, f.Args)
	if !visited && !at.pkg.Dependency {
		c := &FormatCall{
			Package: at.pkg, File: at.file, Call: call, Format: f.Format, Args: f.Args, Value: value, Known: value, Callers: formatsOfCallers(texts), Shape: f.Shape, place: at,
		}
		if !c.Callers {
			c.Known = s.known(value)
		}
		if at.fn != nil {
			c.Func = at.fn.decl
		}
		s.result.Formats = append(s.result.Formats, c)
	}
	if value.Closed() {
		texts = append(texts, s.shown(at, call.Args[min(f.Args, len(call.Args)):])...)
	}
	s.formatCallers(texts, f, call, seen)
}

// formatsOfCallers reports whether callers pass every format that is not constant with all
// arguments.
func formatsOfCallers(texts []Text) bool {
	passed := false
	for _, t := range texts {
		if len(t.Parts) != 1 || !t.Parts[0].Pending() {
			continue
		}
		fn, _ := t.Parts[0].callersFormat()
		if passed = fn != nil; !passed {
			return false
		}
	}
	return passed
}

// known returns a value with the texts that callers pass, and that fields hold, in place of
// parameters and fields. If there may be other callers or writes, it returns the value as it is.
func (s *scanner) known(v Value) Value {
	all := v.Alternatives
	for range mostForwards {
		var next []Text
		for _, t := range all {
			above := s.above(t)
			if above == nil {
				return v
			}
			next = append(next, above...)
		}
		if all = distinct(next); !(Value{Alternatives: all}).symbolic() {
			return Value{Expr: v.Expr, Alternatives: all}
		}
	}
	return v
}

// above returns the texts of one step of known, or nil if they are not known.
func (s *scanner) above(t Text) []Text {
	if !t.symbolic() {
		return []Text{t}
	}
	if len(t.Parts) == 1 && t.Parts[0].field != nil {
		p := t.Parts[0]
		x, ok := p.Expr.(*ast.SelectorExpr)
		if !ok || p.in == nil || s.prog.Open && ast.IsExported(p.field.name) {
			return nil
		}
		return s.evaluator(p.in.fn, p.in.pkg).anywhere(x, p.field)
	}
	for _, p := range t.leaves() {
		if p.param != nil && !s.allCallers(p.param.fn) {
			return nil
		}
	}
	return s.oneStepUp(t)
}

// allCallers reports whether all calls of a function were read.
func (s *scanner) allCallers(fn *function) bool {
	return fn.obj != nil && len(s.asValue[fn.key]) == 0 && !(s.prog.Open && fn.obj.Exported())
}

// formatCallers adds the calls of functions whose format and arguments are in texts, which call
// passes to inner.
func (s *scanner) formatCallers(texts []Text, inner FormatFunction, call *ast.CallExpr, seen map[ast.Node]bool) {
	for _, t := range texts {
		for _, p := range t.leaves() {
			fn, index := p.callersFormat()
			if fn == nil {
				continue
			}
			args := p.args.rest.index
			only := inner.OnlyWithArgs || s.overwritten(fn, args, t, texts) || s.onlyWithArgs(fn, args, call, nil) || s.onlyWithArgs(fn, args, p.Expr, p.through)
			f := FormatFunction{fn.obj, index, args, inner.Shape, only}
			s.formatting[fn] = true
			if fn.obj != nil && !fn.pkg.Dependency {
				s.result.FormatFunctions = append(s.result.FormatFunctions, f)
			}
			for _, c := range s.callsOf(fn) {
				s.format(c, f, seen)
			}
		}
	}
}

// overwritten reports whether another of the texts takes the place of one if a function's callers
// pass no arguments for its variadic parameter.
func (s *scanner) overwritten(fn *function, variadic int, t Text, texts []Text) bool {
	kept := decided(Value{Alternatives: texts}, []frame{s.without(fn, variadic)})
	return !slices.ContainsFunc(kept.Alternatives, func(k Text) bool { return k.Def == t.Def && k.entry == t.entry && k.Pos == t.Pos })
}

// without returns the frame of a function whose callers pass no arguments for its variadic
// parameter.
func (s *scanner) without(fn *function, variadic int) frame {
	return frame{index: s.index, fn: fn, info: fn.pkg.Info, lengths: map[*types.Var]int{fn.sig.Params().At(variadic): 0}}
}

// onlyWithArgs reports whether a node runs only if a function's callers pass arguments for its
// variadic parameter. through are the calls that lead to the node, innermost first.
func (s *scanner) onlyWithArgs(fn *function, variadic int, node ast.Node, through []*binding) bool {
	f := s.without(fn, variadic)
	for _, b := range slices.Backward(through) {
		if b.call == nil || b.fn == fn {
			continue
		}
		if f.fateOf(b.call) == neverRuns {
			return true
		}
		f = f.into(b.call, b.fn)
	}
	return f.fateOf(node) == neverRuns
}

// shown returns the texts of the arguments for the verbs of a constant format, and the texts that
// calls and slices take in them: a text that is formatted and then cut was formatted all the same.
func (s *scanner) shown(at place, args []ast.Expr) (texts []Text) {
	e := s.evaluator(at.fn, at.pkg)
	for _, x := range args {
		if t := at.pkg.Info.TypeOf(x); t != nil && IsString(t) {
			texts = append(texts, e.within(x, 0)...)
		}
	}
	return texts
}

// within returns the texts of an expression, and the texts that its calls and slices take.
func (e *evaluator) within(x ast.Expr, depth int) []Text {
	if depth > mostForwards {
		return nil
	}
	texts := e.eval(x)
	for _, t := range texts {
		for _, p := range t.Parts {
			if p.in == nil || p.Expr == nil {
				continue
			}
			in := e.in(p.in.fn, p.in.pkg)
			switch of := ast.Unparen(p.Expr).(type) {
			case *ast.CallExpr:
				for _, arg := range of.Args {
					if t := p.in.pkg.Info.TypeOf(arg); t != nil && IsString(t) {
						texts = append(texts, in.within(arg, depth+1)...)
					}
				}
			case *ast.SliceExpr:
				texts = append(texts, in.within(of.X, depth+1)...)
			}
		}
	}
	return texts
}

// callersFormat returns the function whose format a part has, and the index of the format's
// parameter. The part must have all variadic arguments of the function, and nothing else but
// literal text.
func (p Part) callersFormat() (fn *function, index int) {
	if p.format == nil || p.args == nil || len(p.args.parts) > 0 || p.args.rest == nil || p.args.rest.fn == nil || !p.args.rest.isVariadic() {
		return nil, 0
	}
	for _, f := range p.format {
		switch {
		case f.isLiteral() && !strings.Contains(f.Literal, "%"):
		case fn == nil && f.param != nil && f.param.fn == p.args.rest.fn && f.param.index >= 0:
			fn, index = f.param.fn, f.param.index
		default:
			return nil, 0
		}
	}
	return fn, index
}
