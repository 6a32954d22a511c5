package analyzer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// importedTyped returns the generated functions of all packages that this one depends on.
func (u *unit) importedTyped() (all []scan.TypedFunction) {
	for _, f := range u.AllPackageFacts() {
		if fact, ok := f.Fact.(*declared); ok && f.Package != u.Pkg {
			all = append(all, fact.Functions...)
		}
	}
	return all
}

// reportMissing reports an enum's value 0 where a generated function needs one of its constants
// (EV504).
func (u *unit) reportMissing() {
	for _, c := range u.typed {
		if c.Call == nil {
			continue
		}
		for _, a := range c.Function.Required {
			if a.Param < len(c.Call.Args) {
				u.reportZero(c, a)
			}
		}
	}
}

// reportZero reports an argument, or a field of one, that is 0 or left out.
func (u *unit) reportZero(c *scan.TypedCall, a scan.TypedArgument) {
	x := c.Call.Args[a.Param]
	if a.Field == "" {
		u.zero(c.File, x.Pos(), u.TypesInfo.Types[x], "")
		return
	}
	lit, ok := ast.Unparen(x).(*ast.CompositeLit)
	if !ok {
		return
	}
	if value, given := scan.Element(u.TypesInfo, lit, a.Field); given {
		u.zero(c.File, value.Pos(), u.TypesInfo.Types[value], "")
		return
	}
	fields, ok := u.TypesInfo.TypeOf(lit).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for f := range fields.Fields() {
		if f.Name() == a.Field {
			u.zero(c.File, lit.Pos(), types.TypeAndValue{Type: f.Type(), Value: constant.MakeInt64(0)}, a.Field+" is left out, and ")
		}
	}
}

// zero reports a value that is a generated enum's 0.
func (u *unit) zero(f *ast.File, pos token.Pos, value types.TypeAndValue, why string) {
	if value.Value == nil || value.Value.Kind() != constant.Int || constant.Sign(value.Value) != 0 {
		return
	}
	if t := u.declaredBy(value.Type, nil); t != nil && t.Enum {
		u.report(pos, callrules.UnknownValue, fmt.Sprintf("%s0 is no value of %s%s, so the event is rejected; its values are %s", why, t.alias(f), t.Name, t.names()))
	}
}
