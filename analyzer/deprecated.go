package analyzer

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// deprecated is a fact about a generated method or constructor whose event is deprecated. Text
// names the replacement.
type deprecated struct{ Text string }

// AFact marks deprecated as a fact of go/analysis.
func (*deprecated) AFact() {}

func (d *deprecated) String() string { return "deprecated event: " + d.Text }

// deprecationMark begins the paragraph of a doc comment.
const deprecationMark = "Deprecated: "

// exportDeprecated marks the methods of generated code whose events are deprecated.
func (u *unit) exportDeprecated() {
	for _, f := range u.Files {
		if !scan.Generated(f) {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			_, text, found := strings.Cut(fn.Doc.Text(), deprecationMark)
			if obj, ok := u.TypesInfo.Defs[fn.Name].(*types.Func); ok && found {
				u.ExportObjectFact(obj, &deprecated{Text: strings.Join(strings.Fields(text), " ")})
			}
		}
	}
}

// reportDeprecated is EV503.
func (u *unit) reportDeprecated() {
	for _, f := range u.Files {
		if !u.judged(u.Fset.Position(f.Pos()).Filename, f) {
			continue
		}
		for n := range ast.Preorder(f) {
			id, _ := n.(*ast.Ident)
			fact := deprecated{}
			if fn, ok := u.TypesInfo.Uses[id].(*types.Func); ok && fn.Pkg() != nil && u.ImportObjectFact(fn.Origin(), &fact) {
				u.report(id.Pos(), callrules.DeprecatedEvent, fn.Name()+" is deprecated: "+fact.Text)
			}
		}
	}
}
