package migrate

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/event-gen/event-gen/internal/adoption/migrate/proof"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// longLine is a length: a longer call that stood on several lines keeps its arguments on several
// lines.
const longLine = 120

// writer writes the typed call of one site.
type writer struct {
	*editor
	src    *source
	site   *Decision
	change *change
}

// reachable returns why the site's package can't import the generated one; empty if it can.
func (w *writer) reachable() string {
	p, from := w.site.pkg, w.src.pkg.Path
	if p.Path == "" {
		return "the generated package is in no module"
	}
	if parent, _, internal := strings.Cut("/"+p.Path+"/", "/internal/"); internal && !strings.HasPrefix("/"+from+"/", parent+"/") {
		return p.Path + " is internal to another module"
	}
	for _, imported := range p.Imports {
		if start := w.result.Program.Metadata(imported.Path); imported.Path == from || start != nil && Leads(start, from) {
			return fmt.Sprintf("import cycle: the generated package imports %s; give its objects the type any", imported.Path)
		}
	}
	return ""
}

// Leads reports whether a package has the path to, or imports it, directly or not.
func Leads(from *packages.Package, to string) bool {
	found := false
	packages.Visit([]*packages.Package{from}, func(p *packages.Package) bool {
		found = found || scan.RealPath(p.PkgPath) == to
		return !found
	}, nil)
	return found
}

// direct replaces a raw call.
func (w *writer) direct() string {
	s := w.site.scan
	recorder, why := w.recorder()
	if why != "" {
		return why
	}
	v := w.site.verdict
	text := fmt.Sprintf("%s(%s)", w.src.names.Qualified(w.site.pkg.Path, w.site.pkg.Name, on(w.site.pkg, s.Shape.API)), recorder)
	if v.Annotations != nil {
		text += fmt.Sprintf(".WithAnnotations(%s)", w.copy(v.Annotations))
	}
	args := w.arguments()
	w.keep(s.Recorder)
	text = w.call(text+"."+v.Method.Name, args, s.Call)
	w.replace(s.Call, text)
	if e, found := WithoutStaticcheck(w.src.old, w.offset(s.Call.End())); found {
		w.change.edits = append(w.change.edits, e)
	}
	return w.comments()
}

// recorder returns the argument of FromEvents or FromRecord: the receiver of the raw call's method.
func (w *writer) recorder() (string, string) {
	s := w.site.scan
	if s.Recorder == nil {
		return "", "the recorder is not named"
	}
	t := w.src.pkg.Info.TypeOf(s.Recorder)
	text := w.text(w.src, s.Recorder)
	if _, isType := s.Recorder.(*ast.Ident); isType && w.src.pkg.Info.Types[s.Recorder].IsType() {
		return "", "the recorder is not named"
	}
	if recordsOn(t, s.Shape.API) {
		return text, ""
	}
	if _, pointer := t.Underlying().(*types.Pointer); !pointer && !types.IsInterface(t) && recordsOn(types.NewPointer(t), s.Shape.API) {
		return "&" + text, ""
	}
	name := types.TypeString(t, types.RelativeTo(w.src.pkg.Types))
	if obj, _, _ := types.LookupFieldOrMethod(t, true, nil, "Eventf"); obj != nil {
		return "", fmt.Sprintf("the recorder, a %s, has a method Eventf with other parameters than that of %s.EventRecorder", name, s.Shape.API)
	}
	return "", fmt.Sprintf("the recorder, a %s, has no method Eventf", name)
}

// recordsOn reports whether a value of a type can be the argument of FromEvents or FromRecord: it
// has Eventf with the parameters of the API.
func recordsOn(t types.Type, api scan.API) bool {
	sel := types.NewMethodSet(t).Lookup(nil, "Eventf")
	if sel == nil {
		return false
	}
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return false
	}
	shape, ok := scan.ShapeOf(fn)
	return ok && shape.API == api && plainStrings(fn.Signature())
}

// plainStrings reports whether a method's texts have the type string, and the method returns
// nothing.
func plainStrings(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		if t := sig.Params().At(i).Type(); scan.IsString(t) && !isPlainString(t) {
			return false
		}
	}
	return sig.Results().Len() == 0
}

// arguments returns the typed call's arguments, in order.
func (w *writer) arguments() (args []string) {
	v := w.site.verdict
	if x := w.site.raw.Regarding.Expr; x != nil {
		args = append(args, w.copy(x))
	} else {
		args = append(args, "nil") // the helper has the object, and takes only texts from the event
	}
	for range v.Event.Also {
		args = append(args, "nil") // the raw call records on one object
	}
	if v.Event.Related != nil {
		args = append(args, w.argument(v.Related))
	}
	params := make([]string, len(v.Args))
	for i, a := range v.Args {
		params[i] = w.argument(a)
	}
	if v.Event.ArgsType != "" && len(params) > 0 {
		return append(args, w.argsStruct(v.Event, params))
	}
	return append(args, params...)
}

// argsStruct returns the struct with the params, if a catalog asks for one.
func (w *writer) argsStruct(e *model.Event, params []string) string {
	fields := make([]string, len(params))
	for i, p := range e.Params {
		fields[i] = p.Field + ": " + params[i]
	}
	return w.src.names.Qualified(w.site.pkg.Path, w.site.pkg.Name, e.ArgsType) + "{" + strings.Join(fields, ", ") + "}"
}

// copy returns an expression as written, and notes that the new text keeps it.
func (w *writer) copy(x ast.Expr) string {
	w.keep(x)
	return w.text(w.src, x)
}

func (w *writer) keep(x ast.Expr) { w.change.kept = append(w.change.kept, x) }

// operand returns an expression in a form that an operator or a selector can follow.
func (w *writer) operand(x ast.Expr) string {
	switch x.(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr, *ast.FuncLit:
		return "(" + w.copy(x) + ")"
	}
	return w.copy(x)
}

// argument returns an argument as Go source.
func (w *writer) argument(a proof.Argument) string {
	text := ""
	switch a.How {
	case proof.Pass:
		return w.copy(a.Expr)
	case proof.Convert:
		return w.converted(a.Type, w.copy(a.Expr))
	case proof.Address:
		return "&" + w.operand(a.Expr)
	case proof.Deref:
		return "*" + w.operand(a.Expr)
	case proof.Constant:
		if a.Name != "" {
			return w.src.names.Qualified(w.site.pkg.Path, w.site.pkg.Name, a.Name)
		}
		return strconv.Quote(a.Text)
	case proof.Call:
		text = w.operand(a.Expr) + "." + a.Method + "()"
	case proof.Sprintf:
		text = w.sprintf(a)
	default:
		return "nil"
	}
	if a.Converted {
		return w.converted(a.Type, text)
	}
	return text
}

func (w *writer) sprintf(a proof.Argument) string {
	parts := []string{strconv.Quote(a.Format)}
	if a.Format == "" {
		parts[0] = w.copy(a.Expr)
	}
	for _, x := range a.Args {
		parts = append(parts, w.copy(x))
	}
	text := strings.Join(parts, ", ")
	if a.Spread {
		text += "..."
	}
	return w.src.names.Qualified("fmt", "fmt", "Sprintf") + "(" + text + ")"
}

// converted returns a conversion to a Go type of the model.
func (w *writer) converted(t model.GoType, text string) string {
	name := t.Name
	if t.Path != "" {
		alias := w.site.pkg.Name
		for _, i := range w.site.pkg.Imports {
			if i.Path == t.Path {
				alias = i.Alias
			}
		}
		name = w.src.names.Qualified(t.Path, alias, t.Name)
	} else if token.IsExported(name) { // of the generated package
		name = w.src.names.Qualified(w.site.pkg.Path, w.site.pkg.Name, name)
	}
	if t.Pointer {
		name = "(*" + name + ")"
	}
	return name + "(" + text + ")"
}

// call returns a call with its arguments. They get lines of their own if the old call stood on
// several lines and the new one is long.
func (w *writer) call(fun string, args []string, was ast.Node) string {
	one := fun + "(" + strings.Join(args, ", ") + ")"
	fset := w.result.Program.Fset
	if fset.Position(was.Pos()).Line == fset.Position(was.End()).Line || len(one) <= longLine && !strings.Contains(one, "\n") {
		return one
	}
	return fun + "(\n" + strings.Join(args, ",\n") + ",\n)"
}

// replace replaces a node.
func (w *writer) replace(n ast.Node, text string) {
	w.edit(n, text)
	w.change.replaced = append(w.change.replaced, n)
}

// edit writes a text in the place of a node.
func (w *writer) edit(n ast.Node, text string) {
	w.change.edits = append(w.change.edits, Edit{w.offset(n.Pos()), w.offset(n.End()), text})
}

// comments moves the comments inside of replaced nodes above the statement. It returns why it
// can't, or nothing.
func (w *writer) comments() string {
	var lost []*ast.Comment
	for _, g := range w.src.file.Comments {
		for _, c := range g.List {
			inside := func(n ast.Node) bool { return n.Pos() <= c.Pos() && c.End() <= n.End() }
			kept := slices.ContainsFunc(w.change.kept, func(x ast.Expr) bool { return inside(x) })
			if !kept && slices.ContainsFunc(w.change.replaced, inside) {
				lost = append(lost, c)
			}
		}
	}
	if len(lost) == 0 {
		return ""
	}
	path, _ := astutil.PathEnclosingInterval(w.src.file, w.change.replaced[0].Pos(), w.change.replaced[0].End())
	statement := statementOf(path)
	if statement == nil {
		return "there is a comment inside of it"
	}
	var b strings.Builder
	for _, c := range lost {
		b.WriteString(c.Text + "\n")
	}
	at := w.offset(statement.Pos())
	w.change.edits = append(w.change.edits, Edit{at, at, b.String() + w.indent(at)})
	return ""
}

// indent returns the white space before an offset, on its line.
func (w *writer) indent(at int) string {
	return string(w.src.old[len(bytes.TrimRight(w.src.old[:at], "\t ")):at])
}

// statementOf returns the innermost statement of a path that stands in a list of statements.
func statementOf(path []ast.Node) ast.Stmt {
	for i := 0; i+1 < len(path); i++ {
		if listed(path[i+1]) {
			s, _ := path[i].(ast.Stmt)
			return s
		}
	}
	return nil
}

// on returns the function of a generated package that records on a recorder of an API.
func on(p *model.Package, api scan.API) string {
	if api == scan.Events {
		return p.FromEvents
	}
	return p.FromRecord
}
