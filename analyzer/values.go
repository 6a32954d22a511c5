package analyzer

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/spell"
)

// declared is a fact about a generated package: the types of its params for which constants exist,
// and its functions that record or make events.
type declared struct {
	Types     []valueType
	Functions []scan.TypedFunction
}

// valueType is the generated type of an enum, or a string type of another package.
type valueType struct {
	Enum      bool
	Path      string
	Package   string // its name
	Name      string
	Constants []valueConstant // an enum's are numbered from 1
}

type valueConstant struct{ Name, Text string }

// AFact marks declared as a fact of go/analysis.
func (*declared) AFact() {}

func (d *declared) String() string {
	names := make([]string, len(d.Types))
	for i, t := range d.Types {
		names[i] = t.Package + "." + t.Name
	}
	text := "params with constants: " + strings.Join(names, ", ")
	if len(d.Functions) > 0 {
		functions := make([]string, len(d.Functions))
		for i, f := range d.Functions {
			functions[i] = f.Name
		}
		text += "; events: " + strings.Join(functions, ", ")
	}
	return text
}

// exportDeclared exports the types of params that have constants, and the functions for events, if
// the package is generated.
func (u *unit) exportDeclared() {
	fact := declared{Functions: scan.TypedFunctions(u.pkg)}
	for _, f := range u.Files {
		if !scan.Generated(f) {
			continue
		}
		for _, d := range f.Decls {
			fn, _ := d.(*ast.FuncDecl)
			if fn == nil {
				continue
			}
			if obj, ok := u.TypesInfo.Defs[fn.Name].(*types.Func); ok {
				fact.add(obj)
			}
		}
	}
	if len(fact.Types)+len(fact.Functions) > 0 {
		u.ExportPackageFact(&fact)
	}
}

// add adds the types of a function's parameters, and of the fields of its params' struct.
func (d *declared) add(fn *types.Func) {
	variables := slices.Collect(fn.Signature().Params().Variables())
	for _, v := range variables {
		if fields := paramsStruct(fn, v); fields != nil {
			variables = slices.AppendSeq(variables, fields.Fields())
		}
	}
	for _, v := range variables {
		named, ok := types.Unalias(v.Type()).(*types.Named)
		if !ok || named.Obj().Pkg() == nil || d.of(named) != nil {
			continue
		}
		t := valueType{Path: named.Obj().Pkg().Path(), Package: named.Obj().Pkg().Name(), Name: named.Obj().Name(), Enum: isEnum(named)}
		basic, _ := named.Underlying().(*types.Basic)
		if t.Enum || basic != nil && basic.Kind() == types.String {
			t.Constants = constantsOf(named)
		}
		if len(t.Constants) > 0 {
			d.Types = append(d.Types, t)
		}
	}
}

// paramsStruct returns the struct with the params of an event (args: struct in the catalog), which
// its own package declares; nil if a parameter is no such struct.
func paramsStruct(fn *types.Func, param *types.Var) *types.Struct {
	named, ok := types.Unalias(param.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != fn.Pkg() || !strings.HasSuffix(named.Obj().Name(), "Args") {
		return nil
	}
	fields, _ := named.Underlying().(*types.Struct)
	return fields
}

// isEnum reports whether a type is a generated enum. Its package then has a variable of the run
// time's type Enum with the texts.
func isEnum(named *types.Named) bool {
	scope := named.Obj().Pkg().Scope()
	return slices.ContainsFunc(scope.Names(), func(name string) bool {
		v, _ := scope.Lookup(name).(*types.Var)
		if v == nil {
			return false
		}
		t, ok := types.Unalias(v.Type()).(*types.Named)
		return ok && t.Obj().Name() == "Enum" && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == ourRuntime &&
			t.TypeArgs().Len() == 1 && types.Identical(t.TypeArgs().At(0), named)
	})
}

// constantsOf returns the exported constants of a type in its own package. Numbers are sorted by
// value, strings by name.
func constantsOf(named *types.Named) (list []valueConstant) {
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !c.Exported() || !types.Identical(c.Type(), named) {
			continue
		}
		text := c.Val().ExactString()
		if c.Val().Kind() == constant.String {
			text = constant.StringVal(c.Val())
		}
		list = append(list, valueConstant{name, text})
	}
	if isEnum(named) {
		number := func(c valueConstant) int { n, _ := strconv.Atoi(c.Text); return n }
		slices.SortFunc(list, func(a, b valueConstant) int { return number(a) - number(b) })
	}
	return list
}

func (d *declared) of(named *types.Named) *valueType {
	i := slices.IndexFunc(d.Types, func(t valueType) bool {
		return t.Path == named.Obj().Pkg().Path() && t.Name == named.Obj().Name()
	})
	if i < 0 {
		return nil
	}
	return &d.Types[i]
}

// reportValues reports values that no constant has (EV504).
func (u *unit) reportValues() {
	for _, f := range u.Files {
		if !u.judged(u.Fset.Position(f.Pos()).Filename, f) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				u.reportTexts(f, call)
			}
			x, ok := n.(ast.Expr)
			return !ok || !u.reportNumber(f, x)
		})
	}
}

// reportNumber reports a number in place of an enum's constant; of the program's own constants only
// those that have none of the enum's values. It lets zero pass, which an optional param may be:
// reportMissing judges it. The result is whether the parts of the expression are judged with it.
func (u *unit) reportNumber(f *ast.File, x ast.Expr) bool {
	value := u.TypesInfo.Types[x]
	name := u.constantOf(x)
	if value.Value == nil || value.Value.Kind() != constant.Int || name != nil && !isUntyped(name.Type()) {
		return false
	}
	t := u.declaredBy(value.Type, nil)
	n, exact := constant.Int64Val(value.Value)
	if t == nil || !t.Enum {
		return false
	}
	if exact && n == 0 {
		return true
	}
	alias := t.alias(f)
	if exact && 0 < n && n <= int64(len(t.Constants)) {
		if name != nil {
			return true
		}
		u.report(x.Pos(), callrules.UnknownValue, fmt.Sprintf("a number is used in place of a constant of %s%s; write %s%s",
			alias, t.Name, alias, t.Constants[n-1].Name))
		return true
	}
	u.report(x.Pos(), callrules.UnknownValue, fmt.Sprintf("%s is no value of %s%s, so the event is rejected; its values are %s", value.Value, alias, t.Name, t.names()))
	return true
}

// constantOf returns the constant that an expression names, or nil.
func (u *unit) constantOf(x ast.Expr) *types.Const {
	c, _ := scan.Named(u.TypesInfo, x).(*types.Const)
	return c
}

func isUntyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// reportTexts reports string literals that are passed to generated functions in place of a type's
// constants, if no constant has that value.
func (u *unit) reportTexts(f *ast.File, call *ast.CallExpr) {
	fn := u.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return
	}
	params := fn.Signature().Params()
	for i, arg := range call.Args {
		if i >= params.Len() {
			break
		}
		u.reportText(f, arg, params.At(i), fn.Pkg())
		lit, _ := ast.Unparen(arg).(*ast.CompositeLit)
		fields := paramsStruct(fn, params.At(i))
		if lit == nil || fields == nil {
			continue
		}
		for field := range fields.Fields() {
			if value, given := scan.Element(u.TypesInfo, lit, field.Name()); given {
				u.reportText(f, value, field, fn.Pkg())
			}
		}
	}
}

// reportText reports a text that is passed for a parameter or field, if it is made of literals.
func (u *unit) reportText(f *ast.File, x ast.Expr, param *types.Var, generated *types.Package) {
	text, ok := scan.ConstantText(u.TypesInfo, x)
	if !ok || !isLiteral(x) {
		return
	}
	t := u.declaredBy(param.Type(), generated)
	if t == nil || t.Enum || slices.ContainsFunc(t.Constants, func(c valueConstant) bool { return c.Text == text }) {
		return
	}
	of, written := t.alias(f)+t.Name, strconv.Quote(text)
	u.report(x.Pos(), callrules.UnknownValue, fmt.Sprintf("%s has no constant of value %s; to pass it anyway, write %s(%s)%s",
		of, written, of, written, t.suggest(f, text)))
}

// isLiteral reports whether a constant consists of literals.
func isLiteral(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.BasicLit:
		return true
	case *ast.BinaryExpr:
		return isLiteral(x.X) && isLiteral(x.Y)
	}
	return false
}

func (u *unit) callee(call *ast.CallExpr) *types.Func {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		fn, _ := u.TypesInfo.Uses[fun].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := u.TypesInfo.Uses[fun.Sel].(*types.Func)
		return fn
	}
	return nil
}

// declaredBy returns a type with its constants, from the fact of a generated package; nil if that
// package has no such param. If generated is nil, it is the type's own package.
func (u *unit) declaredBy(t types.Type, generated *types.Package) *valueType {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	if generated == nil {
		generated = named.Obj().Pkg()
	}
	fact := declared{}
	if !u.ImportPackageFact(generated, &fact) {
		return nil
	}
	return fact.of(named)
}

// alias returns the name of the type's package in a file, with a dot; empty for a dot import.
func (t *valueType) alias(f *ast.File) string {
	for _, i := range f.Imports {
		if path, err := strconv.Unquote(i.Path.Value); err == nil && path == t.Path && i.Name != nil {
			return strings.TrimPrefix(i.Name.Name+".", "..") // nothing for a dot
		}
	}
	return t.Package + "."
}

func (t *valueType) names() string {
	names := make([]string, len(t.Constants))
	for i, c := range t.Constants {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// suggest returns a hint at the constant whose value is similar to a text.
func (t *valueType) suggest(f *ast.File, text string) string {
	values := make([]string, len(t.Constants))
	for i, c := range t.Constants {
		values[i] = c.Text
	}
	i := slices.Index(values, spell.Nearest(text, values))
	if i < 0 {
		return ""
	}
	return "; did you mean " + t.alias(f) + t.Constants[i].Name + "?"
}
