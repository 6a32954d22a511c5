// Package rawcall judges calls that record events without a catalog. The command scan and the
// analyzer share it: scan judges all packages of a program at once, the analyzer one package at a
// time.
//
// The package reports only certain mistakes. An unknown value, or a value that callers pass, is no
// finding. With one exception: strict judging reports each note whose length can't be proven.
package rawcall

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Finding is a mistake at a position.
type Finding struct {
	Pos  token.Pos
	Rule *callrules.Rule
	// Severity is the rule's, or a milder one.
	Severity diag.Severity
	Message  string
	// Callers are the calls that lead to a finding in a function that they call.
	Callers []token.Pos

	covered bool // all callers suppress the rule
}

// Input is the code to judge.
type Input struct {
	Fset  *token.FileSet
	Sites []*scan.Site
	// Typed are the calls of generated functions.
	Typed []*scan.TypedCall
	// Left are uses of recorders that are not calls.
	Left []scan.Cause
	// Formats are the calls that pass a format to a recorder.
	Formats []*scan.FormatCall
	// Controllers are the names that recorders are made with.
	Controllers []scan.Controller
	// Packages hold the sites; their constants are looked at too.
	Packages []*scan.Package
	// Whole: the packages are the whole program, so no other package shows a value, or needs a
	// suppression.
	Whole bool
	// Complete: all packages of the module's programs were read, without errors.
	Complete bool
	// Strict reports every note of the events API whose length can't be proven.
	Strict bool
	// Where formats another position for a message.
	Where func(token.Pos) string
}

// checker collects findings.
type checker struct {
	Input
	findings []Finding
	// types holds the types of all events that a call, a literal or an assignment records.
	types map[ast.Node]map[string]bool
	// leftOut holds the calls in which a format stands in the place of the reason or the action.
	leftOut map[*ast.CallExpr]bool
	// swapped holds the sites whose wrapper takes another parameter for the reason.
	swapped map[*scan.Site]bool
}

// Check judges calls. Its findings are sorted by position, rule and message, without duplicates.
func Check(in Input) []Finding {
	c := &checker{Input: in, types: typesOf(in.Sites), leftOut: map[*ast.CallExpr]bool{}}
	c.swapped = c.swaps()
	either := map[ast.Node][]*scan.Site{}
	for _, s := range in.Sites {
		if s.Either {
			either[s.Node()] = append(either[s.Node()], s)
		} else {
			c.site(s)
		}
	}
	for _, sites := range either {
		c.either(sites)
	}
	c.formats()
	c.recorderNames()
	c.broadcasters()
	c.unsetRecorders()
	c.bothTypes()
	c.nearReasons()
	c.literalReasons()
	c.unread()
	c.findings = gathered(c.findings)
	c.suppress()
	slices.SortFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Rule.ID, b.Rule.ID), cmp.Compare(a.Message, b.Message))
	})
	return c.findings
}

// gathered joins findings that differ only in the calls that lead to them.
func gathered(findings []Finding) (list []Finding) {
	first := map[string]int{}
	for _, f := range findings {
		key := fmt.Sprint(f.Pos, f.Rule.ID, f.Message)
		i, known := first[key]
		if !known {
			first[key] = len(list)
			list = append(list, f)
			continue
		}
		list[i].Callers = append(list[i].Callers, f.Callers...)
		slices.Sort(list[i].Callers)
		list[i].Callers = slices.Compact(list[i].Callers)
	}
	return list
}

func (c *checker) site(s *scan.Site) {
	if slices.ContainsFunc(s.Notes, func(n scan.Cause) bool { return n.What == "call" }) {
		return // its events are not known
	}
	for _, rule := range siteRules {
		rule(c, s)
	}
	for _, rule := range callerRules {
		if !callersDecide(s) {
			rule(c, s)
		}
	}
}

// either judges a call with several sites, because several types stand behind the recorder's
// interface. Only one site is recorded, so either keeps only findings of rules that each site
// breaks.
func (c *checker) either(sites []*scan.Site) {
	before := c.findings
	var kept []Finding
	for i, s := range sites {
		c.findings = nil
		c.site(s)
		if i == 0 {
			kept = c.findings
			continue
		}
		kept = slices.DeleteFunc(kept, func(f Finding) bool {
			return !slices.ContainsFunc(c.findings, func(o Finding) bool { return o.Rule == f.Rule })
		})
	}
	c.findings = append(before, kept...)
}

// siteRules look at one site each.
var siteRules = []func(*checker, *scan.Site){
	unformattedVerb, noteTooLong, emptyAction, emptyNote, changingText, nilObject,
}

// callerRules look at one site each. They skip sites that pass on values of their callers.
var callerRules = []func(*checker, *scan.Site){
	leftOutReason, leftOutAction, malformedReason, errorAsReason, messageAsAction, wrongType, failureAsNormal,
}

// reportValue reports a value of a site. If calls behind the site fix the value, the finding is at
// the innermost of them, with the site as a caller, unless the site is a wrapper on the way; else
// it is at the site.
func (c *checker) reportValue(s *scan.Site, of func(*scan.Site) scan.Value, rule *callrules.Rule, format string, args ...any) {
	for _, v := range slices.Backward(s.Via) {
		if !fixes(v, of) {
			continue
		}
		if !callersDecide(s) {
			c.reportBehind(s, at(v, of(v)), rule, format, args...)
		}
		return
	}
	c.report(at(s, of(s)), rule, format, args...)
}

// The values of sites.
func typeOf(s *scan.Site) scan.Value    { return s.Type }
func actionOf(s *scan.Site) scan.Value  { return s.Action }
func messageOf(s *scan.Site) scan.Value { return s.Message }

// fixes reports whether a call in judged code fixes a value, whatever its callers pass.
func fixes(v *scan.Site, of func(*scan.Site) scan.Value) bool {
	return of(v).Closed() && !v.Package.Dependency
}

func (c *checker) report(pos token.Pos, rule *callrules.Rule, format string, args ...any) {
	c.findings = append(c.findings, Finding{Pos: pos, Rule: rule, Severity: rule.Severity, Message: fmt.Sprintf(format, args...)})
}

// reportBehind reports a place behind a site, which is its caller.
func (c *checker) reportBehind(s *scan.Site, pos token.Pos, rule *callrules.Rule, format string, args ...any) {
	c.report(pos, rule, format, args...)
	c.findings[len(c.findings)-1].Callers = []token.Pos{s.Node().Pos()}
}

// callersDecide reports whether a site's callers decide its event. The rules judge the callers
// instead.
func callersDecide(s *scan.Site) bool { return s.Scope == scan.InWrapper }

func typesOf(sites []*scan.Site) map[ast.Node]map[string]bool {
	types := map[ast.Node]map[string]bool{}
	for _, s := range sites {
		if t, ok := s.Type.Constant(); ok && !callersDecide(s) {
			if types[s.Node()] == nil {
				types[s.Node()] = map[string]bool{}
			}
			types[s.Node()][t] = true
		}
	}
	return types
}

// surelyOf reports whether an event with the site's reason surely has the site's type. It may have
// another type if the called function reaches several calls of recorders, or a struct that carries
// the reason without the type does: unknown values then choose the call.
func (c *checker) surelyOf(s *scan.Site) bool {
	if len(s.Via) == 0 {
		return true
	}
	_, fixed := s.Via[len(s.Via)-1].Type.Constant()
	carried := s.Fixes != nil || slices.ContainsFunc(s.Via, func(v *scan.Site) bool { return v.Fixes != nil })
	return len(c.types[s.Node()]) < 2 && !(fixed && carried)
}

// at returns the position of a site's value: in the call itself if it is there, else the site.
func at(s *scan.Site, v scan.Value) token.Pos {
	if v.Expr != nil && s.Scope != scan.ThroughWrapper {
		return v.Expr.Pos()
	}
	if assign, ok := s.Fixes.(*ast.AssignStmt); ok { // the assigned text
		for _, t := range v.Alternatives {
			if _, constant := t.Constant(); constant && assign.Pos() < t.Pos && t.Pos < assign.End() {
				return t.Pos
			}
		}
	}
	if n := s.Node(); n != nil {
		return n.Pos()
	}
	return token.NoPos
}

// argument returns an argument of a recorder's call, or nil if the site is no such call or has no
// such argument.
func argument(s *scan.Site, index int) ast.Expr {
	if s.Call == nil || s.Scope == scan.ThroughWrapper || index < 0 || index >= len(s.Call.Args) {
		return nil
	}
	return s.Call.Args[index]
}

// literally reports whether a part of a text is literal.
func literally(p scan.Part) bool { return p.Expr == nil && p.Verb == "" }
