package scan

import "testing"

// TestVariables: a text stays known in a variable, until other code may write the variable.
func TestVariables(t *testing.T) {
	checkSpellings(t, []spelling{
		statement(`reason := "Scaled"; event(reason)`, "Scaled"),
		statement(`var reason string; reason = "Scaled"; event(reason)`, "Scaled"),
		statement(`reason := "Scale"; reason += "d"; event(reason)`, "Scaled"),
		statement(`reason := "Scaled"; func() { event(reason) }()`, "Scaled"),
		statement(`caser := cases.Title(language.English); event(caser.String(scaled))`, "Scaled"),
		statement(`reason := "Scaled"; if ok { reason = "Grown" }; event(reason)`, "{Scaled|Grown}"),
		statement(`reason := "Scaled"; if ok { reason = text }; event(reason)`, "{Scaled|?unknown.Text()}"),
		statement(`reason := "Scaled"; for range names { event(reason); reason = text }`, "{Scaled|?unknown.Text()}"),
		statement(`reason := "Scaled"; for range names { reason += "d" }; event(reason)`, "{Scaled|?reason}"),
		statement(`reason := "Scaled"; func() { reason = text }(); event(reason)`, "{Scaled|?unknown.Text()}"),
		statement(`reason := "Scaled"; change(&reason); event(reason)`, "{Scaled|?reason}"),
		statement(`caser := cases.Title(language.English); if ok { caser = cases.Upper(language.English) }; event(caser.String(scaled))`, "?caser.String(scaled)"),
		// Of the package.
		{"var (\n\tfirst = \"Scale\"\n\treason = first + \"d\"\n)\n\nfunc f() { event(reason) }\n", "Scaled"},
		{"var reason = \"Scaled\"\n\nfunc init() { reason = unknown.Text() }\n\nfunc f() { event(reason) }\n", "?reason"},
		{"var reason = \"Scaled\"\n\nfunc init() { flag.StringVar(&reason, \"reason\", \"\", \"\") }\n\nfunc f() { event(reason) }\n", "?reason"},
		{"var reason string\n\nfunc init() { reason = \"Scaled\" }\n\nfunc f() { event(reason) }\n", "?reason"},
		{"var reasons = map[string]string{\"up\": \"ScaledUp\"}\n\nfunc init() { reasons[\"up\"] = unknown.Text() }\n\nfunc f(s string) { event(reasons[s]) }\n", "?reasons[s]"},
		{"var reasons = []string{\"ScaledUp\"}\n\nfunc init() { copy(reasons, unknown.Names()) }\n\nfunc f() { event(reasons[0]) }\n", "?reasons[0]"},
		{"var reasons = map[string]string{\"up\": \"ScaledUp\"}\n\nfunc init() { json.Unmarshal(nil, &reasons) }\n\nfunc f(s string) { event(reasons[s]) }\n", "?reasons[s]"},
	})
}

// TestParameters: a text stays known through functions, as long as they pass it on unchanged.
func TestParameters(t *testing.T) {
	const wrapper = "func emit(reason string) { event(reason) }\n\n"
	checkSpellings(t, []spelling{
		{wrapper + "func fail(step string) { emit(step + \"Failed\") }\n\nfunc f() { fail(\"Scale\"); fail(\"Pull\") }\n", "ScaleFailed PullFailed"},
		{"func emit(reason string) {\n\treason = strings.TrimSpace(reason)\n\tevent(reason)\n}\n\nfunc f() { emit(\" Scaled \") }\n", "Scaled"},
		{"func emit(reason string) {\n\ttitle := cases.Title(language.English, cases.NoLower)\n\tevent(title.String(reason))\n}\n\nfunc f() { emit(\"notReady\") }\n", "NotReady"},
		{"func f() {\n\temit := func(reason string) { event(reason) }\n\temit(\"Scaled\")\n}\n", "Scaled"},
		{"func emit[T ~string](reason T) { event(string(reason)) }\n\ntype reason string\n\nfunc f() { emit(reason(\"Scaled\")) }\n", "Scaled"},
		{wrapper + "func of(ok bool) string {\n\tif ok {\n\t\treturn \"Scaled\"\n\t}\n\treturn \"Lost\"\n}\n\nfunc f(ok bool) { emit(of(ok)) }\n", "{Scaled|Lost}"},
		// Functions that do not only pass the text on.
		{"func emit(reason string) {\n\treason = unknown.Text()\n\tevent(reason)\n}\n\nfunc f() { emit(\"Scaled\") }\n", "?unknown.Text()"},
		{"func emit(reason string) {\n\tchange(&reason)\n\tevent(reason)\n}\n\nfunc f() { emit(\"Scaled\") }\n", "{Scaled|?reason}"},
		{"func emit(reason string) {\n\tif reason == \"\" {\n\t\treason = unknown.Text()\n\t}\n\tevent(reason)\n}\n\nfunc f() { emit(\"\") }\n", "?unknown.Text()"},
		{"func emit(reason string) {\n\tif reason == unknown.Text() {\n\t\treason = unknown.Text()\n\t}\n\tevent(reason)\n}\n\nfunc f() { emit(\"Scaled\") }\n", "{Scaled|?unknown.Text()}"},
		{"func emit(reason string) {\n\tif reason == \"\" {\n\t\treason = unknown.Text()\n\t}\n\tevent(reason)\n}\n\nfunc f() { emit(\"Scaled\") }\n", "Scaled"},
		{"func emit(reason string) {\n\treason = reason + unknown.Text()\n\tif reason == \"\" {\n\t\treason = \"Lost\"\n\t}\n\tevent(reason)\n}\n\nfunc f() { emit(\"Scaled\") }\n", "{Scaled?unknown.Text()|Lost}"},
		{"func emit(reason string) {\n\tfor range unknown.Names() {\n\t\treason += \"d\"\n\t}\n\tevent(reason)\n}\n\nfunc f() { emit(\"Scale\") }\n", "{Scale|?reason}"},
	})
}

// TestFields: a text stays known in a struct's field that is set once, until other code may write
// the field.
func TestFields(t *testing.T) {
	const note = "type note struct{ reason, text string }\n\n"
	const exported = "type note struct{ Reason, Text string }\n\n"
	const method = note + "func (n *note) emit() { event(n.reason) }\n\n"
	checkSpellings(t, []spelling{
		{note + "func f() {\n\tn := note{reason: \"Scaled\"}\n\tevent(n.reason)\n}\n", "Scaled"},
		{note + "func f() { event(note{reason: \"Scaled\"}.reason) }\n", "Scaled"},
		{note + "func f() {\n\tn := &note{}\n\tn.reason = \"Scaled\"\n\tevent(n.reason)\n}\n", "Scaled"},
		{note + "func of() note { return note{reason: \"Scaled\"} }\n\nfunc f() { event(of().reason) }\n", "Scaled"},
		{note + "func of(s string) *note { return &note{reason: s + \"d\"} }\n\nfunc f() {\n\tn := of(\"Scale\")\n\tevent(n.reason)\n}\n", "?n.reason"},
		{note + "func emit(n note) { event(n.reason) }\n\nfunc f() { emit(note{reason: \"Scaled\"}) }\n", "Scaled"},
		{method + "func f() { (&note{reason: \"Scaled\"}).emit() }\n", "Scaled"},
		{method + "func newNote() *note { return &note{reason: \"Scaled\"} }\n\nfunc f() { newNote().emit() }\n", "Scaled"},
		{note + "func f() {\n\tfor _, n := range []note{{reason: \"A\"}, {reason: \"B\"}} {\n\t\tevent(n.reason)\n\t}\n}\n", "{A|B}"},
		{note + "type outer struct{ note }\n\nfunc f() {\n\to := outer{note{reason: \"Scaled\"}}\n\tevent(o.reason)\n}\n", "Scaled"},
		{note + "var shared = &note{}\n\nfunc init() { shared.reason = \"Scaled\" }\n\nfunc f() { event(shared.reason) }\n", "Scaled"},
		// Other code that writes the field.
		{note + "func f() {\n\tn := note{reason: \"Scaled\"}\n\tn.reason = unknown.Text()\n\tevent(n.reason)\n}\n", "{?unknown.Text()|Scaled}"},
		{note + "func f(ok bool) {\n\tn := note{reason: \"Scaled\"}\n\tif ok {\n\t\tn.reason = \"Lost\"\n\t}\n\tevent(n.reason)\n}\n", "{Lost|Scaled}"},
		{note + "func f() {\n\tn := note{reason: \"Scaled\"}\n\tchange(&n.reason)\n\tevent(n.reason)\n}\n", "?n.reason"},
		{note + "func alter(n *note) { n.reason = unknown.Text() }\n\nfunc f() {\n\tn := note{reason: \"Scaled\"}\n\talter(&n)\n\tevent(n.reason)\n}\n", "?n.reason"},
		{note + "func (n *note) alter() { n.reason = unknown.Text() }\n\nfunc f() {\n\tn := &note{reason: \"Scaled\"}\n\tn.alter()\n\tevent(n.reason)\n}\n", "?n.reason"},
		{exported + "func f() {\n\tn := note{Reason: \"Scaled\"}\n\tjson.Unmarshal(nil, &n)\n\tevent(n.Reason)\n}\n", "?n.Reason"},
		{note + "func f() {\n\tn := note{reason: \"Scaled\"}\n\tto := &n\n\tto.reason = unknown.Text()\n\tevent(n.reason)\n}\n", "?n.reason"},
		{note + "func f() {\n\tn := note{reason: \"Scaled\"}\n\tto := n\n\tto.reason = unknown.Text()\n\tevent(n.reason)\n}\n", "Scaled"},
		{note + "func f() {\n\tn := note{reason: \"Scaled\"}\n\tn, n.text = note{reason: unknown.Text()}, \"x\"\n\tevent(n.reason)\n}\n", "?unknown.Text()"},
		{note + "var shared = note{reason: \"Scaled\"}\n\nfunc init() { shared.reason = unknown.Text() }\n\nfunc f() { event(shared.reason) }\n", "?shared.reason"},
		{exported + "func f() {\n\tn := note{}\n\tjson.NewDecoder(nil).Decode(&n)\n\tn.Reason = \"Scaled\"\n\tevent(n.Reason)\n}\n", "?n.Reason"},
		{note + "func f() {\n\tn := note{reason: \"Scaled\"}\n\tjson.Unmarshal(nil, &n)\n\tevent(n.reason)\n}\n", "Scaled"},
		{exported + "var shared = note{Reason: \"Scaled\"}\n\nfunc init() { json.Unmarshal(nil, &shared) }\n\nfunc f() { event(shared.Reason) }\n", "?shared.Reason"},
		{note + "func f() { event(new(note).reason) }\n", "?new(note).reason"},
	})
}
