package scan

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/facts"
)

// Scope is the relation of a site to a call of a recorder's method.
type Scope string

// The scopes of sites.
const (
	// Direct: the site calls a recorder's method, and does not take its reason from its callers.
	Direct Scope = "direct"
	// ThroughWrapper: the site fixes the reason that a wrapper passes on.
	ThroughWrapper Scope = "through-wrapper"
	// InWrapper: the site calls a recorder's method with a reason that comes from its function's
	// callers, or from fields.
	InWrapper Scope = "in-wrapper"
)

// API is the family of recorders that a method belongs to.
type API = facts.API

// The families of recorders.
const (
	Record = facts.Record
	Events = facts.Events
)

// Site is a place in the code that records an event, or fixes the reason of one.
type Site struct {
	// Pos is the start of Call or Fixes. Column counts bytes, as in go/token.
	Pos     token.Position
	Package *Package
	File    *ast.File
	// Func is the declared function that contains the site. It is nil in a package variable's
	// initializer.
	Func  *ast.FuncDecl
	Scope Scope
	// Call is the call of the recorder's method or of the wrapper. It is nil if a literal or an
	// assignment fixes the reason.
	Call *ast.CallExpr
	// Fixes is the composite literal or the assignment that fixes the reason, if no call does.
	Fixes ast.Node
	// Method is the name of the called method or function, or of the type whose literal or field
	// fixes the reason.
	Method string
	// Callee is the called function. It is nil if a literal fixes the reason, or if the called
	// function is a value.
	Callee *types.Func
	// Shape describes the arguments of the recorder's method. For a site behind a wrapper, this is
	// the method of the last site in Via.
	Shape Shape
	// Recorder is the expression whose method records. For a site behind a wrapper, it belongs to
	// the wrapper.
	Recorder ast.Expr
	// Via lists the calls that lead from a site behind a wrapper to the recorder's method. The last
	// one calls the method itself.
	Via                []*Site
	Regarding, Related Object
	Type, Reason       Value
	// Action is empty in the record API.
	Action Value
	// Message is the text. For Eventf and AnnotatedEventf it has the format's literal text, and the
	// arguments with their verbs.
	Message Value
	// Said is Message with expressions of the site's function only, so that a typed call at the
	// site can contain them. The result of another function is one part.
	Said Value
	// Format is the argument that Message comes from, before its verbs are replaced.
	Format Value
	// Annotations is the argument of AnnotatedEventf.
	Annotations ast.Expr
	// Empty names the fields (reason, type, action) that can also be empty, without a check in the
	// code. The values leave out the empty text.
	Empty []string
	// Either: several recorder types stand behind the called interface, and each of them stores
	// something else. The call has a site for each.
	Either bool
	// Notes lists what scan could not decide about the site.
	Notes []Cause

	fn    *function
	index *index
}

// OnlyValue returns the value of a local variable that is written once, where it is declared. It
// returns nil for other variables.
func (s *Site) OnlyValue(v *types.Var) ast.Expr {
	if !IsLocal(v) || s.index == nil || s.index.escapes(v) {
		return nil
	}
	defs := s.index.variable(v).defs
	if len(defs) != 1 || defs[0].kind != assigned || v.Pos() < defs[0].node.Pos() || v.Pos() >= defs[0].node.End() {
		return nil
	}
	return defs[0].rhs
}

// Body returns the body of a function, and the types of its package; nil if its source was not
// read.
func (s *Site) Body(fn *types.Func) (*ast.BlockStmt, *types.Info) {
	if fn != nil && s.index != nil {
		if f := s.index.functions[funcKey(fn)]; f != nil && f.body != nil {
			return f.body, f.pkg.Info
		}
	}
	return nil, nil
}

// Cause is a position, and the reason why scan could not decide something there.
type Cause struct {
	Pos token.Position
	// What is the undecided part of the site: reason, type, action, message, regarding, related,
	// callers or call.
	What string
	Text string
}

// Object is an argument that names the regarding or related object of an event.
type Object struct {
	// Expr is the argument as written. It is nil if the method has no such parameter.
	Expr ast.Expr
	// Info has the types of the package that contains Expr.
	Info *types.Info
	// Nil reports whether the argument is the constant nil.
	Nil bool
	// Types are the types that the argument can have: its static type or, for a local variable of
	// interface type, the types of the values assigned to it. If those are unknown, the interface
	// remains.
	Types []types.Type
	// param is the parameter of the enclosing function in the argument, for sites behind wrappers.
	param *paramRef
	// field is the field of a parameter or of the receiver in the argument.
	field *fieldRef
}

// Result holds the sites that Scan has found.
type Result struct {
	// Sites are sorted by file, line and column.
	Sites []*Site
	// Left lists uses of recorders that are not calls, such as method values. Scan does not see
	// calls through them.
	Left []Cause
	// Formats lists the calls that pass a format to a recorder. FormatFunctions lists the functions
	// around them that pass on a format of their callers.
	Formats         []*FormatCall
	FormatFunctions []FormatFunction
	// Controllers lists the names with which code makes recorders.
	Controllers []Controller
	// Typed lists the calls of generated functions, sorted by position.
	Typed []*TypedCall
	// Program is the program that was read.
	Program *Program

	index     *index
	recorders *recorders
}

// Typed reports whether the reason belongs to a generated event: the site is rewritten already, and
// its catalog has the reason.
func (s *Site) Typed() bool {
	for _, t := range s.Reason.Alternatives {
		for _, p := range t.Parts {
			if c, ok := p.Expr.(*ast.CallExpr); ok && p.Info != nil {
				if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && strings.HasSuffix(TypeName(p.Info.TypeOf(sel.X)), "event-gen/runtime.Event") {
					return true
				}
			}
		}
	}
	return false
}

// Recording returns the number of recording places. A call that reaches several recorders' calls is
// several sites, and one place. A wrapper's call does not count, because the sites behind it
// record.
func (r *Result) Recording() int {
	places := map[token.Position]bool{}
	for _, s := range r.Sites {
		if s.Scope != InWrapper {
			places[s.Pos] = true
		}
	}
	return len(places)
}
