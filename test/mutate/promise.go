package main

import (
	"fmt"
	"os"
	"strings"
)

// broken is a clause of a promise, and how it is broken.
type broken struct {
	clause    string
	file      string // in the suite's folder
	text, put string
}

// clauses are those that one suite holds.
type clauses struct {
	suite suite
	list  []broken
}

// promise lists the clauses of docs/reliability.md and docs/design/0009-troubles-have-scopes.md that the dispatcher keeps.
var promise = []broken{
	{"a sick scope has one call in flight", "sick.go", `t.sick && t.tries == 0 && t.holds()`, `t.sick && t.holds()`},
	{"a sick scope has at most one failed call a second", "options.go", `pause = time.Second`, `pause = time.Second / 3`},
	{"all sick scopes together use at most a quarter of the workers", "dispatch.go", `budget{most: opts.part(4)`, `budget{most: opts.part(2)`},
	{"all sick scopes together have at most ten failed calls a second", "options.go", `failuresASecond = 10`, `failuresASecond = 20`},
	{"one namespace holds at most half the workers", "lane.go", `full: d.opts.part(2)`, `full: d.opts.most()`},
	{"a call that hangs gives its slot to another", "budget.go", `case s.flying-s.stuck < s.workers`, `case s.flying < s.workers`},
	{"a call that hangs makes its namespace sick before it has timed out", "dispatch.go", `if !t.sick && t.memberFailed(^uint64(n))`, `if false && t.memberFailed(^uint64(n))`},
	{"a sick server does not wait for its only call when that hangs", "dispatch.go", `		d.pass(c)
`, ``},
	{"somebody looks when a call becomes stuck for which others wait", "dispatch.go", `d.slots.stuckAt != never && d.waitsForFlight()`, `false && d.waitsForFlight()`},
	{"the first failure makes nothing sick", "trouble.go", `return t.failures == several`, `return t.failures > 0`},
	{"a success between failures keeps a scope well", "trouble.go", `	t.failures, t.step, t.vain = 0, 0, 0
`, `	t.step, t.vain = 0, 0
`},
	{"a success proves the wider scopes well", "dispatch.go", `	l.namespace.proven = true
	for _, t := range l.chain() {`, `	l.namespace.proven = true
	for _, t := range l.chain()[2:] {`},
	{"an answer speaks of no wider scope than it may", "dispatch.go", `		return t.scope >= ofNamespace
`, `		return true
`},
	{"an answer about an object makes no scope sick", "dispatch.go", `	case runtime.ScopeObject, runtime.ScopeWrite:
		return false
	case runtime.ScopeNamespace:
		return`, `	case runtime.ScopeObject, runtime.ScopeNamespace:
		return`},
	{"members that are known to fail widen nothing", "dispatch.go", `case t.sick || (!certain && (known ||`, `case t.sick || (!certain && (false ||`},
	{"what is not known to fail is tried first", "held.go", `	for i := range t.held {
		for t.held[i].head != nil {`, `	for i := range t.held {
		i = len(t.held) - 1 - i
		for t.held[i].head != nil {`},
	{"what is not known to fail has a slot of its own", "budget.go", `if !fresh && most > 1 {`, `if false {`},
	{"a namespace of which nothing is known goes before those that have failed", "held.go", `		return forUnknown
`, `		return forUnserved
`},
	{"a namespace that has failed meanwhile goes behind them, too", "held.go", `	if l.waitOf(t) <= l.heldIn {
`, `	if true {
`},
	{"a namespace that was served before goes ahead of those that never were", "held.go", `		return forMixed
`, `		return forUnserved
`},
	{"namespaces of which nothing bad is known are tried at once", "trouble.go", `t.eager = t.scope < ofNamespace && t.checks`, `t.eager = false && t.checks`},
	{"only so many of them are", "dispatch.go", `				t.checks = min(t.checks+1, crossChecks)
`, ``},
	{"those that have failed do not count among them", "dispatch.go", `if l.standing(t) <= forUnknown {`, `if true {`},
	{"a lane that was refused once is not known to fail", "held.go", `case l.own.sick && !l.refusedOnce(),`, `case l.own.sick,`},
	{"any answer but a refusal ends a doubt", "doubt.go", `		l.own.succeeded(now)
	}
	l.doubt`, `	}
	l.doubt`},
	{"failures come in doubling steps", "trouble.go", `	if t.step < 32 && delay <= longest>>t.step {
		d = delay << t.step
	}
`, `	d = delay
`},
	{"after an outage a namespace is tried soon that failed in it", "dispatch.go", `		if t.scope < ofNamespace {
			d.excuse()
		}
`, ``},
	{"what waited is let go once its scope is well", "dispatch.go", `	for _, t := range l.chain() {
		d.letGo(t, t.room())
		d.sick.await(t)
	}
`, `	for _, t := range l.chain() {
		d.sick.await(t)
	}
`},
	{"calls come back in steps when a scope is well", "trouble.go", `t.sick, t.limit = false, 2`, `t.sick, t.limit = false, 0`},
	{"Warnings go first", "dispatch.go", `d.takeTry, d.takeWarning, d.takeNormal}`, `d.takeTry, d.takeNormal, d.takeWarning}`},
	{"a scope that takes calls at a rate is used at that rate", "trouble.go", `	t.soon = now + max(t.rests, patience)
	t.next = t.soon
`, `	t.soon = now + 10*max(t.rests, patience)
	t.next = t.soon
`},
	{"a rate is looked for from below", "trouble.go", `	case t.sick && t.limited && now < t.raiseAt:`, `	case t.sick && t.limited && false:`},
	{"a refusal for want of a right is in doubt for 30 s", "doubt.go", `now-l.doubt.since < runtime.ForbiddenDoubt`, `now-l.doubt.since < runtime.ForbiddenDoubt/10`},
	{"a refusal is believed after the doubt", "doubt.go", `now-l.doubt.since < runtime.ForbiddenDoubt`, `now-l.doubt.since < 10*runtime.ForbiddenDoubt`},
	{"another answer begins the doubt anew", "doubt.go", `	l.doubt = doubt{}
}`, `}`},
	{"an answer about an object proves the wider scopes well", "dispatch.go", `		v = d.proven(l, now, true)
		if l.obstacleSick() {`, `		if l.obstacleSick() {`},
	{"a limit of one object proves the wider scopes well", "dispatch.go", `			v = d.proven(l, now, true)
		}`, `		}`},
	{"what the server says of itself outlasts an answer about an object", "dispatch.go", `vague && t.sick && t.sure || !t.succeeded(now)`, `!t.succeeded(now)`},
	{"a right that is missing is asked for every 30 s", "options.go", `ProbeDenied = 30 * time.Second`, `ProbeDenied = 300 * time.Second`},
	{"what is recorded while a right is missing is refused", "dispatch.go", `	if l.doubt.believed && (now < l.own.next || l.own.tries > 0) {`, `	if false {`},
	{"a namespace that is gone is in doubt anew for what comes later", "doubt.go", `		l.doubt.since = now // what comes from now on waits as long again
`, ``},
	{"a backlog is refused shard by shard", "doubt.go", `d.refuse(l, l.ready[correlator.Warning]|l.ready[correlator.Normal]|l.ready[correlator.Retry])`, `d.refuse(l, l.ready[correlator.Warning])`},
	{"Shutdown without deadline ends", "dispatch.go", `if t.sick && t.vain >= times {`, `if false {`},
	{"a sink with one worker has one call in flight", "options.go", `	if o.Workers == 1 {
		return 1
	}
`, ``},
	{"namespaces are forgotten", "lane.go", `			delete(d.spaces, name)
`, ``},
}

// runClauses breaks each clause in each of its ways.
func runClauses(of []clauses) (survivors int, err error) {
	var all []mutant
	for _, c := range of {
		for _, b := range c.list {
			m, err := b.mutant(c.suite)
			if err != nil {
				return 0, err
			}
			all = append(all, m)
		}
		if err := c.suite.passes(); err != nil {
			return 0, err
		}
	}
	return try(all), nil
}

// mutant breaks the clause. The text must stand in the file once: the list is kept in step with the code.
func (b *broken) mutant(s suite) (mutant, error) {
	file := s.folder + "/" + b.file
	text, err := os.ReadFile(file)
	if err != nil {
		return mutant{}, err
	}
	if n := strings.Count(string(text), b.text); n != 1 {
		return mutant{}, fmt.Errorf("%q is broken by a change of %s, in which %q stands %d times, expected once; see test/mutate", b.clause, file, b.text, n)
	}
	line := 1 + strings.Count(string(text[:strings.Index(string(text), b.text)]), "\n")
	return mutant{s, file, line, "not: " + b.clause, []byte(strings.Replace(string(text), b.text, b.put, 1))}, nil
}
