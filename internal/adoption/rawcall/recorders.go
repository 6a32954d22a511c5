package rawcall

import (
	"go/ast"
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
