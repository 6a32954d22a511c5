package scan

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// recorders analyses the recorder types of the program and of its dependencies.
type recorders struct {
	*index
	flow *flow
	// inside holds the calls of recorders' methods in each declared function, and recording all of
	// them.
	inside    map[*ast.FuncDecl][]recordedCall
	recording map[ast.Node]bool
	found     map[ast.Node]behind
	// same and plain cache storesArguments and readsText.
	same  map[*function]bool
	plain map[*function]*reading
}

// reading is the first place that uses a format or its arguments for anything but the text. It is
// nil if there is none.
type reading struct {
	fn   *function
	node ast.Node
}

func newRecorders(x *index) *recorders {
	r := &recorders{
		index: x, inside: map[*ast.FuncDecl][]recordedCall{}, recording: map[ast.Node]bool{}, found: map[ast.Node]behind{}, same: map[*function]bool{}, plain: map[*function]*reading{},
	}
	own := len(x.prog.Recorders) > 0
	for _, c := range x.recorded {
		r.recording[c.node] = true
		if c.fn != nil && c.fn.decl != nil {
			r.inside[c.fn.decl] = append(r.inside[c.fn.decl], c)
		}
		if fn := c.callee(); isOwn(fn) && x.functions[funcKey(fn)] == nil {
			x.fromSource(fn)
		}
	}
	for _, name := range recorderMethods {
		own = own || slices.ContainsFunc(x.methods[name], isOwnRecorder)
	}
	if own {
		r.flow = newFlow(x)
	}
	return r
}

var recorderMethods = []string{"Event", "Eventf", "AnnotatedEventf"}

// isOwnRecorder reports whether a function is a recorder's method, and code of the program or a
// dependency.
func isOwnRecorder(f *function) bool {
	_, records := ShapeOf(f.obj)
	return records && isOwn(f.obj)
}

func (c recordedCall) callee() *types.Func { return Callee(c.pkg.Info, c.node.(*ast.CallExpr)) }

// at returns the methods that a call of a recorder's method can enter.
func (r *recorders) at(c place) behind {
	if r.flow == nil {
		b := behind{library: true, open: true}
		if fn := Callee(c.pkg.Info, c.node.(*ast.CallExpr)); isOwn(fn) {
			b = behind{unread: []*types.Func{fn}}
		}
		return b
	}
	b, known := r.found[c.node]
	if !known {
		b = r.flow.at(c)
		r.found[c.node] = b
	}
	return b
}

// enters reports whether a call of a recorder's method can enter a function.
func (r *recorders) enters(c place, f *function) bool { return slices.Contains(r.at(c).own, f) }

// direct reports whether a call of a recorder's method stores its arguments: it can enter a
// library's method, an unread method, or a method that passes on this call's arguments.
func (r *recorders) direct(c place) bool {
	b := r.at(c)
	return b.library || len(b.unread) > 0 || r.ends(c) || slices.ContainsFunc(b.own, func(f *function) bool { return r.storesArgumentsAt(c, f) })
}

// ends reports whether a call names a recorder's method of the program with no other recorder
// behind it: such a method is the program's own way to record. Behind an interface, such a type is
// a fake.
func (r *recorders) ends(c place) bool {
	recv := Callee(c.pkg.Info, c.node.(*ast.CallExpr)).Signature().Recv()
	b := r.at(c)
	if recv == nil || types.IsInterface(recv.Type()) || len(b.own) != 1 || b.own[0].decl == nil {
		return false
	}
	return !r.records(b.own[0])
}

// records reports whether a function records events, or hands them on.
func (r *recorders) records(f *function) bool {
	return len(r.inside[f.decl]) > 0 || r.leads(f) || r.handsOut(f)
}

// RecorderMethod is a recorder's method that a program or a dependency declares.
type RecorderMethod struct {
	// Key identifies the method. Name and Parameters find calls through interfaces.
	Key, Name, Parameters string
	// Same: the method stores its arguments.
	Same bool
}

// RecorderMethods returns the recorders' methods that a package declares outside of tests.
func (r *Result) RecorderMethods(p *Package) (list []RecorderMethod) {
	for _, name := range recorderMethods {
		for _, f := range r.index.methods[name] {
			if f.pkg == p && isOwnRecorder(f) && !r.index.inTest(f.file) {
				list = append(list, RecorderMethod{ObjectName(f.obj), name, Parameters(f.obj), r.recorders.storesArguments(f)})
			}
		}
	}
	return list
}

// hidden reports whether a call of a recorder's method may enter an unread method of the program
// that stores something else. Such a method is behind an interface that other packages can set, or
// in a package that is known by facts only, or the values behind the interface are not followed.
func (r *recorders) hidden(c recordedCall) bool {
	if !r.prog.Open {
		return slices.ContainsFunc(r.lostAt(c.place), func(f *function) bool { return !r.storesArguments(f) })
	}
	b, callee := r.at(c.place), c.callee()
	for _, m := range r.prog.Recorders {
		if !m.Same && slices.ContainsFunc(b.unread, func(fn *types.Func) bool { return ObjectName(fn) == m.Key }) {
			return true
		}
	}
	recv := callee.Signature().Recv()
	if !b.open || recv == nil || !types.IsInterface(recv.Type()) {
		return false
	}
	parameters := Parameters(callee)
	return !isLibrary(callee.Pkg()) ||
		slices.ContainsFunc(r.prog.Recorders, func(m RecorderMethod) bool {
			return !m.Same && m.Name == callee.Name() && m.Parameters == parameters
		}) ||
		slices.ContainsFunc(r.methods[callee.Name()], func(f *function) bool {
			return isOwnRecorder(f) && !r.inTest(f.file) && Parameters(f.obj) == parameters && !r.storesArguments(f)
		})
}

// lostAt returns the recorder's methods of the program that a call may enter because the values
// behind its interface are not followed.
func (r *recorders) lostAt(c place) (list []*function) {
	if !r.at(c).lost {
		return nil
	}
	callee := Callee(c.pkg.Info, c.node.(*ast.CallExpr))
	for _, f := range r.methods[callee.Name()] {
		if isOwnRecorder(f) && !r.inTest(f.file) && Parameters(f.obj) == Parameters(callee) && r.records(f) {
			list = append(list, f)
		}
	}
	return list
}

// several reports whether a call of a recorder's method can enter methods that store different
// things.
func (r *recorders) several(c place) bool {
	changing := slices.DeleteFunc(slices.Clone(r.at(c).own), func(f *function) bool { return r.storesArgumentsAt(c, f) })
	return len(changing) > 1 || len(changing) == 1 && r.direct(c)
}

// storesArguments reports whether a recorder's method stores its object, type, reason, action and
// text, wherever it stores an event.
func (r *recorders) storesArguments(f *function) bool {
	same, known := r.same[f]
	if !known {
		r.same[f] = false // until the result is known, for a method that calls itself
		same = r.storesIn(frame{index: r.index, fn: f, info: f.pkg.Info})
		r.same[f] = same
	}
	return same
}

// storesArgumentsAt is storesArguments for one call, whose constants decide conditions.
func (r *recorders) storesArgumentsAt(c place, f *function) bool {
	return r.storesArguments(f) || r.storesIn(frame{index: r.index, info: c.pkg.Info, fn: c.fn}.into(c.node.(*ast.CallExpr), f))
}

// storesIn reports whether the method of a frame stores its arguments. It ignores calls that never
// run in the frame.
func (r *recorders) storesIn(in frame) bool {
	f := in.fn
	shape, records := ShapeOf(f.obj)
	if !records || f.decl == nil || in.depth > mostForwards || r.leads(f) {
		return false
	}
	stores := false
	for _, c := range r.inside[f.decl] {
		if in.fateOf(c.node) == neverRuns {
			continue
		}
		if stores = true; !r.storesBy(in, shape, c) {
			return false
		}
	}
	return stores
}

// storesBy reports whether a call in the method of a frame stores the method's arguments. A call
// that enters the method again does so if all other calls of the method do.
func (r *recorders) storesBy(in frame, shape Shape, c recordedCall) bool {
	f := in.fn
	call, e := c.node.(*ast.CallExpr), r.evaluator(c.fn, c.pkg)
	if c.shape.API != shape.API || slices.ContainsFunc(r.at(c.place).own, func(o *function) bool {
		return o != f && !r.storesArguments(o) && !r.storesIn(in.into(call, o))
	}) {
		return false
	}
	given := func(to, from int) bool {
		if to < 0 || to >= len(call.Args) {
			return to < 0
		}
		p, ok := onlyPart(decided(Value{Alternatives: e.eval(call.Args[to])}, []frame{in}).Alternatives)
		return ok && p.param != nil && p.param.fn == f && p.param.index == from
	}
	object := func(to, from int) bool {
		if to < 0 || to >= len(call.Args) {
			return to < 0
		}
		p := e.untouched(Unwrapped(c.pkg.Info, call.Args[to]))
		return p != nil && p.fn == f && p.index == from
	}
	return given(c.shape.EventType, shape.EventType) && given(c.shape.Reason, shape.Reason) && given(c.shape.Action, shape.Action) &&
		object(c.shape.Regarding, shape.Regarding) && object(c.shape.Related, shape.Related) &&
		r.sameText(f, shape, decided(e.message(call, c.shape), []frame{in}))
}

// onlyPart returns the part if all texts are the same single part, shown unchanged.
func onlyPart(texts []Text) (Part, bool) {
	if len(texts) != 1 || len(texts[0].Parts) != 1 {
		return Part{}, false
	}
	p := texts[0].Parts[0]
	return p, p.Plain() && p.format == nil && p.pure == nil
}

// sameText reports whether a message is the text of a recorder's method, formatted or not according
// to the method's name.
func (r *recorders) sameText(f *function, shape Shape, message Value) bool {
	if !shape.Formats {
		p, ok := onlyPart(message.Alternatives)
		return ok && p.param != nil && p.param.fn == f && p.param.index == shape.Message
	}
	if len(message.Alternatives) != 1 || len(message.Alternatives[0].Parts) != 1 {
		return false
	}
	p := message.Alternatives[0].Parts[0]
	fn, index := p.callersFormat()
	return p.Plain() && fn == f && index == shape.Message && len(p.format) == 1 && p.args.rest.index == shape.Message+1
}

// leads reports whether a function calls other functions with source that record, apart from
// recorders' methods.
func (r *recorders) leads(f *function) bool {
	seen := map[*function]bool{f: true}
	var follow func(*function) bool
	follow = func(f *function) bool {
		for n := range ast.Preorder(f.node) {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				continue
			}
			callee := Callee(f.pkg.Info, call)
			if callee == nil {
				continue
			}
			if _, records := ShapeOf(callee); records {
				continue
			}
			if next := r.functions[funcKey(callee)]; next != nil && next.body != nil && !seen[next] {
				seen[next] = true
				if len(r.inside[next.decl]) > 0 || follow(next) {
					return true
				}
			}
		}
		return false
	}
	return follow(f)
}

// lost returns the recorder's method that a call enters, if the method hands the reason to code
// that scan does not follow, such as a function value or a channel.
func (r *recorders) lost(c place, seen map[*function]bool) *function {
	for _, f := range r.at(c).own {
		if f.decl == nil || seen[f] {
			continue
		}
		seen[f] = true
		if r.handsOut(f) {
			return f
		}
		for _, inner := range r.inside[f.decl] {
			if found := r.lost(inner.place, seen); found != nil {
				return found
			}
		}
	}
	return nil
}

// handsOut reports whether a recorder's method passes its reason to an unread function, or sends it
// on a channel.
func (r *recorders) handsOut(f *function) bool {
	shape, _ := ShapeOf(f.obj)
	reason, info := f.sig.Params().At(shape.Reason), f.pkg.Info
	for n := range ast.Preorder(f.body) {
		switch n := n.(type) {
		case *ast.SendStmt:
			if _, text := info.TypeOf(n.Value).Underlying().(*types.Basic); !text && mentions(info, n.Value, reason) {
				return true
			}
		case *ast.CallExpr:
			if info.Types[n.Fun].IsType() || !slices.ContainsFunc(n.Args, func(x ast.Expr) bool { return Variable(info, x) == reason }) {
				continue
			}
			if _, builtin := Named(info, n.Fun).(*types.Builtin); !builtin && !pure(info, n) && !prints(info, n) && len(r.evaluator(f, f.pkg).targets(n)) == 0 && !r.recording[n] {
				return true
			}
		}
	}
	return false
}

// prints reports whether a call only writes text: a log line, or text of package fmt.
func prints(info *types.Info, call *ast.CallExpr) bool {
	fn := Callee(info, call)
	return logs(info, call) || fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "fmt"
}

// readsText returns the first place in a function that uses the format parameter or the variadic
// one for anything but their text. The effect of such a function depends on more than the recorded
// text.
func (r *recorders) readsText(f *function, format, args int) *reading {
	if found, known := r.plain[f]; known {
		return found
	}
	r.plain[f] = nil
	found := r.reading(f, format, args)
	r.plain[f] = found
	return found
}

func (r *recorders) reading(f *function, format, args int) *reading {
	params := f.sig.Params()
	if f.body == nil || format < 0 || args != params.Len()-1 || !f.sig.Variadic() {
		return &reading{f, f.node}
	}
	text := [2]*types.Var{params.At(format), params.At(args)}
	taken := map[*ast.Ident]bool{}
	for n := range ast.Preorder(f.body) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if bad := r.forwardsText(f, n, text, taken); bad != nil {
				return bad
			}
		case *ast.Ident:
			if v, ok := f.pkg.Info.Uses[n].(*types.Var); ok && !taken[n] && (v == text[0] || v == text[1]) {
				return &reading{f, n}
			}
		}
	}
	return nil
}

// forwardsText notes the identifiers of a call that passes on a format with its arguments. It
// returns the place in the called function that reads them.
func (r *recorders) forwardsText(f *function, call *ast.CallExpr, text [2]*types.Var, taken map[*ast.Ident]bool) *reading {
	info, n := f.pkg.Info, len(call.Args)
	callee := Callee(info, call)
	if callee == nil {
		return nil
	}
	if logs(info, call) {
		for _, arg := range call.Args { // but not arguments of another call, which may change them
			if id, ok := ast.Unparen(arg).(*ast.Ident); ok {
				taken[id] = true
			}
		}
		return nil
	}
	if n < 2 || !call.Ellipsis.IsValid() || Variable(info, call.Args[n-1]) != text[1] || Variable(info, call.Args[n-2]) != text[0] {
		return nil
	}
	shape, records := ShapeOf(callee)
	switch {
	case callee.FullName() == "fmt.Sprintf" && n == 2:
	case records && shape.Message == n-2:
		for _, inner := range r.at(place{call, f, f.pkg, f.file}).own {
			if bad := r.readsText(inner, n-2, n-1); bad != nil {
				return bad
			}
		}
	case r.functions[funcKey(callee)] != nil:
		if bad := r.readsText(r.functions[funcKey(callee)], n-2, n-1); bad != nil {
			return bad
		}
	default:
		return nil
	}
	taken[ast.Unparen(call.Args[n-1]).(*ast.Ident)], taken[ast.Unparen(call.Args[n-2]).(*ast.Ident)] = true, true
	return nil
}

// isQuiet reports whether a function belongs to a package that only logs.
func isQuiet(fn *types.Func) bool {
	return fn.Pkg() != nil && slices.Contains([]string{"log", "log/slog", "github.com/go-logr/logr", "k8s.io/klog/v2"}, RealPath(fn.Pkg().Path()))
}

// form returns the body of a recorder's method, with words in the place of its parameters and of
// the recording calls. Two methods with the same form store the same.
func (r *recorders) form(f *function, above ...*function) string {
	shape, _ := ShapeOf(f.obj)
	names := map[types.Object]string{f.sig.Recv(): "·receiver"}
	for word, index := range map[string]int{
		"·regarding": shape.Regarding, "·related": shape.Related, "·type": shape.EventType, "·reason": shape.Reason, "·action": shape.Action,
	} {
		if index >= 0 {
			names[f.sig.Params().At(index)] = word
		}
	}
	p := &former{recorders: r, fn: f, shape: shape, names: names}
	if next := p.delegate(); next != nil && !slices.Contains(above, f) {
		return r.form(next, append(above, f)...) // the method only calls the other one
	}
	return p.print(f.body)
}

// former prints one method.
type former struct {
	*recorders
	fn    *function
	shape Shape
	names map[types.Object]string
}

// print writes nodes as source, with a word in place of each node that replace knows.
func (p *former) print(root ast.Node) string {
	var b strings.Builder
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			b.WriteString(")")
			return true
		}
		if word, known := p.word(n); known {
			b.WriteString(word)
			return false
		}
		fmt.Fprintf(&b, "(%T", n)
		for _, part := range reflect.ValueOf(n).Elem().Fields() {
			switch part.Interface().(type) {
			case string, token.Token:
				fmt.Fprint(&b, part)
			}
		}
		return true
	})
	return b.String()
}

// word returns the word for a node: for a parameter, for the text, or for a call that records the
// text. Log lines, and the variable that holds the text, have an empty word.
func (p *former) word(n ast.Node) (word string, known bool) {
	switch n := n.(type) {
	case *ast.Ident:
		if obj := p.fn.pkg.Info.ObjectOf(n); obj != nil && p.names[obj] != "" {
			return p.names[obj], true
		}
		return "·text", p.isText(n)
	case *ast.ExprStmt:
		call, ok := ast.Unparen(n.X).(*ast.CallExpr)
		return "", ok && logs(p.fn.pkg.Info, call)
	case *ast.AssignStmt:
		if v := p.holdsText(n); v != nil {
			p.names[v] = "·text"
			return "", true
		}
	case *ast.CallExpr:
		if p.isText(n) {
			return "·text", true
		}
		word = p.recording(n)
		return word, word != ""
	}
	return "", false
}

// logs reports whether a call only writes a log line.
func logs(info *types.Info, call *ast.CallExpr) bool {
	fn := Callee(info, call)
	return fn != nil && isQuiet(fn) && fn.Signature().Results().Len() == 0
}

// holdsText returns the variable that a statement declares with the text as its only value, or nil.
func (p *former) holdsText(s *ast.AssignStmt) *types.Var {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !p.isText(ast.Unparen(s.Rhs[0])) {
		return nil
	}
	v := Variable(p.fn.pkg.Info, s.Lhs[0])
	if v == nil || len(p.variable(v).defs) != 1 || p.escapes(v) {
		return nil
	}
	return v
}

// isText reports whether an expression is the text that the method gets.
func (p *former) isText(x ast.Expr) bool {
	info := p.fn.pkg.Info
	if v := Variable(info, x); v != nil && p.names[v] == "·text" {
		return true
	}
	if !p.shape.Formats {
		return Variable(info, x) == p.fn.sig.Params().At(p.shape.Message)
	}
	call, ok := x.(*ast.CallExpr)
	return ok && calleeIs(info, call, "fmt.Sprintf") && p.formatsBoth(call, 0)
}

// formatsBoth reports whether a call passes on the format, at an index, and all arguments.
func (p *former) formatsBoth(call *ast.CallExpr, at int) bool {
	info, params := p.fn.pkg.Info, p.fn.sig.Params()
	return len(call.Args) == at+2 && call.Ellipsis.IsValid() && Variable(info, call.Args[at]) == params.At(p.shape.Message) &&
		Variable(info, call.Args[at+1]) == params.At(p.shape.Message+1)
}

func calleeIs(info *types.Info, call *ast.CallExpr, name string) bool {
	fn := Callee(info, call)
	return fn != nil && fn.FullName() == name
}

// recording returns the form of a call that records the method's text. Three calls store the same:
// Event with the text, Eventf with the format and the arguments, and Eventf with "%s" and the text.
func (p *former) recording(call *ast.CallExpr) string {
	info := p.fn.pkg.Info
	fn := Callee(info, call)
	if fn == nil {
		return ""
	}
	shape, records := ShapeOf(fn)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !records || !ok || shape.Message >= len(call.Args) {
		return ""
	}
	switch format, _ := ConstantText(info, call.Args[shape.Message]); {
	case shape.Formats && p.shape.Formats && p.formatsBoth(call, shape.Message):
	case shape.Formats && format == "%s" && len(call.Args) == shape.Message+2 && p.isText(ast.Unparen(call.Args[shape.Message+1])):
	case !shape.Formats && p.isText(ast.Unparen(call.Args[shape.Message])):
	default:
		return ""
	}
	if i := shape.Annotations; i >= 0 && !info.Types[call.Args[i]].IsNil() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "·record(%s", p.print(sel.X))
	for _, arg := range call.Args[:shape.Message] {
		b.WriteString("," + p.print(arg))
	}
	return b.String() + ",·text)"
}

// delegate returns the method of the same receiver that the method calls with the text, if it does
// nothing else.
func (p *former) delegate() *function {
	if len(p.fn.body.List) != 1 {
		return nil
	}
	s, ok := p.fn.body.List[0].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok || receiver(call) == nil || Variable(p.fn.pkg.Info, receiver(call)) != p.fn.sig.Recv() || p.recording(call) == "" {
		return nil
	}
	b := p.at(place{call, p.fn, p.fn.pkg, p.fn.file})
	if len(b.own) != 1 || b.library || len(b.unread) > 0 {
		return nil
	}
	// with the same object, type, reason and action
	next, _ := ShapeOf(b.own[0].obj)
	for i, arg := range call.Args[:next.Message] {
		if i == next.Annotations && p.fn.pkg.Info.Types[arg].IsNil() {
			continue
		}
		want := map[int]string{next.Regarding: "·regarding", next.Related: "·related", next.EventType: "·type", next.Reason: "·reason", next.Action: "·action"}[i]
		if p.print(ast.Unparen(arg)) != want {
			return nil
		}
	}
	return b.own[0]
}
