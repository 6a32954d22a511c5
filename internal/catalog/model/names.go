package model

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file computes the identifiers of generated recorders; fake.go computes those of fakes.

// recorderMethods are the methods that every recorder has. No event can have such a name.
var recorderMethods = []string{"At", "Emit", "WithAnnotations", "WithContext", "WithLabels"}

const (
	defaultRecorder = "Recorder"
	definitionsFunc = "Definitions"
	receiver        = "r"
	argsParam       = "args"
	defaultOutput   = "zz_generated.events.go"
)

func recorderConstructor(recorder string) string { return "New" + recorder }

// constructorName returns the name of the function that makes the event of a method.
func constructorName(method string) string { return "New" + method }

func methodName(event string) string { return event }

func methodOnKind(event, alias string) string { return event + "On" + upperCamel(alias) }

func argsTypeName(event string) string { return event + "Args" }

func reasonConst(reason string) string { return "Reason" + upperCamel(reason) }

func eventEnumType(event, param string) string { return event + upperCamel(param) }

func vocabularyEnumType(param string) string { return upperCamel(param) }

func enumConst(enum, value string) string { return enum + upperCamel(value) }

// enumParser returns the name of the function that parses the text of an enum's value.
func enumParser(enum string) string { return "Parse" + enum }

func textsVar(enum string) string { return lowerCamel(enum) + "Texts" }

func definitionFunc(method string) string { return lowerCamel(method) + "Def" }

// definitionVar returns the name of the variable with a method's definition or definitions.
func definitionVar(method string, count int) string {
	if count == 1 {
		return lowerCamel(method) + "Def"
	}
	return lowerCamel(method) + "Defs"
}

func subjectVar(kind string) string { return "about" + upperCamel(kind) }

// The names of the variables with the parts that the definitions of one event share.
func paramsVar(event string) string      { return lowerCamel(event) + "Params" }
func messageVar(event string) string     { return lowerCamel(event) + "Message" }
func annotationsVar(event string) string { return lowerCamel(event) + "Annotations" }

func kindFuncName(objects []*Object) string {
	return lowerCamel(strings.Join(each(objects, func(o *Object) string { return upperCamel(o.Alias) }), "Or"))
}

// fieldName returns the name of a field of an args struct. Go linters want capitals for a name that
// is only an initialism.
func fieldName(param string) string {
	switch param {
	case "uid", "id", "ip", "url", "uri", "cpu", "api":
		return strings.ToUpper(param)
	}
	return upperCamel(param)
}

// objectParam returns the name of the Go parameter for an object: cronJob.
func objectParam(o *Object) string {
	if o.Kind.Kind == "" {
		return aliasParam(o)
	}
	return objectName(o.Kind.Kind)
}

// aliasParam returns the name of the Go parameter for an object if another one has the same kind.
// It comes from the alias.
func aliasParam(o *Object) string { return objectName(o.Alias) }

// alsoParam returns the name of the Go parameter for an object of alsoOn if a param has the name of
// its alias.
func alsoParam(o *Object) string { return "also" + upperCamel(o.Alias) }

// objectName returns a parameter's name. A kind may have hyphens.
func objectName(name string) string {
	if name = lowerCamel(upperCamel(name)); token.IsKeyword(name) {
		return name + "Object"
	}
	return name
}

// renamed returns the name of the Go parameter for a param whose own name belongs to what the body
// needs.
func renamed(name string) string { return name + "Value" }

// upperCamel returns an exported name made of the words of s: "cert-manager.io" becomes
// CertManagerIo. All characters except letters and digits separate words. Capitals stay.
func upperCamel(s string) string {
	var b strings.Builder
	start := true
	for _, r := range s {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			start = true
		case start:
			b.WriteRune(unicode.ToUpper(r))
			start = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// lowerCamel returns the unexported form of an exported name: CronJob becomes cronJob, HTTPRoute
// httpRoute, and PVC pvc.
func lowerCamel(s string) string {
	runes := []rune(s)
	for i := range runes {
		if !unicode.IsUpper(runes[i]) {
			break
		}
		if i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !pluralEnd(runes[i+1:]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// pluralEnd reports whether rest begins with the s of a plural initialism, as in VMs.
func pluralEnd(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || unicode.IsUpper(rest[1]))
}

// exported reports whether a name is a valid exported Go identifier.
func exported(name string) bool { return token.IsIdentifier(name) && token.IsExported(name) }

// capitalised returns a name with an upper-case first letter, for suggestions.
func capitalised(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}

// Sentence returns text with a capital first letter and a full stop, unless it ends with
// punctuation already. Empty text stays empty.
func Sentence(text string) string {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return ""
	case strings.ContainsAny(text[len(text)-1:], ".!?"):
		return capitalised(text)
	}
	return capitalised(text) + "."
}
