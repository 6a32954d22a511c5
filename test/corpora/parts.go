package main

// part is a piece of the tools whose rent is measured. Switched off, its functions begin with the
// bodies below; a function that is gone fails ablate.
type part struct {
	name      string
	functions []function
	// kept is the reason why the part stays without a row that it changes.
	kept string
}

// function is a function of internal/adoption, as file and name or Receiver.name, and what it does
// when its part is off.
type function struct{ file, name, body string }

// parts are in the order of their lines.
var parts = []part{
	{name: "own recorder types", functions: []function{{"scan/equal.go", "Result.OwnRecorder", `return ""`}, {"scan/own.go", "isOwnRecorder", `return false`}}},
	{name: "branch", functions: []function{
		{"scan/branch.go", "frame.fateOf", `return mayRun`}, {"scan/branch.go", "neverReached", `return false`}, {"scan/branch.go", "decided", `return v`}}},
	{name: "a text that moves", functions: []function{{"scan/move.go", "Result.Movable", `return false`}}},
	{name: "an object behind defer and go", functions: []function{{"scan/move.go", "Result.Late", `return false`}},
		kept: "without it a typed call would show an object as it is later"},
	{name: "calls through wrappers in migrate", functions: []function{{"migrate/derive.go", "matcher.derived", `return nil, "off"`}}},
	{name: "texts that a wrapper changes", functions: []function{{"migrate/derive.go", "matcher.changed", `return ""`}}},
	{name: "constructors before a statement", functions: []function{{"migrate/construct.go", "writer.movable", `return ""`}}},
	{name: "arguments in any order", functions: []function{{"migrate/match.go", "matcher.anyOrder", `return true`}},
		kept: "without it arguments that call functions could be evaluated in another order"},
	{name: "formats with %% that callers pass", functions: []function{{"migrate/match.go", "matcher.doubled", `return ""`}},
		kept: "without it a typed call would store both percent signs"},
	{name: "structs that another pointer may write", functions: []function{{"scan/aliases.go", "evaluator.mayWrite", `return false`}},
		kept: "without it findings about options of functional style are false"},
	{name: "pure functions", functions: []function{{"scan/pure.go", "evaluator.pure", `return nil`}, {"scan/pure.go", "evaluator.sliced", `return nil`}}},
	{name: "small functions read at their call", functions: []function{{"scan/calls.go", "evaluator.inlined", `return nil`}}},
	{name: "comparisons and switches on a text", functions: []function{{"scan/compared.go", "evaluator.compared", `return nil`}, {"scan/compared.go", "evaluator.checked", `return false`}}},
	{name: "fields of a local struct", functions: []function{{"scan/fields.go", "evaluator.localField", `return nil`}}},
	{name: "fields that one place writes", functions: []function{{"scan/fields.go", "evaluator.anywhere", `return e.opaque(x, "off")`}}},
	{name: "reasons in structs", functions: []function{{"scan/forward.go", "scanner.carriers", `return`}, {"scan/forward.go", "scanner.literalsOf", `return`}}},
	{name: "dynamic calls", functions: []function{{"scan/forward.go", "scanner.callsOf", `return s.calls[fn.key]`}}},
	{name: "values from callers", functions: []function{{"scan/forward.go", "scanner.fromCallers", `return`}}},
	{name: "a wrapper that formats", functions: []function{{"scan/format.go", "evaluator.looksThrough", `return nil, false`}}},
	{name: "formats that callers give", functions: []function{{"scan/formats.go", "scanner.formatCallers", `return`}, {"scan/formats.go", "scanner.onlyFormats", `return`}}},
	{name: "code that a main package runs", functions: []function{{"scan/graph.go", "index.runs",
		`return func(at place) bool { return !(at.file != nil && x.inTest(at.file)) }, false`}}},
	{name: "calls that are not followed", functions: []function{{"scan/scan.go", "scanner.unfollowed", `return`}},
		kept: "a call that is lost must be named"},
	{name: "empty alternatives left out", functions: []function{{"scan/scan.go", "scanner.withoutEmpty", `return site.Reason.Alternatives`}}},
	{name: "a field's zero value", functions: []function{{"scan/defaults.go", "binding.unset", `return []Text{literalText("", ZeroValue, b.literal.Pos())}`}}},
	{name: "a field that was just stored", functions: []function{{"scan/stored.go", "evaluator.justStored", `return nil`}}},
	{name: "EV511, EV512", functions: []function{{"rawcall/reason.go", "malformedReason", `return`}, {"rawcall/reason.go", "errorAsReason", `return`}}},
	{name: "EV515", functions: []function{{"rawcall/note.go", "noteTooLong", `return`}}},
	{name: "EV518", functions: []function{{"rawcall/changing.go", "changingText", `return`}}},
	{name: "EV522", functions: []function{{"rawcall/nilobject.go", "nilObject", `return`}}},
	{name: "EV528", functions: []function{{"rawcall/constants.go", "checker.literalReasons", `return`}}},
	{name: "EV531", functions: []function{{"rawcall/recorders.go", "checker.recorderNames", `return`}}, kept: "a public report: every event of such a recorder is refused"},
	{name: "EV532, EV533", functions: []function{{"rawcall/recorders.go", "checker.broadcasters", `return`}}, kept: "two public reports"},
	{name: "EV534", functions: []function{{"rawcall/unset.go", "checker.unsetRecorders", `return`}}, kept: "three public reports"},
	{name: "EV526 for objects of the cluster", functions: []function{{"rights/program/cluster.go", "graph.clusterSites", `return`}}, kept: "two public reports"},
	{name: "EV529", functions: []function{{"rawcall/unread.go", "checker.unread", `return`}}},
}
