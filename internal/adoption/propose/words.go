package propose

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
	"unicode"
)

var notWord = regexp.MustCompile(`[^A-Za-z0-9]+`)

// identifier is an exported Go name of a reason: cert-manager.io becomes CertManagerIo.
func identifier(reason string) string {
	var b strings.Builder
	for _, word := range notWord.Split(reason, -1) {
		b.WriteString(capital(word))
	}
	name := b.String()
	if name == "" || !unicode.IsLetter(rune(name[0])) {
		return "Event" + name
	}
	return name
}

func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

var placeholder = regexp.MustCompile(`\{[a-zA-Z.0-9]*\}`)

// filler are words that tell no two messages apart.
var filler = map[string]bool{"the": true, "a": true, "an": true, "of": true, "to": true, "is": true, "was": true, "in": true, "it": true, "for": true, "at": true, "by": true, "and": true, "with": true, "has": true, "been": true, "due": true, "because": true}

// mostWords is the number of words by which an event's name can be longer than its reason.
const mostWords = 3

// countWords counts the words of a Go name.
func countWords(name string) (n int) {
	for i, r := range name {
		if unicode.IsUpper(r) && (i == 0 || !unicode.IsUpper(rune(name[i-1]))) {
			n++
		}
	}
	return n
}

// wordsOf makes a name of the first words of a message that are not in the name already.
func wordsOf(message, name string) string {
	words := strings.Fields(notWord.ReplaceAllString(placeholder.ReplaceAllString(message, " "), " "))
	var b strings.Builder
	n := 0
	for _, w := range words {
		if filler[strings.ToLower(w)] || strings.Contains(strings.ToLower(name+b.String()), strings.ToLower(w)) {
			continue
		}
		b.WriteString(capital(w))
		if n++; n == mostWords {
			break
		}
	}
	return b.String()
}

// paramName names a param after the expression that gives it.
func paramName(x ast.Expr, info *types.Info) string {
	name := lowerCamel(namer{info}.nameOf(x))
	if token.IsKeyword(name) { // condition.Type
		name = ownedName(x, name)
	}
	switch {
	case name == "":
		return "value"
	case token.IsKeyword(name) || name == "regarding" || name == "related" || name == "ctx" || name == "eventrt":
		return name + "Value"
	}
	return name
}

// namer names expressions; types help where names are short.
type namer struct{ info *types.Info }

func (n namer) nameOf(x ast.Expr) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return n.selected(x.X, x.Sel.Name)
	case *ast.CallExpr:
		return n.called(x)
	case *ast.StarExpr:
		return n.nameOf(x.X)
	case *ast.UnaryExpr:
		return n.nameOf(x.X)
	case *ast.IndexExpr:
		return n.nameOf(x.X)
	case *ast.SliceExpr:
		return n.nameOf(x.X)
	case *ast.TypeAssertExpr:
		return n.nameOf(x.X)
	case *ast.BinaryExpr:
		return n.nameOf(x.X)
	}
	return ""
}

// selected names a selector by its last part: job.Spec.Suspend is suspend. err.Error() and
// phase.String() are their receivers.
func (n namer) selected(of ast.Expr, part string) string {
	if part == "String" || part == "Error" {
		return n.nameOf(of)
	}
	return part
}

// called names the result of a call: x.GetName() is name, len(x) is xCount.
func (n namer) called(x *ast.CallExpr) string {
	switch fun := ast.Unparen(x.Fun).(type) {
	case *ast.SelectorExpr:
		if len(x.Args) == 0 {
			return n.selected(fun.X, withoutGet(fun.Sel.Name))
		}
		if pkg, ok := fun.X.(*ast.Ident); ok && (pkg.Name == "strings" || pkg.Name == "fmt" || pkg.Name == "strconv") {
			return n.nameOf(x.Args[0])
		}
		return withoutGet(fun.Sel.Name)
	case *ast.Ident:
		if len(x.Args) == 1 {
			inner := n.nameOf(x.Args[0])
			if fun.Name == "len" && inner != "" {
				return inner + "Count"
			}
			if inner != "" && n.info != nil && n.info.Types[x.Fun].IsType() {
				return inner
			}
		}
		return withoutGet(fun.Name)
	}
	return ""
}

// withoutGet is a function's name without the verb.
func withoutGet(name string) string {
	for _, verb := range []string{"Get", "get"} {
		if rest := strings.TrimPrefix(name, verb); rest != name && rest != "" && unicode.IsUpper(rune(rest[0])) {
			return rest
		}
	}
	return name
}

// lowerCamel makes a Go parameter's name: UID is uid, URLPath is urlPath.
func lowerCamel(name string) string {
	name = notWord.ReplaceAllString(name, "")
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	if len(runes) > 0 && unicode.IsDigit(runes[0]) {
		return "v" + string(runes)
	}
	return string(runes)
}
