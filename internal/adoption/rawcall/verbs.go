package rawcall

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/event-gen/event-gen/internal/adoption/scan"
)

// sprintf stands for fmt.Sprintf in go vet's analysis.
var sprintf = types.NewFunc(token.NoPos, types.NewPackage("fmt", "fmt"), "Sprintf", types.NewSignatureType(nil, nil, nil,
	types.NewTuple(types.NewParam(token.NoPos, nil, "format", types.Typ[types.String]), types.NewParam(token.NoPos, nil, "a", types.NewSlice(types.NewInterfaceType(nil, nil)))),
	types.NewTuple(types.NewParam(token.NoPos, nil, "", types.Typ[types.String])), true))

// anError stands for every error. go vet leaves interfaces alone, because their values may format
// themselves; errors hardly ever do.
var anError = func() types.Type {
	named := types.NewNamed(types.NewTypeName(token.NoPos, nil, "error", nil), types.NewSignatureType(nil, nil, nil, nil, nil, false), nil)
	text := types.NewTuple(types.NewParam(token.NoPos, nil, "", types.Typ[types.String]))
	named.AddMethod(types.NewFunc(token.NoPos, nil, "Error", types.NewSignatureType(types.NewParam(token.NoPos, nil, "", named), nil, nil, nil, text, false)))
	return named
}()

// mismatches returns go vet's findings about a call of fmt.Sprintf with a format and the arguments
// of an event's call.
func mismatches(format string, event *ast.CallExpr, args []ast.Expr, p *scan.Package) (problems []string) {
	text := &ast.BasicLit{Kind: token.STRING, Value: strconv.Quote(format)}
	call := &ast.CallExpr{Fun: ast.NewIdent("Sprintf"), Args: []ast.Expr{text}, Ellipsis: event.Ellipsis}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{call.Fun.(*ast.Ident): sprintf}, Types: map[ast.Expr]types.TypeAndValue{
		call.Fun: {Type: sprintf.Signature()}, text: {Type: types.Typ[types.String], Value: constant.MakeString(format)},
	}}
	for _, arg := range args {
		known := p.Info.Types[arg]
		if known.Type == nil { // it does not compile
			known.Type = types.Typ[types.Invalid]
		}
		if types.IsInterface(known.Type) && isError(known.Type) {
			known.Type = anError
		}
		// the source of a function literal does not fit into a message
		named := ast.NewIdent(short(arg))
		call.Args, info.Types[named] = append(call.Args, named), known
	}
	file := &ast.File{Name: ast.NewIdent("p"), Decls: []ast.Decl{&ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{
		&ast.ValueSpec{Names: []*ast.Ident{ast.NewIdent("_")}, Values: []ast.Expr{call}},
	}}}}
	pass := &analysis.Pass{
		Analyzer: printf.Analyzer, Fset: token.NewFileSet(), Pkg: p.Types, TypesInfo: info, TypesSizes: types.SizesFor("gc", "amd64"),
		ResultOf: map[*analysis.Analyzer]any{inspect.Analyzer: inspector.New([]*ast.File{file})},
		Report: func(d analysis.Diagnostic) {
			text := strings.TrimPrefix(strings.TrimPrefix(d.Message, sprintf.FullName()+" "), "format ")
			if !strings.HasPrefix(text, "%") { // a predicate, or "call" with one
				text = "the call " + strings.TrimPrefix(text, "call ")
			}
			problems = append(problems, text)
		},
		ImportObjectFact: func(types.Object, analysis.Fact) bool { return false },
		ExportObjectFact: func(types.Object, analysis.Fact) {},
	}
	if _, err := printf.Analyzer.Run(pass); err != nil {
		problems = append(problems, err.Error())
	}
	return problems
}

func isStringer(t types.Type) bool { return hasMethod(t, "String", 0) }

// hasMethod reports whether a value of a type itself has a method.
func hasMethod(t types.Type, name string, params int) bool {
	method := types.NewMethodSet(t).Lookup(nil, name)
	return method != nil && method.Obj().(*types.Func).Signature().Params().Len() == params
}
