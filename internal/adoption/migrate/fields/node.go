package fields

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// node is a field, parameter, result or variable that holds a recorder of client-go.
type node struct {
	pos        token.Position
	kind, name string
	path       string // of its package
	file       string
	api        scan.API
	fake       bool
	public     bool
	exported   bool // other packages can name it
	local      bool // it is a variable of a function
	// embedded is the name of an embedded field; empty for others.
	embedded string
	// escapes: a value of the struct that embeds it becomes an interface.
	escapes bool
	// owner is the type that embeds it; nil if that type has no name.
	owner types.Type
	// typeFrom and typeTo are the text of its type; equal if the type is not written.
	typeFrom, typeTo int

	class *class
	// holds are the uses that require a recorder of client-go.
	holds []use
	// typed are the calls of FromEvents that take the recorder.
	typed []typedUse
	// nils are comparisons with nil: the text of nil.
	nils []span
	// renames are mentions of an embedded field by its name.
	renames []span
	// to are the nodes that the recorder is handed to.
	to []*node
	in []inflow
}

// class is a set of nodes that have one type.
type class struct {
	nodes []*node
	held  *use // why it stays
	quiet bool // nothing records on it: it stays, without a report
}

// use is a use of a recorder.
type use struct {
	pos token.Position
	why string
}

// span is a piece of a file's text.
type span struct {
	file     string
	from, to int
}

// typedUse is a call FromEvents(recorder).
type typedUse struct {
	pkg       *model.Package
	pos       token.Position
	call, arg span
	// field is the embedded field that the argument stands for; empty if the argument is the
	// recorder itself.
	field     string
	annotated bool
}

// recorderType reports whether a type is a recorder's of client-go.
func recorderType(t types.Type) (api scan.API, fake, ok bool) {
	_, pointer := types.Unalias(t).(*types.Pointer)
	known := facts.Types[scan.TypeName(scan.Deref(t))]
	return known.API, known.Fake, known.API != "" && known.Fake == pointer
}

func isRecorder(t types.Type) bool {
	_, _, ok := recorderType(t)
	return ok
}

// declare finds the nodes that a file declares. The results of methods that make recorders are no
// nodes: such methods implement an interface of other modules.
func (r *reader) declare() {
	owners := map[*ast.StructType]string{}
	for n := range ast.Preorder(r.file) {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				owners[s] = n.Name.Name
			}
		case *ast.StructType:
			for _, f := range n.Fields.List {
				r.declareField(f, owners[n])
			}
		case *ast.FuncDecl:
			if n.Recv == nil || facts.Methods[n.Name.Name] == "" {
				r.declareParams(n.Type, n.Name.Name)
			}
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				if f, ok := m.Type.(*ast.FuncType); ok && len(m.Names) == 1 && facts.Methods[m.Names[0].Name] == "" {
					r.declareParams(f, m.Names[0].Name)
				}
			}
		case *ast.ValueSpec:
			for _, name := range n.Names {
				r.declareNode(name, n.Type, "variable", name.Name)
			}
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
					r.declareNode(id, nil, "variable", id.Name)
				}
			}
		}
	}
}

// declareField declares a field of a struct; owner is the name of the struct's type, empty if it
// has none.
func (r *reader) declareField(f *ast.Field, owner string) {
	prefix := ""
	if owner != "" {
		prefix = owner + "."
	}
	names, embedded := f.Names, ""
	if id := embeddedName(f.Type); len(names) == 0 && id != nil {
		names, embedded = []*ast.Ident{id}, id.Name
	}
	for _, name := range names {
		n := r.declareNode(name, f.Type, "field", prefix+name.Name)
		if n == nil {
			continue
		}
		n.embedded, n.public = embedded, n.public && token.IsExported(owner)
		if obj := r.pkg.Types.Scope().Lookup(owner); obj != nil {
			n.owner = obj.Type()
		}
	}
}

// embeddedName returns the name of an embedded field.
func embeddedName(x ast.Expr) *ast.Ident {
	switch x := x.(type) {
	case *ast.Ident:
		return x
	case *ast.SelectorExpr:
		return x.Sel
	case *ast.StarExpr:
		return embeddedName(x.X)
	}
	return nil
}

func (r *reader) declareParams(f *ast.FuncType, name string) {
	for i, list := range []*ast.FieldList{f.Params, f.Results} {
		if list == nil {
			continue
		}
		kind := []string{"parameter", "result"}[i]
		for _, p := range list.List {
			var nodes []*node
			for _, id := range p.Names {
				nodes = append(nodes, r.declareNode(id, p.Type, kind, name+" "+id.Name))
			}
			if v, ok := r.info().Implicits[p].(*types.Var); ok && len(p.Names) == 0 {
				nodes = append(nodes, r.declareVar(v, p.Type.Pos(), p.Type, kind, name))
			}
			for _, n := range nodes {
				if n != nil {
					n.public, n.exported = r.public(name), token.IsExported(name)
				}
			}
		}
	}
}

func (r *reader) declareNode(id *ast.Ident, typ ast.Expr, kind, name string) *node {
	v, ok := r.info().Defs[id].(*types.Var)
	if !ok || id.Name == "_" && kind == "variable" {
		return nil
	}
	return r.declareVar(v, id.Pos(), typ, kind, name)
}

func (r *reader) declareVar(v *types.Var, pos token.Pos, typ ast.Expr, kind, name string) *node {
	api, fake, ok := recorderType(v.Type())
	if !ok || !r.editable {
		return nil
	}
	declared := r.position(v.Pos())
	if known := r.nodes[declared]; known != nil {
		r.holdBroken(known)
		return known
	}
	at := r.position(pos)
	n := &node{pos: at, kind: kind, name: name, path: scan.RealPath(r.pkg.PkgPath), file: at.Filename, api: api, fake: fake}
	short := name[strings.LastIndexAny(name, ". ")+1:]
	n.local = kind == "variable" && v.Parent() != v.Pkg().Scope()
	n.exported = token.IsExported(short) && !n.local
	n.public = r.public(short) && !n.local
	if typ != nil {
		n.typeFrom, n.typeTo = r.position(typ.Pos()).Offset, r.position(typ.End()).Offset
	}
	r.holdBroken(n)
	r.nodes[declared] = n
	r.order = append(r.order, n)
	n.class = &class{nodes: []*node{n}}
	if typ == nil {
		return n
	}
	written := span{n.file, n.typeFrom, n.typeTo}
	if other := r.byType[written]; other != nil {
		r.join(n, other)
	}
	r.byType[written] = n
	return n
}

// holdBroken holds the nodes of a package that does not compile, because its uses can't all be
// seen.
func (r *reader) holdBroken(n *node) {
	if r.broken() {
		r.holdAt(n, "its package does not compile")
	}
}

func (r *reader) broken() bool { return r.pkg.IllTyped || len(r.pkg.Errors) > 0 }

// public reports whether other modules can name something of the package.
func (r *reader) public(name string) bool {
	return token.IsExported(name) && r.pkg.Name != "main" && !isTest(r.path) && !strings.Contains("/"+r.pkg.PkgPath+"/", "/internal/")
}

// join makes two nodes move together.
func (r *reader) join(a, b *node) {
	if a.class == b.class {
		return
	}
	gone := b.class
	for _, n := range gone.nodes {
		n.class = a.class
		a.class.nodes = append(a.class.nodes, n)
	}
}
