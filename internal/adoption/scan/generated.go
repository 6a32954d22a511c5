package scan

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/plumbing/header"
)

// Generated reports whether event-gen has generated a file.
func Generated(f *ast.File) bool {
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			return false
		}
		for _, c := range group.List {
			if header.Is(c.Text) {
				return true
			}
		}
	}
	return false
}

// TypedFunction is a function of generated code that records an event, or makes one.
type TypedFunction struct {
	// Key identifies the function. Name and Parameters find calls through interfaces if Method is
	// true.
	Key, Name, Parameters string
	Method                bool
	// Regarding are the indexes of the parameters that the event is about. If there are several,
	// the function records an event about each.
	Regarding []int
	// Related is the index of the parameter for the related object, or -1. RelatedOptional: it may
	// be nil.
	Related         int
	RelatedOptional bool
	// Transitions: the function records the transitions of a stored object's conditions.
	Transitions bool
	// Required are the arguments that must have a value.
	Required []TypedArgument
}

// TypedArgument is an argument of a generated function: a parameter, or a field of one.
type TypedArgument struct {
	Param int
	Field string // empty: the parameter itself
}

// TypedFunctions returns the functions of a package's generated files that record or make events.
func TypedFunctions(p *Package) (list []TypedFunction) {
	for _, f := range p.Syntax {
		if !Generated(f) {
			continue
		}
		g := newGenerated(p.Info, f)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				if t, ok := g.function(fn); ok {
					list = append(list, t)
				}
			}
		}
	}
	return list
}

// generated reads one generated file.
type generated struct {
	info *types.Info
	// variables holds the values of package variables, and functions the declared functions.
	variables map[types.Object]ast.Expr
	functions map[types.Object]*ast.FuncDecl
}

func newGenerated(info *types.Info, f *ast.File) *generated {
	g := &generated{info, map[types.Object]ast.Expr{}, map[types.Object]*ast.FuncDecl{}}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			g.functions[info.Defs[d.Name]] = d
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
					for i, name := range v.Names {
						g.variables[info.Defs[name]] = v.Values[i]
					}
				}
			}
		}
	}
	return g
}

// emission is a call of the run time that records or makes an event, taken apart.
type emission struct {
	definitions []ast.Expr
	regarding   []ast.Expr
	related     ast.Expr
	args        []ast.Expr
	transitions bool
}

// function describes a declared function, if its body records or makes an event.
func (g *generated) function(d *ast.FuncDecl) (TypedFunction, bool) {
	fn, ok := g.info.Defs[d.Name].(*types.Func)
	if !ok {
		return TypedFunction{}, false
	}
	for n := range ast.Preorder(d.Body) {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			continue
		}
		if e, ok := g.emission(call); ok {
			return g.typed(fn, e), true
		}
		if now := g.functions[Forwarded(g.info, d)]; now != nil && now != d {
			t, ok := g.function(now)
			t.Key, t.Name = funcKey(fn), fn.Name()
			return t, ok
		}
	}
	return TypedFunction{}, false
}

// Forwarded returns the function that a function with an event's former name calls; nil for another
// function. Both take the same arguments.
func Forwarded(info *types.Info, d *ast.FuncDecl) types.Object {
	if d.Doc == nil || !strings.Contains(d.Doc.List[len(d.Doc.List)-1].Text, "go:fix inline") || len(d.Body.List) != 1 {
		return nil
	}
	for n := range ast.Preorder(d.Body) {
		if call, ok := n.(*ast.CallExpr); ok {
			if fn := Callee(info, call); fn != nil {
				return fn
			}
		}
	}
	return nil
}

// emission takes apart a call of the run time, as internal/output/emit writes it.
func (g *generated) emission(call *ast.CallExpr) (e emission, ok bool) {
	callee := Callee(g.info, call)
	if callee == nil {
		return e, false
	}
	args := call.Args
	name, ours := strings.CutPrefix(ObjectName(callee), facts.RunTime+".")
	switch {
	case !ours:
	case (name == "Recorder.EmitOf" || name == "Recorder.EmitNew" || name == "NewEvent") && len(args) > 2:
		return emission{definitions: args[:1], regarding: args[1:2], related: args[2], args: args[3:]}, true
	case name == "Definition.Event" && len(args) > 1:
		return emission{definitions: []ast.Expr{receiver(call)}, regarding: args[:1], related: args[1], args: args[2:]}, true
	case (name == "Recorder.EmitEach" || name == "NewEvents") && len(args) > 1:
		e = emission{related: args[1], args: args[2:]}
		for n := range ast.Preorder(args[0]) {
			if about, ok := n.(*ast.CallExpr); ok && len(about.Args) == 2 && isOurs(g.info, about, "About") {
				e.definitions, e.regarding = append(e.definitions, about.Args[0]), append(e.regarding, about.Args[1])
			}
		}
		return e, true
	case name == "Transitions.Record" && len(args) > 0:
		return emission{regarding: args[:1], transitions: true}, true
	}
	return e, false
}

func isOurs(info *types.Info, call *ast.CallExpr, name string) bool {
	fn := Callee(info, call)
	return fn != nil && ObjectName(fn) == facts.RunTime+"."+name
}

// typed describes a function by the call of the run time in it.
func (g *generated) typed(fn *types.Func, e emission) TypedFunction {
	t := TypedFunction{
		Key: funcKey(fn), Name: fn.Name(), Parameters: Parameters(fn), Method: fn.Signature().Recv() != nil, Related: -1, Transitions: e.transitions,
	}
	for _, x := range e.regarding {
		if a, ok := g.argument(fn, x); ok {
			t.Regarding = append(t.Regarding, a.Param)
		}
	}
	if a, ok := g.argument(fn, e.related); ok {
		t.Related = a.Param
	}
	definitions := g.definitions(e.definitions)
	t.RelatedOptional = slices.ContainsFunc(definitions, func(lit *ast.CompositeLit) bool { return g.holds(lit, "RelatedOptional") })
	optional := g.optional(definitions)
	for i, x := range e.args {
		if a, ok := g.argument(fn, x); ok && i < len(optional) && !optional[i] {
			t.Required = append(t.Required, a)
		}
	}
	return t
}

// argument returns the first parameter, or field of a parameter, that an expression names.
func (g *generated) argument(fn *types.Func, x ast.Expr) (a TypedArgument, ok bool) {
	if x == nil {
		return a, false
	}
	for n := range ast.Preorder(x) {
		field := ""
		if sel, selects := n.(*ast.SelectorExpr); selects {
			n, field = sel.X, sel.Sel.Name
		}
		if id, named := n.(*ast.Ident); named {
			v, _ := g.info.Uses[id].(*types.Var)
			if i := slices.Index(slices.Collect(fn.Signature().Params().Variables()), v); v != nil && i >= 0 {
				return TypedArgument{i, field}, true
			}
		}
	}
	return a, false
}

// definitions returns the literals of the variables that expressions name, or that a named function
// chooses among.
func (g *generated) definitions(list []ast.Expr) (literals []*ast.CompositeLit) {
	seen := map[types.Object]bool{}
	var follow func(ast.Node)
	follow = func(root ast.Node) {
		for n := range ast.Preorder(root) {
			switch n := n.(type) {
			case *ast.CompositeLit:
				literals = append(literals, n)
			case *ast.Ident:
				obj := g.info.Uses[n]
				if obj == nil || seen[obj] {
					continue
				}
				seen[obj] = true
				if value := g.variables[obj]; value != nil {
					follow(value)
				}
				if fn := g.functions[obj]; fn != nil && fn.Recv == nil {
					follow(fn.Body)
				}
			}
		}
	}
	for _, x := range list {
		follow(x)
	}
	return literals
}

// optional reports for each param of an event whether it is optional.
func (g *generated) optional(definitions []*ast.CompositeLit) (list []bool) {
	for _, d := range definitions {
		x, ok := Element(g.info, d, "Params")
		if !ok {
			continue
		}
		if id, ok := ast.Unparen(x).(*ast.Ident); ok {
			x = g.variables[g.info.Uses[id]]
		}
		params, ok := x.(*ast.CompositeLit)
		if !ok {
			return nil
		}
		for _, p := range params.Elts {
			lit, ok := p.(*ast.CompositeLit)
			list = append(list, !ok || g.holds(lit, "Optional"))
		}
		return list
	}
	return nil
}

// holds reports whether a field of a literal is true.
func (g *generated) holds(lit *ast.CompositeLit, field string) bool {
	x, ok := Element(g.info, lit, field)
	if !ok {
		return false
	}
	value := g.info.Types[x].Value
	return value != nil && value.Kind() == constant.Bool && constant.BoolVal(value)
}
