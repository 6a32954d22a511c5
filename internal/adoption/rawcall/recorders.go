package rawcall

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// recorderNames is EV531. The core group takes any name.
func (c *checker) recorderNames() {
	for _, made := range c.Controllers {
		if errs := validation.IsQualifiedName(made.Name); made.API == scan.Events && len(errs) > 0 {
			why, _, _ := strings.Cut(errs[0], " (")
			c.report(made.At, callrules.RecorderName, "every event of a reporting controller %q is refused: %s", made.Name, why)
		}
	}
}

// broadcasters is EV532 and EV533.
func (c *checker) broadcasters() {
	for _, p := range c.Packages {
		if p.Dependency {
			continue
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
					c.broadcastersIn(p, fn.Body)
				}
			}
		}
	}
}

func (c *checker) broadcastersIn(p *scan.Package, body *ast.BlockStmt) {
	report := func(call *ast.CallExpr) {
		c.report(call.Pos(), callrules.IdleBroadcaster, "nothing starts this broadcaster with a sink or a watcher, so that all events are lost; call StartRecordingToSink")
	}
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.CallExpr:
			if x, name := selected(n); name == "NewRecorder" && makesBroadcaster(p, x) {
				report(ast.Unparen(x).(*ast.CallExpr))
			}
			if name := methodOf(n); strings.HasPrefix(name, "StartRecordingToSink") {
				c.boundSink(p, n, body)
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != len(n.Rhs) {
				continue
			}
			for i, left := range n.Lhs {
				if v := scan.Variable(p.Info, left); scan.IsLocal(v) && makesBroadcaster(p, n.Rhs[i]) && idle(p.Info, body, v) {
					report(ast.Unparen(n.Rhs[i]).(*ast.CallExpr))
				}
			}
		}
	}
}

func methodOf(call *ast.CallExpr) string {
	_, name := selected(call)
	return name
}

func makesBroadcaster(p *scan.Package, x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := scan.Callee(p.Info, call)
	return fn != nil && facts.Constructors[scan.ObjectName(fn)].Broadcaster
}

// idle reports whether code uses a local variable only to make recorders, and to shut its
// broadcaster down.
func idle(info *types.Info, body *ast.BlockStmt, v *types.Var) bool {
	quiet, uses, records := 0, 0, false
	for n := range ast.Preorder(body) {
		switch n := n.(type) {
		case *ast.Ident:
			if info.Uses[n] == v {
				uses++
			}
		case *ast.SelectorExpr:
			if scan.Variable(info, n.X) == v && slices.Contains([]string{"NewRecorder", "DeprecatedNewLegacyRecorder", "Shutdown"}, n.Sel.Name) {
				quiet++
				records = records || n.Sel.Name != "Shutdown"
			}
		}
	}
	return records && uses == quiet
}

// boundSink is EV533: a sink's namespace is one constant, or read from the environment, but its
// recorder is not only for leader election.
func (c *checker) boundSink(p *scan.Package, call *ast.CallExpr, body *ast.BlockStmt) {
	if len(c.Sites) == 0 || mentions(p, body, "k8s.io/client-go/tools/leaderelection/resourcelock") {
		return
	}
	for n := range ast.Preorder(call) {
		client, ok := n.(*ast.CallExpr)
		if !ok || methodOf(client) != "Events" || len(client.Args) != 1 {
			continue
		}
		namespace := client.Args[0]
		text, constant := scan.ConstantText(p.Info, namespace)
		if inner, ok := ast.Unparen(namespace).(*ast.CallExpr); constant && text != "" || ok && calleeName(p.Info, inner) == "os.Getenv" {
			c.report(namespace.Pos(), callrules.OneNamespaceSink, "the sink takes only events about objects in the namespace %s; write \"\" for all namespaces", short(namespace))
		}
	}
}

// mentions reports whether code names anything of a package.
func mentions(p *scan.Package, body ast.Node, path string) bool {
	for n := range ast.Preorder(body) {
		if id, ok := n.(*ast.Ident); ok {
			if obj := p.Info.Uses[id]; obj != nil && obj.Pkg() != nil && scan.RealPath(obj.Pkg().Path()) == path {
				return true
			}
		}
	}
	return false
}

// recorderField is a field of a struct of the program that holds a recorder.
type recorderField struct {
	set bool
	// use is the first call that records on the field.
	use  token.Pos
	name string
}

// unset collects facts about structs with recorders. The keys are the names of types, with the
// field's name for fields.
type unset struct {
	fields map[string]*recorderField
	// made holds the types that the code makes values of. open holds the types whose values unread
	// code may make or change.
	made map[string]token.Pos
	open map[string]bool
}

// unsetRecorders is EV534.
func (c *checker) unsetRecorders() {
	if !c.Complete || !slices.ContainsFunc(c.Packages, func(p *scan.Package) bool { return p.Main && !p.Dependency }) {
		return
	}
	u := &unset{fields: map[string]*recorderField{}, made: map[string]token.Pos{}, open: map[string]bool{}}
	for _, p := range c.Packages {
		if !p.Dependency {
			for _, f := range p.Syntax {
				u.read(p.Info, f)
			}
		}
	}
	for key, f := range u.fields {
		owner := strings.TrimSuffix(key, "."+f.name)
		if at, made := u.made[owner]; made && !f.set && f.use.IsValid() && !u.open[owner] && c.declares(owner) {
			c.report(f.use, callrules.UnsetRecorder, "nothing sets the field %s of %s, so that this call panics; set it where the value is made, at %s",
				f.name, owner[strings.LastIndexAny(owner, "./")+1:], c.Where(at))
		}
	}
}

// declares reports whether one of the judged packages declares a type.
func (c *checker) declares(owner string) bool {
	return slices.ContainsFunc(c.Packages, func(p *scan.Package) bool {
		name, found := strings.CutPrefix(owner, p.Path+".")
		return found && !p.Dependency && p.Types != nil && p.Types.Scope().Lookup(name) != nil
	})
}

func (u *unset) field(owner, name string) *recorderField {
	key := owner + "." + name
	if u.fields[key] == nil {
		u.fields[key] = &recorderField{name: name}
	}
	return u.fields[key]
}

// read notes a file's uses of recorders' fields.
func (u *unset) read(info *types.Info, f *ast.File) {
	for n := range ast.Preorder(f) {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				u.written(info, left)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				u.written(info, n.X)
			}
		case *ast.BinaryExpr: // a comparison with nil
			u.written(info, n.X)
			u.written(info, n.Y)
		case *ast.CallExpr:
			u.called(info, n)
		case *ast.CompositeLit:
			u.literal(info, n)
		case *ast.ValueSpec:
			if n.Type != nil && len(n.Values) == 0 {
				u.makes(info.TypeOf(n.Type), n.Pos())
			}
		case *ast.Ident:
			for t := range info.Instances[n].TypeArgs.Types() {
				u.opens(t)
			}
		case *ast.SelectorExpr:
			u.selected(info, n)
		}
	}
}

// written notes a place that may store a value in a field, or checks whether the field has one.
func (u *unset) written(info *types.Info, x ast.Expr) {
	if sel, ok := ast.Unparen(x).(*ast.SelectorExpr); ok {
		if owner := scan.FieldOwner(info, sel); owner != "" {
			u.field(owner, sel.Sel.Name).set = true
		}
	}
}

func (u *unset) makes(t types.Type, at token.Pos) {
	if name := scan.TypeName(t); name != "" && !u.made[name].IsValid() {
		u.made[name] = at
	}
}

func (u *unset) opens(t types.Type) { u.open[scan.TypeName(scan.Deref(t))] = true }

// called notes new(T), conversions, and arguments of functions that take any value: such functions
// may set fields by reflection.
func (u *unset) called(info *types.Info, call *ast.CallExpr) {
	if info.Types[call.Fun].IsType() {
		u.opens(info.TypeOf(call.Fun))
		return
	}
	if builtin, ok := scan.Named(info, call.Fun).(*types.Builtin); ok {
		if builtin.Name() == "new" && len(call.Args) == 1 {
			u.makes(info.TypeOf(call.Args[0]), call.Pos())
		}
		return
	}
	sig, ok := info.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	for i, arg := range call.Args {
		if t := paramType(sig, i); t != nil && isEmptyInterface(t) && info.TypeOf(arg) != nil {
			u.opens(info.TypeOf(arg))
		}
	}
}

func paramType(sig *types.Signature, i int) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last {
		if slice, ok := sig.Params().At(last).Type().(*types.Slice); ok {
			return slice.Elem()
		}
		return nil
	}
	if i > last {
		return nil
	}
	return sig.Params().At(i).Type()
}

func isEmptyInterface(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

func (u *unset) literal(info *types.Info, lit *ast.CompositeLit) {
	t := info.TypeOf(lit)
	if t == nil {
		return
	}
	t = scan.Deref(t)
	fields, ok := t.Underlying().(*types.Struct)
	owner := scan.TypeName(t)
	if !ok || owner == "" {
		return
	}
	u.makes(t, lit.Pos())
	for f := range fields.Fields() {
		if _, set := scan.Element(info, lit, f.Name()); set {
			u.field(owner, f.Name()).set = true
		}
	}
}

// selected notes a call of a recorder's method on a field, which may be embedded.
func (u *unset) selected(info *types.Info, method *ast.SelectorExpr) {
	selection := info.Selections[method]
	if selection == nil || selection.Kind() != types.MethodVal {
		return
	}
	fn, ok := selection.Obj().(*types.Func)
	if !ok {
		return
	}
	if _, records := scan.ShapeOf(fn); !records || !types.IsInterface(fn.Signature().Recv().Type()) {
		return
	}
	owner, name := "", ""
	if path := selection.Index(); len(path) > 1 { // promoted from an embedded field
		t := selection.Recv()
		for _, i := range path[:len(path)-1] {
			s, ok := scan.Deref(t).Underlying().(*types.Struct)
			if !ok {
				return
			}
			owner, name, t = scan.TypeName(scan.Deref(t)), s.Field(i).Name(), s.Field(i).Type()
		}
	} else if sel, ok := ast.Unparen(method.X).(*ast.SelectorExpr); ok {
		owner, name = scan.FieldOwner(info, sel), sel.Sel.Name
	}
	if owner != "" {
		if f := u.field(owner, name); !f.use.IsValid() {
			f.use = method.Pos()
		}
	}
}
