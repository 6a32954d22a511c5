package proof

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// filling is an argument for a param, with the causes of differences.
type filling struct {
	arg    Argument
	causes []ID
}

// textCauses can apply to any text.
var textCauses = []ID{Cut, Control, UTF8}

// fill turns an argument of the raw call into the argument of a param, if the param shows the same
// text as the verb. Otherwise it returns false.
func (p *prover) fill(q *model.Param, part Part) (filling, bool) {
	f, ok := p.shown(q, part)
	if !ok || part.Moved || f.arg.How == None {
		return filling{}, false
	}
	if part.Formats && !part.isNumber() {
		f.causes = append(f.causes, Percent)
	}
	if q.Definition.Sensitive {
		f.causes = append(f.causes, Redacted)
	}
	if q.Definition.Optional && (q.Definition.Prefix != "" || !isEmptyText(q)) {
		f.causes = append(f.causes, Zero)
	}
	return f, true
}

// isEmptyText reports whether the zero value of a param shows nothing in the raw call too.
func isEmptyText(q *model.Param) bool {
	return (q.Convert == "String" || q.Convert == "Strings") && !q.Definition.Quote
}

// isNumber reports whether a part shows a number or a boolean, which holds no %. With a verb that
// does not fit, such as %s, fmt would show a %.
func (part Part) isNumber() bool {
	fits := ""
	switch {
	case part.Method != "" || len(part.Args) > 0 || part.Verb == "" || isText(part.Type) || strings.Contains(part.Verb, "*"):
	case isKind(part.Type, types.IsInteger):
		fits = "dvxXob"
	case isKind(part.Type, types.IsFloat):
		fits = "veEfFgG"
	case isKind(part.Type, types.IsBoolean):
		fits = "tv"
	}
	return part.Verb != "" && strings.Contains(fits, part.Verb[len(part.Verb)-1:])
}

func (p *prover) shown(q *model.Param, part Part) (filling, bool) {
	switch q.Convert {
	case "String":
		return asText(q, part), q.Definition.Quote == (part.Verb == "%q" && isString(part)) || !q.Definition.Quote
	case "Enum":
		return p.asEnum(q, part)
	case "Int", "Uint":
		return asInteger(q, part)
	case "Bool":
		return asBool(q, part)
	case "Float":
		return asFloat(q, part)
	case "Duration":
		return asDuration(q, part)
	case "Error":
		return asError(part)
	case "Stringer", "Quantity", "NamespacedName":
		return asStringer(q, part)
	case "Strings":
		return p.asStrings(q, part)
	case "Time":
		ok := isType(part.Type, q.GoType) && part.Method == ""
		return filling{Argument{How: Pass, Expr: part.Expr}, []ID{Rendering}}, ok
	}
	return filling{}, false
}

func isPlain(verb string) bool { return verb == "%s" || verb == "%v" }

// isString reports whether an argument is of a string type, and fmt shows it without calling a
// method.
func isString(part Part) bool {
	return part.Method == "" && isKind(part.Type, types.IsString) && !isText(part.Type) && len(part.Args) == 0
}

// asText passes text to a param of a string type. The caller formats all other values.
func asText(q *model.Param, part Part) filling {
	f := filling{causes: textCauses}
	switch {
	case isString(part) && (isPlain(part.Verb) || q.Definition.Quote):
		f.arg = converted(q, part)
	case part.Method != "" && isPlain(part.Verb):
		f.arg = Argument{How: Call, Expr: part.Expr, Method: part.Method}
	case len(part.Args) > 0:
		f.arg = Argument{How: Sprintf, Expr: part.Expr, Args: part.Args, Spread: part.Spread}
	case part.Method != "":
		return filling{} // the result of the call is no expression of its own
	case !vetted(part):
		return filling{}
	default:
		f.arg = Argument{How: Sprintf, Format: usualVerb(part), Args: []ast.Expr{part.Expr}}
		if f.arg.Format != part.Verb && isText(part.Type) {
			f.causes = append(slices.Clone(f.causes), Panic)
		}
	}
	if f.arg.How == Call || f.arg.How == Sprintf {
		f.arg.Type, f.arg.Converted = q.GoType, !isPlainString(q.GoType)
	}
	return f
}

// asEnum passes a constant of the enum for constant text, and a value of the enum's type as it is.
func (p *prover) asEnum(q *model.Param, part Part) (filling, bool) {
	if part.Method != "" && part.Method != "String" || !isPlain(part.Verb) || len(part.Args) > 0 {
		return filling{}, false
	}
	if text, ok := p.constantText(part.Expr); ok && part.Method == "" {
		arg, ok := enumConstant(q, text)
		return filling{arg: arg}, ok
	}
	return filling{arg: Argument{How: Pass, Expr: part.Expr}}, isType(part.Type, q.GoType)
}

// enumConstant returns the constant of an enum that has a text.
func enumConstant(q *model.Param, text string) (Argument, bool) {
	i := slices.IndexFunc(q.Enum.Values, func(c model.Constant) bool { return c.Value == text })
	if i < 0 {
		return Argument{}, false
	}
	return Argument{How: Constant, Text: text, Name: q.Enum.Values[i].Name}, true
}

// usualVerb returns %s for a value that %s and %v show alike, else its verb. Only a panicking
// method shows the difference, because fmt names the verb then.
func usualVerb(part Part) string {
	if part.Verb == "%v" && !isDynamic(part.Type) && (isKind(part.Type, types.IsString) || isText(part.Type)) && !has(part.Type, "Format") {
		return "%s"
	}
	return part.Verb
}

// vetted reports whether go vet accepts a verb in a call of fmt.Sprintf. If it does not, go test
// runs no tests. go vet may not recognize that the raw call's function formats.
func vetted(part Part) bool {
	if part.Verb == "" || part.Verb == listVerb {
		return false
	}
	verb := part.Verb[len(part.Verb)-1]
	b := basic(part.Type)
	if b == nil || isText(part.Type) && strings.IndexByte("vsxXq", verb) >= 0 {
		return strings.IndexByte("vTtbcdoOqxXUeEfFgGsp", verb) >= 0
	}
	switch info := b.Info(); {
	case verb == 'v' || verb == 'T':
		return true
	case info&types.IsString != 0:
		return strings.IndexByte("sqxX", verb) >= 0
	case info&types.IsBoolean != 0:
		return verb == 't'
	case info&types.IsInteger != 0:
		return strings.IndexByte("bcdoOqxXU", verb) >= 0
	}
	return strings.IndexByte("beEfFgGxX", verb) >= 0
}

func isPlainString(t model.GoType) bool { return t.Path == "" && t.Name == "string" }

// converted passes a value of the same basic type.
func converted(q *model.Param, part Part) Argument {
	if isType(part.Type, q.GoType) || isUntyped(part.Type) {
		return Argument{How: Pass, Expr: part.Expr}
	}
	return Argument{How: Convert, Expr: part.Expr, Type: q.GoType}
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func asInteger(q *model.Param, part Part) (filling, bool) {
	b := basic(part.Type)
	ok := part.Method == "" && b != nil && b.Info()&types.IsInteger != 0 && b.Kind() != types.Uintptr && !has(part.Type, "Format") &&
		(part.Verb == "%d" || part.Verb == "%v" && !isText(part.Type))
	switch {
	case !ok:
		return filling{}, false
	case isType(part.Type, q.GoType):
		return filling{arg: Argument{How: Pass, Expr: part.Expr}}, true
	}
	return filling{arg: Argument{How: Convert, Expr: part.Expr, Type: q.GoType}}, q.GoType.Path == "" && widens(b, q.GoType.Name)
}

func asBool(q *model.Param, part Part) (filling, bool) {
	ok := part.Method == "" && isKind(part.Type, types.IsBoolean) && !has(part.Type, "Format") && (part.Verb == "%t" || part.Verb == "%v" && !isText(part.Type))
	return filling{arg: converted(q, part)}, ok
}

var precise = regexp.MustCompile(`^%\.([0-9]{1,2})f$`)

func asFloat(q *model.Param, part Part) (filling, bool) {
	b := basic(part.Type)
	if part.Method != "" || b == nil || b.Info()&types.IsFloat == 0 || has(part.Type, "Format") {
		return filling{}, false
	}
	f := filling{arg: converted(q, part)}
	if q.MaxBytes > 0 && q.Declaration().MaxBytes.Set() {
		f.causes = []ID{Cut}
	}
	switch {
	case part.Verb == "%v" && !isText(part.Type), part.Verb == "%g":
		return f, q.Definition.Precision == 0 && (b.Kind() == types.Float64 || b.Kind() == types.UntypedFloat)
	case part.Verb == "%f":
		return f, q.Definition.Precision == 6+1
	}
	m := precise.FindStringSubmatch(part.Verb)
	if m == nil {
		return filling{}, false
	}
	n, err := strconv.Atoi(m[1])
	return f, err == nil && q.Definition.Precision == n+1
}

func asDuration(q *model.Param, part Part) (filling, bool) {
	f := filling{arg: Argument{How: Pass, Expr: part.Expr}}
	if q.Definition.Round > 0 || q.Definition.Unit > 0 {
		f.causes = []ID{Rendering}
	}
	return f, isType(part.Type, q.GoType) && asMethod(part, "String")
}

// asMethod reports whether the text is the result of a method of the value, which the call or fmt
// calls for a plain verb.
func asMethod(part Part, method string) bool {
	return isPlain(part.Verb) && (part.Method == method || part.Method == "")
}

func asError(part Part) (filling, bool) {
	f := filling{Argument{How: Pass, Expr: part.Expr}, methodCauses(part, "Format")}
	return f, isError(part.Type) && asMethod(part, "Error")
}

// methodCauses can apply to the result of a method of a value. fmt prefers some other methods.
func methodCauses(part Part, preferred ...string) []ID {
	if part.Method != "" {
		return textCauses
	}
	causes := append(slices.Clone(textCauses), Panic)
	if isDynamic(part.Type) || slices.ContainsFunc(preferred, func(method string) bool { return has(part.Type, method) }) {
		causes = append(causes, OwnFormat)
	}
	if part.Verb == "%s" && isDynamic(part.Type) {
		causes = append(causes, NilText)
	}
	return causes
}

// asStringer passes a value whose String method both calls use.
func asStringer(q *model.Param, part Part) (filling, bool) {
	if part.Type == nil {
		return filling{}, false
	}
	f := filling{Argument{How: Pass, Expr: part.Expr}, methodCauses(part, "Format", "Error")}
	byAddress := q.ByAddress || q.Convert == "Quantity"
	switch {
	case !asMethod(part, "String"):
		return filling{}, false
	case part.Method == "" && byAddress:
		x, ok := addressed(part)
		if !ok || !isType(x.Type, q.GoType) {
			return filling{}, false
		}
		f.arg.Expr = x.Expr
	case !isType(part.Type, q.GoType):
		return filling{}, false
	}
	return f, true
}

// addressed returns x of an argument &x.
func addressed(part Part) (Part, bool) {
	u, ok := ast.Unparen(part.Expr).(*ast.UnaryExpr)
	ptr, isPointer := types.Unalias(part.Type).(*types.Pointer)
	if !ok || u.Op != token.AND || !isPointer {
		return Part{}, false
	}
	part.Expr, part.Type = u.X, ptr.Elem()
	return part, true
}

// asStrings passes a list, if the raw call joins the list with the param's separator.
func (p *prover) asStrings(q *model.Param, part Part) (filling, bool) {
	if q.Extra == nil {
		return filling{}, false
	}
	f := filling{arg: Argument{How: Pass, Expr: part.Expr}, causes: textCauses}
	if part.Verb == listVerb {
		return f, *q.Extra == " "
	}
	list, separator, ok := p.joined(part)
	f.arg.Expr = list
	return f, ok && separator == *q.Extra && isPlain(part.Verb)
}

// joined splits strings.Join(list, "separator").
func (p *prover) joined(part Part) (list ast.Expr, separator string, ok bool) {
	c, isCall := ast.Unparen(part.Expr).(*ast.CallExpr)
	if !isCall || len(c.Args) != 2 || p.site.Info == nil || part.Method != "" {
		return nil, "", false
	}
	sel, isSel := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !isSel {
		return nil, "", false
	}
	fn, isFunc := p.site.Info.Uses[sel.Sel].(*types.Func)
	separator, ok = p.constantText(c.Args[1])
	if !isFunc || fn.FullName() != "strings.Join" || !ok {
		return nil, "", false
	}
	return c.Args[0], separator, isStrings(p.typeOf(c.Args[0]))
}

// constantText returns the text of a constant expression.
func (p *prover) constantText(x ast.Expr) (string, bool) {
	if p.site.Info == nil {
		return "", false
	}
	v := p.site.Info.Types[x].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}

// selected passes the raw call's reason or type to the select param.
func (p *prover) selected(x ast.Expr) Argument {
	return converted(p.event.Select, Part{Expr: x, Type: p.typeOf(x)})
}

// noneOf returns an argument with which an optional param shows nothing.
func noneOf(q *model.Param) (Argument, bool) {
	switch {
	case !q.Definition.Optional:
		return Argument{}, false
	case q.Convert == "Error", q.Convert == "ObjectName", q.Convert == "Strings":
		return Argument{How: Nil}, true
	case q.Convert == "String":
		return Argument{How: Constant}, true
	}
	return Argument{}, false
}
