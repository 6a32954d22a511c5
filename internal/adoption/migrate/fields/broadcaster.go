package fields

import (
	"go/ast"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/facts"
	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// isBroadcaster reports whether a type is one of client-go's interfaces of broadcasters.
func isBroadcaster(t types.Type) bool {
	name := scan.TypeName(t)
	return name == facts.ClientRecord+".EventBroadcaster" || name == facts.ClientEvents+".EventBroadcaster"
}

// component returns the component of an EventSource that names nothing else. In tools/events it is
// the name itself.
func (r *reader) component(x ast.Expr) ast.Expr {
	if scan.IsString(r.info().TypeOf(x)) {
		return x
	}
	lit, ok := ast.Unparen(x).(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 1 {
		return nil
	}
	name, _ := scan.Element(r.info(), lit, "Component")
	return name
}

func (r *reader) componentName(x ast.Expr) (string, bool) {
	if c := r.component(x); c != nil {
		return scan.ConstantText(r.info(), c)
	}
	return "", false
}

// refusesBroadcaster returns why a broadcaster can't make the recorder that the move needs; empty
// if it can. A broadcaster stays as it is.
func (d *decision) refusesBroadcaster(in *inflow) string {
	m := in.made
	switch {
	case isTest(in.file), d.opts.Onto == Events && in.api == scan.Events, d.opts.Onto == EventGen && m.ours:
		return ""
	case d.opts.Onto == Keep, d.opts.Onto == Record, !m.broadcasters:
		return d.wrongAPI(in, in.api, false)
	case d.opts.Onto == EventGen:
		return "its broadcaster is one of client-go's; make it by the drop-in first"
	}
	return "its broadcaster is one of tools/record; make it by events.NewBroadcaster first"
}
