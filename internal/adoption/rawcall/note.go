package rawcall

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
)

// mostNote is how long a note may be, in bytes (pkg/apis/core/validation/events.go).
const mostNote = 1024

// noteTooLong is EV515. The core group takes messages of any length, so only the events API is
// judged.
func noteTooLong(c *checker, s *scan.Site) {
	if s.Shape.API != scan.Events {
		return
	}
	for _, v := range slices.Backward(s.Via) { // a wrapper can make the note too long
		if why := c.tooLong(v); why != "" && !v.Package.Dependency {
			if !callersDecide(s) {
				c.reportBehind(s, at(v, v.Message), callrules.NoteTooLong, "%s", why)
			}
			return
		}
	}
	if why := c.tooLong(s); why != "" {
		c.report(at(s, s.Message), callrules.NoteTooLong, "%s", why)
	}
}

// tooLong returns why a site's note is too long, whatever callers pass; empty if it is not.
func (c *checker) tooLong(s *scan.Site) string {
	for _, text := range s.Message.Alternatives {
		if n := constantLength(text); n > mostNote {
			return fmt.Sprintf("the note has %d bytes without its arguments, and the events API refuses more than %d", n, mostNote)
		}
		if callersDecide(s) && symbolic(text) {
			continue
		}
		if p, what, all := unbounded(s, text); what != "" && (all || c.Strict) {
			return fmt.Sprintf("the note can exceed %d bytes, which the events API refuses: %s is %s; shorten it before it is recorded", mostNote, name(p), what)
		}
		if c.Strict {
			if sum, p := longest(text); p != nil {
				return fmt.Sprintf("the note can exceed %d bytes, which the events API refuses: the length of %s is not known", mostNote, name(*p))
			} else if sum > mostNote {
				return fmt.Sprintf("the note can have %d bytes, and the events API refuses more than %d", sum, mostNote)
			}
		}
	}
	return ""
}

// emptyNote is EV537.
func emptyNote(c *checker, s *scan.Site) {
	if text, constant := s.Message.Constant(); constant && text == "" {
		c.reportValue(s, messageOf, callrules.EmptyNote, "the note is empty; say what happened")
	}
}

// symbolic reports whether callers decide a part of a text.
func symbolic(t scan.Text) bool {
	return slices.ContainsFunc(t.Parts, func(p scan.Part) bool { return !literally(p) && strings.HasPrefix(p.Cause, "it is the parameter") })
}

func constantLength(t scan.Text) (n int) {
	for _, p := range t.Parts {
		n += len(p.Literal)
	}
	return n
}

// unbounded finds an error, a list or an object in a note, and whether the note is nothing else.
func unbounded(s *scan.Site, t scan.Text) (part scan.Part, what string, all bool) {
	all = true
	for _, p := range t.Parts {
		if !literally(p) {
			p = origin(s, p)
		}
		switch {
		case literally(p):
			all = all && !strings.ContainsFunc(p.Literal, unicode.IsLetter)
		case what == "" && kindOfText(p) != "":
			part, what = p, kindOfText(p)
		case kindOfText(p) == "":
			all = false
		}
	}
	return part, what, all && what != ""
}

// kindOfText returns why a part's text has no bound: it is an error, a list or an object. It
// returns "" for other parts.
func kindOfText(p scan.Part) string {
	t := p.Type
	if t == nil {
		return ""
	}
	if isError(t) {
		return "an error"
	}
	if call, ok := p.Expr.(*ast.CallExpr); ok && p.Info != nil {
		switch calleeName(p.Info, call) {
		case "strings.Join", "k8s.io/apimachinery/pkg/util/sets.List":
			return "a list"
		}
	}
	if isStringer(t) {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Map:
		return "a list"
	case *types.Struct:
		return "an object"
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			return "an object"
		}
	}
	return ""
}

func calleeName(info *types.Info, call *ast.CallExpr) string {
	if fn := scan.Callee(info, call); fn != nil {
		return fn.FullName()
	}
	return ""
}

// longest returns the most bytes of a note, or the first part whose length is unknown.
func longest(t scan.Text) (sum int, unknown *scan.Part) {
	for i, p := range t.Parts {
		if literally(p) {
			sum += len(p.Literal)
			continue
		}
		n, ok := longestPart(p)
		if !ok {
			return sum, &t.Parts[i]
		}
		sum += n
	}
	return sum, nil
}

// The longest texts of values, in bytes.
const (
	longestBool   = 5
	longestNumber = 25
	longestName   = 253 // of an object: DNS-1123 subdomain
)

func longestPart(p scan.Part) (int, bool) {
	if p.Type == nil {
		return 0, false
	}
	if n, ok := cut(p); ok {
		return n, true
	}
	if isError(p.Type) || isStringer(p.Type) && scan.TypeName(p.Type) != "time.Duration" {
		return 0, false
	}
	basic, ok := p.Type.Underlying().(*types.Basic)
	switch {
	case !ok:
		return 0, false
	case basic.Info()&types.IsBoolean != 0:
		return longestBool, true
	case basic.Info()&types.IsNumeric != 0:
		return longestNumber, true
	}
	return objectName(p.Expr)
}

// objectName holds for the name, namespace and UID of an object.
func objectName(e ast.Expr) (int, bool) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if _, name := selected(e); len(e.Args) == 0 {
			return nameLength(name)
		}
	case *ast.SelectorExpr:
		return nameLength(e.Sel.Name)
	}
	return 0, false
}

func nameLength(field string) (int, bool) {
	switch strings.TrimPrefix(field, "Get") {
	case "Name", "Namespace", "UID":
		return longestName, true
	}
	return 0, false
}

// cut returns the most bytes of a shortened text, as in s[:100].
func cut(p scan.Part) (int, bool) {
	slice, ok := ast.Unparen(p.Expr).(*ast.SliceExpr)
	if !ok || slice.High == nil || p.Info == nil {
		return 0, false
	}
	v := p.Info.Types[slice.High].Value
	if v == nil || v.Kind() != constant.Int {
		return 0, false
	}
	n, exact := constant.Int64Val(v)
	return int(n), exact
}
