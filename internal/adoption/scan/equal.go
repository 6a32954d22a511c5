package scan

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// OwnRecorder returns why a call of another method, with the finished text, may store something
// else than the site's call of a recorder's method. One reason is that the program's own type reads
// the format or its arguments; another is that its two methods differ. It is empty if no such type
// stands behind the recorder.
func (r *Result) OwnRecorder(s *Site) string {
	if r.recorders == nil || r.recorders.flow == nil || s.Call == nil || s.Callee == nil {
		return ""
	}
	c := place{s.Call, s.fn, s.Package, s.File}
	b, others := r.recorders.at(c), s.otherMethods()
	receivers := slices.Clone(b.types)
	b.own = slices.Clone(b.own)
	for _, m := range r.recorders.lostAt(c) {
		receivers, b.own = append(receivers, m.sig.Recv().Type()), append(b.own, m)
	}
	for _, m := range b.own {
		if why := r.recorders.readsAt(m, s.Shape.Message, s.Shape.Formats); why != "" {
			return why
		}
	}
	for _, t := range receivers {
		for _, other := range others {
			if why := r.recorders.differ(t, s.Callee.Name(), other); why != "" {
				return why
			}
		}
	}
	return ""
}

// otherMethods returns the methods that a typed call can call: AnnotatedEventf if there are
// annotations, else Eventf.
func (s *Site) otherMethods() []string {
	switch x := s.Annotations.(type) {
	case nil:
		return []string{"Eventf"}
	case *ast.CompositeLit:
		if len(x.Elts) > 0 {
			return []string{"AnnotatedEventf"}
		}
		return []string{"Eventf"}
	case *ast.Ident:
		if s.Package.Info.Types[x].IsNil() {
			return []string{"Eventf"}
		}
	}
	return []string{"AnnotatedEventf", "Eventf"} // the annotations may be empty
}

// KnowsRecorder reports whether the scan has read the code of all types that can stand behind the
// recorder of a site: the recorder's type, or each type behind its interface.
func (r *Result) KnowsRecorder(s *Site) bool {
	if r.recorders == nil || r.recorders.flow == nil || s.Call == nil || s.Recorder == nil {
		return false
	}
	if b := r.recorders.at(place{s.Call, s.fn, s.Package, s.File}); !b.library && len(b.unread) == 0 {
		return true
	}
	t := s.Package.Info.TypeOf(s.Recorder)
	return t != nil && !types.IsInterface(t) && !slices.ContainsFunc(recorderMethods, func(name string) bool {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		fn, ok := obj.(*types.Func)
		return ok && isOwn(fn) && r.index.functions[funcKey(fn)] == nil
	})
}

// ReadsArguments returns why a site's function may record something else if a call passes "%s" and
// the finished text in place of a format and its arguments. format is the index of the format. The
// result is empty if the function uses them only to make the text.
func (r *Result) ReadsArguments(s *Site, format int) string {
	if r.recorders == nil || s.Call == nil {
		return ""
	}
	e := r.index.evaluator(s.fn, s.Package)
	targets := e.targets(s.Call)
	if r.recorders.recording[s.Call] {
		targets = r.recorders.at(place{s.Call, s.fn, s.Package, s.File}).own
	}
	for _, f := range targets {
		if why := r.recorders.readsAt(f, format, true); why != "" {
			return why
		}
	}
	return ""
}

// readsAt returns where a function reads its format or arguments; empty if it only makes the text.
func (r *recorders) readsAt(f *function, format int, formats bool) string {
	if !formats {
		return ""
	}
	bad := r.readsText(f, format, format+1)
	if bad == nil {
		return ""
	}
	what := "does not make the text of its format and arguments"
	if id, ok := bad.node.(*ast.Ident); ok {
		what = "reads " + id.Name + " otherwise than for the text"
	}
	return fmt.Sprintf("%s at %s %s", bad.fn.title(), r.prog.Fset.Position(bad.node.Pos()), what)
}

// title returns the name of a function with the type that has it.
func (f *function) title() string {
	if f.sig == nil || f.sig.Recv() == nil {
		return f.name()
	}
	return f.name() + " of " + types.TypeString(f.sig.Recv().Type(), (*types.Package).Name)
}

// isRecorderOwn reports whether the program declares one of the recorder's methods of a type.
func isRecorderOwn(t types.Type) bool {
	for _, name := range recorderMethods {
		obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
		if fn, ok := obj.(*types.Func); ok && isOwn(fn) {
			return true
		}
	}
	return false
}

// differ returns how two recorder's methods of a type may differ in the event that they store;
// empty if they store the same.
func (r *recorders) differ(t types.Type, one, other string) string {
	if one == other || !isRecorderOwn(t) {
		return ""
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, other)
	if fn, ok := obj.(*types.Func); ok && isOwn(fn) && r.functions[funcKey(fn)] != nil {
		shape, _ := ShapeOf(fn)
		if why := r.readsAt(r.functions[funcKey(fn)], shape.Message, shape.Formats); why != "" {
			return fmt.Sprintf("the typed call calls %s in place of %s, and %s", other, one, why)
		}
	}
	a, b := r.methodForm(t, one), r.methodForm(t, other)
	if a != "" && a == b {
		return ""
	}
	return fmt.Sprintf("the typed call calls %s of %s, which may store something else than %s", other, types.TypeString(t, (*types.Package).Name), one)
}

// methodForm returns the form of a type's method, which may be promoted; empty if the form is
// unknown.
func (r *recorders) methodForm(t types.Type, name string) string {
	obj, path, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return ""
	}
	shape, records := ShapeOf(fn)
	if f := r.functions[funcKey(fn)]; isOwn(fn) && f != nil && f.body != nil && records {
		if shape.Formats && r.readsText(f, shape.Message, shape.Message+1) != nil {
			return ""
		}
		if len(path) > 1 {
			return fmt.Sprint(path[:len(path)-1], r.form(f))
		}
		return r.form(f)
	}
	if isOwn(fn) || !records || len(path) < 2 {
		return ""
	}
	// a promoted method of the library gets the form that source code would have
	on := "·receiver"
	for _, i := range path[:len(path)-1] {
		s, ok := Deref(t).Underlying().(*types.Struct)
		if !ok {
			return ""
		}
		on, t = "(*ast.SelectorExpr"+on+"(*ast.Ident"+s.Field(i).Name()+"))", s.Field(i).Type()
	}
	words := []string{on, "·regarding"}
	if shape.Related >= 0 {
		words = append(words, "·related")
	}
	words = append(words, "·type", "·reason")
	if shape.Action >= 0 {
		words = append(words, "·action")
	}
	return "(*ast.BlockStmt(*ast.ExprStmt·record(" + strings.Join(append(words, "·text)"), ",") + "))"
}
