package scan

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Scope says how a site relates to a call of a recorder's method.
type Scope string

// The scopes of sites.
const (
	// Direct: the site calls a recorder's method, and does not take its reason from its callers.
	Direct Scope = "direct"
	// Derived: the site fixes the reason that a forwarder passes on.
	Derived Scope = "derived"
	// Forwarder: the site calls a recorder's method with a reason that its function's callers, or fields, give.
	Forwarder Scope = "forwarder"
)

// API is the family of recorders that a method belongs to, by its parameters. It does not say which API group is written: see
// Recorder for that.
type API string

// The families of recorders.
const (
	// Record is k8s.io/client-go/tools/record: Event, Eventf, AnnotatedEventf.
	Record API = "record"
	// Events is k8s.io/client-go/tools/events: Eventf with a related object, an action and a note.
	Events API = "events"
)

// Site is a place in the code that records an event, or fixes what is recorded there.
type Site struct {
	// Pos is the start of Call, or of Literal. Column counts bytes, as go/token does.
	Pos     token.Position
	Package *Package
	File    *ast.File
	// Func is the declared function that the site is in; nil in a package variable's initializer.
	Func  *ast.FuncDecl
	Scope Scope
	// Call is the call of the recorder's method or of the forwarder. It is nil where a literal or an assignment fixes the reason.
	Call *ast.CallExpr
	// Fixes is the composite literal or the assignment that fixes the reason, where no call does.
	Fixes ast.Node
	// Method is the name of the method or function that is called, or the name of the type whose literal fixes the reason.
	Method string
	// Callee is the called function; nil where a literal fixes the reason or the called function is a value.
	Callee *types.Func
	// Shape says what the arguments of the recorder's method are. Of a derived site it belongs to the last site of Via.
	Shape Shape
	// Recorder is the expression that the recorder's method is called on; of a derived site, the forwarder's own.
	Recorder ast.Expr
	// Via lists the calls that lead from a derived site to the recorder's method: the forwarder's site is last.
	Via                []*Site
	Regarding, Related Object
	Type, Reason       Value
	// Action is empty in the record API.
	Action Value
	// Message is the text. Of Eventf and AnnotatedEventf it has the format's literal text, and the arguments with their verbs.
	Message Value
	// Said is Message in terms of the site's function: what another function makes of its arguments is one part. A typed call can
	// say it.
	Said Value
	// Format is the argument that Message is made of, before its verbs are filled.
	Format Value
	// Annotations is the argument of AnnotatedEventf.
	Annotations ast.Expr
	// Notes are causes why something about the site is not decided.
	Notes []Cause

	fn *function
}

// Cause says why something is not decided, and where.
type Cause struct {
	Pos token.Position
	// What is the part of the site that the cause is about: reason, type, action, message, regarding, related, callers.
	What string
	Text string
}

// Object is an argument that an event is about.
type Object struct {
	// Expr is the argument as written; nil where the method has no such parameter.
	Expr ast.Expr
	// Info has the types of the package that Expr stands in.
	Info *types.Info
	// Nil reports whether the argument is the constant nil.
	Nil bool
	// Types are the static types that the argument can have, as far as they are visible: the type of the expression, and where
	// that is an interface, the types of what is assigned to it. Interfaces that nothing is known of stay interfaces.
	Types []types.Type
	// param names the parameter of the enclosing function that the argument is, for derived sites.
	param *paramRef
	// field names the field of a parameter or the receiver that the argument is.
	field *fieldRef
}

// Result is what Scan has found.
type Result struct {
	// Sites are sorted by file, line and column.
	Sites []*Site
	// Left lists uses of recorders that are no calls, such as method values: calls through them are not seen.
	Left []Cause
	// Controllers are the names that recorders are made with.
	Controllers []Controller
	// Program is what was read.
	Program *Program

	index *index
}
