package lint

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/model"
)

// judge runs all rules on catalogs and their model.
func judge(t testing.TB, release string, config *catalog.Configuration, specs ...string) string {
	t.Helper()
	catalogs := read(t, specs...)
	set, findings := model.Build(context.Background(), catalog.Complete(catalogs), model.Options{Dir: t.TempDir(), Resolve: model.ResolveNever})
	settings, wrong := NewSettings(config)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	var b strings.Builder
	for _, f := range Run(Input{Catalogs: catalogs, Set: set, Found: findings, Release: release, Settings: settings}) {
		b.WriteString(f.Severity.String() + " " + f.String() + "\n")
	}
	return b.String()
}

// only returns the lines of one rule.
func only(text, rule string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasSuffix(line, "["+rule+"]\n") {
			b.WriteString(line)
		}
	}
	return b.String()
}

const pods = "  objects: {Pod: v1}\n  defaults: {regarding: Pod}\n"

func TestPolicies(t *testing.T) {
	for _, c := range []struct {
		rule, release, spec, want string
	}{
		{"EV207", "", pods + events(`{reason: A, message: "a {s}", params: [{name: s, type: string, sensitive: true}], annotations: {example.com/s: "s {s}"}, correlation: {key: [s]}}`),
			"warning a.yaml:8:119: an annotation shows the sensitive param s only as <redacted>; leave it out [EV207]\n" +
				"warning a.yaml:8:146: the sensitive param s is not stored, so a key can't tell occurrences apart by it; leave it out [EV207]\n"},
		{"EV207", "", pods + events(`{reason: A, message: "a {s} {u}", params: [{name: s, type: string, sensitive: true}, u int], annotations: {example.com/s: "s {u}"}, correlation: {key: [u]}}`), ""},
		{"EV207", "", "  objects: {Pod: v1}\n  defaults: {regarding: Pod, correlation: {key: [s]}}\n  params: {s: {type: string, sensitive: true}}\n" + events(`{reason: A, message: "a {s}", params: [s]}`),
			"warning a.yaml:6:50: the sensitive param s is not stored, so a key can't tell occurrences apart by it; leave it out [EV207]\n"},

		{"EV208", "", pods + events(`{reason: A, message: "{n} {a} {b} {c}", params: [n int, a string(9), b name, c namespace]}`),
			"warning a.yaml:8:61: the neighbours a, b and c are all string and easily swapped; use a related object, distinct types or go.args: struct [EV208]\n"},
		{"EV208", "", pods + events(`{reason: A, message: "{a} {b} {c}", params: [a uid, b uid, c uid]}`),
			"warning a.yaml:8:50: the neighbours a, b and c are all types.UID and easily swapped; use a related object, distinct types or go.args: struct [EV208]\n"},
		{"EV208", "", pods + events(`{reason: A, message: "{a} {b} {n} {c}", params: [a string(9), b name, n int, c namespace]}`,
			`{reason: B, message: "{a} {b} {c}", params: [a string(9), b strings, c string(9)]}`), ""},

		{"EV301", "", pods + events(`{reason: A, message: "a {e}{t}{u}", params: [e error, t time, u uid], correlation: {key: [e, t, u]}}`),
			"warning a.yaml:8:98: key t is a time, which is new nearly every time; leave it out of the key [EV301]\n" +
				"warning a.yaml:8:101: key u is a UID, which is new nearly every time; leave it out of the key [EV301]\n"},
		{"EV301", "", pods + events(`{reason: A, message: "a {d} {f}", params: [d duration, f float64], correlation: {key: [d]}}`,
			`{reason: B, message: "b {f}", params: [f float64]}`),
			"warning a.yaml:8:92: key d is a duration, which is new nearly every time; leave it out of the key [EV301]\n" +
				"warning a.yaml:9:44: param f is a fraction, which is new nearly every time, and without correlation.key all params are the key; give a key without it [EV301]\n"},
		{"EV301", "", pods + events(`{reason: A, message: "a {e} {m}", params: [e error, m int], correlation: {key: [m]}}`,
			`{reason: B, message: "a {e}", params: [e error]}`), ""},
		{"EV301", "", "  objects: {Pod: v1}\n  params: {cause: error}\n  defaults: {regarding: Pod, correlation: {key: [cause]}}\n" +
			events(`{reason: A, message: "a {cause}", params: [cause]}`, `{reason: B, message: "b {m}", params: [m int], correlation: {key: [m]}}`), ""},

		{"EV301", "", pods + "  params: {at: time}\n" + events(`{reason: A, message: "a {at} {u}", params: [at, u uid]}`,
			`{reason: B, message: "b {t} {resourceVersion}", params: [t metav1.MicroTime, resourceVersion string]}`,
			`{reason: C, message: "c {t} {m} {n}", params: [t metav1.Time, m int, n types.UID]}`,
			`{reason: D, message: "d {t} {u}", params: [{name: t, type: time, sensitive: true}, u uid], correlation: {key: []}}`,
			`{reason: E, message: "e {t} {m}", params: [{name: t, type: time, sensitive: true}, m int]}`),
			"warning a.yaml:9:49: param at is a time, which is new nearly every time, and without correlation.key all params are the key; give a key without it [EV301]\n" +
				"warning a.yaml:9:53: param u is a UID, which is new nearly every time, and without correlation.key all params are the key; give a key without it [EV301]\n" +
				"warning a.yaml:10:62: param t is a time, which is new nearly every time, and without correlation.key all params are the key; give a key without it [EV301]\n" +
				"warning a.yaml:10:82: param resourceVersion is a resource version, which is new nearly every time, and without correlation.key all params are the key; give a key without it [EV301]\n" +
				"warning a.yaml:11:52: param t is a time, which is new nearly every time, and without correlation.key all params are the key; give a key without it [EV301]\n" +
				"warning a.yaml:11:74: param n is a UID, which is new nearly every time, and without correlation.key all params are the key; give a key without it [EV301]\n"},
		{"EV301", "", pods + events(`{reason: A, message: "a {v}", params: [v string], correlation: {key: [v]}}`,
			`{reason: B, message: "b {resourceVersion}", params: [resourceVersion string], correlation: {key: [resourceVersion]}}`),
			"warning a.yaml:9:103: key resourceVersion is a resource version, which is new nearly every time; leave it out of the key [EV301]\n"},

		{"EV307", "", pods + "  limits: {a: {rate: 1/s, burst: 1}, b: {rate: 1/s, burst: 1}}\n" + events(`{reason: A, message: "a", correlation: {limit: b}}`),
			"warning a.yaml:7:12: no event has correlation.limit: a [EV307]\n"},
		{"EV307", "", "  objects: {Pod: v1}\n  defaults: {regarding: Pod, correlation: {limit: a}}\n  limits: {a: {rate: 1/s, burst: 1}}\n" + events(`{reason: A, message: "a"}`), ""},
		{"EV306", "", pods + events(`{reason: A, message: "a", correlation: {interval: 5m, window: 1m, threshold: 2, budget: {burst: 3, every: 4m}}}`),
			"warning a.yaml:8:67: window has no effect: interval sets the time between writes, and an object has one such event; leave it out [EV306]\n" +
				"warning a.yaml:8:82: threshold has no effect: interval sets the time between writes, and an object has one such event; leave it out [EV306]\n" +
				"warning a.yaml:8:101: budget.burst has no effect: interval sets the time between writes, and an object has one such event; leave it out [EV306]\n" +
				"warning a.yaml:8:111: budget.every has no effect: interval sets the time between writes, and an object has one such event; leave it out [EV306]\n"},
		{"EV306", "", pods + events(`{reason: A, message: "a {m}", params: [m int], correlation: {interval: 5m, window: 1m, aggregate: false}}`),
			"warning a.yaml:8:88: window has no effect: interval sets the time between writes, and aggregate: false counts no messages; leave it out [EV306]\n"},
		{"EV306", "", "  objects: {Pod: v1}\n  defaults: {regarding: Pod, correlation: {key: [], interval: 5m, window: 1m}}\n" + events(`{reason: A, message: "a"}`),
			"warning a.yaml:6:75: window has no effect: interval sets the time between writes, and an object has one such event; leave it out [EV306]\n"},
		{"EV306", "", "  objects: {Pod: v1, Any: {type: any}}\n  defaults: {regarding: Pod, correlation: {window: 1m, threshold: 3}}\n" +
			events(`{reason: A, message: "a", correlation: {interval: 5m}}`, `{reason: B, message: "b", correlation: {window: 2m}}`,
				`{reason: C, message: "c {m}", params: [m int], correlation: {interval: 5m, window: 2m, threshold: 3}}`,
				`{reason: D, message: "d", related: Pod, correlation: {key: [], interval: 5m, window: 2m}}`,
				`{reason: E, message: "e", regarding: Any, correlation: {key: [], interval: 5m, window: 2m}}`,
				`{reason: F, message: "f {m}", regarding: {object: Pod, container: m}, params: [m name], correlation: {key: [], interval: 5m, window: 2m}}`,
				`{reason: G, message: "g {m}", params: [m int], correlation: {key: [m], interval: 5m, window: 2m, aggregate: true}}`), ""},

		{"EV302", "", "  objects: {Pod: v1}\n  defaults: {regarding: Pod, correlation: {key: [a]}}\n" +
			events(`{reason: A, message: "{a} {b}", params: [a int, b int]}`, `{reason: B, message: "{a} {b}", params: [a int, b int], correlation: {window: 1m}}`,
				`{reason: C, message: "{a} {b}", params: [a int, b int], correlation: {key: [a]}}`),
			"info a.yaml:8:53: param b is not in the key that defaults.correlation gives, so a series shows one of its values; give the event a correlation.key of its own [EV302]\n" +
				"info a.yaml:9:53: param b is not in the key that defaults.correlation gives, so a series shows one of its values; give the event a correlation.key of its own [EV302]\n"},
		{"EV302", "", pods + events(`{reason: A, message: "{a} {b}", params: [a int, b int]}`), ""},
		{"EV302", "", "  objects: {Pod: v1}\n  defaults: {regarding: Pod, correlation: {key: [], note: latest}}\n" +
			events(`{reason: A, message: "{a}", params: [a int]}`, `{reason: B, message: "{a}", params: [a int], correlation: {note: first}}`),
			"info a.yaml:9:42: param a is not in the key that defaults.correlation gives, so a series shows one of its values; give the event a correlation.key of its own [EV302]\n"},
		{"EV302", "", "  objects: {Pod: v1}\n  defaults: {regarding: Pod, correlation: {key: []}}\n" +
			events(`{reason: B, message: "{s}", params: [c int, {name: s, type: string, sensitive: true}], annotations: {example.com/c: "{c}"}}`,
				`{reason: C, message: "{c}", regarding: {object: Pod, container: c}, params: [c name]}`,
				`{name: D, message: "{d}", params: [d string(20)], select: d, variants: {V: }, other: {reason: Other}}`), ""},

		{"EV304", "", pods + events(`{reason: ScalingReplicaSet, message: "a"}`, `{reason: ScaledReplicaSet, message: "b"}`),
			"warning a.yaml:8:5: ScalingReplicaSet reports the start of something, and ScaledReplicaSet at a.yaml:9:5 its end; the latter is enough [EV304]\n"},
		{"EV304", "", pods + events(`{reason: AboutToCreatePod, message: "a"}`, `{reason: CreatedPod, message: "b"}`, `{reason: WillDelete, message: "a"}`, `{reason: Deleted, message: "b"}`),
			"warning a.yaml:8:5: AboutToCreatePod reports the start of something, and CreatedPod at a.yaml:9:5 its end; the latter is enough [EV304]\n" +
				"warning a.yaml:10:5: WillDelete reports the start of something, and Deleted at a.yaml:11:5 its end; the latter is enough [EV304]\n"},
		{"EV304", "", pods + events(`{reason: Adding, message: "a"}`, `{reason: Added, message: "b"}`),
			"warning a.yaml:8:5: Adding reports the start of something, and Added at a.yaml:9:5 its end; the latter is enough [EV304]\n"},
		{"EV304", "", pods + events(`{reason: Pulling, message: "a"}`, `{reason: Pushed, message: "b"}`, `{reason: Ring, message: "b"}`, `{reason: Red, message: "b"}`,
			`{reason: Scaling, message: "c"}`, `{reason: Scaled, type: Warning, message: "d"}`, `{reason: Started, message: "e"}`,
			`{reason: Starting, message: "f", reportingController: other}`, `{reason: Will, message: "g"}`), ""},

		{"EV401", "", pods + events(`{reason: A, message: "a"}`, `{reason: B, message: "b", doc: {runbook: "https://example.com"}}`, `{reason: C, message: "c", doc: ""}`),
			"info a.yaml:8:5: the event has no doc; describe what it means and what to do [EV401]\n" +
				"info a.yaml:9:5: the event has no doc; describe what it means and what to do [EV401]\n" +
				"info a.yaml:10:5: the event has no doc; describe what it means and what to do [EV401]\n"},
		{"EV401", "", pods + events(`{reason: A, message: "a", doc: "It is."}`,
			`{name: B, message: "b", params: [b enum], select: b, variants: {V: {doc: "It is."}, W: {doc: "It is not."}}}`,
			`{name: C, message: "c", params: [c enum], select: c, doc: "It is.", variants: {V: {}, W: {doc: "It is not."}}}`), ""},
		{"EV401", "", pods + events(`{name: B, message: "b", params: [b string(9)], select: b, variants: {V: {doc: "It is."}, W: {}}, other: {reason: O, doc: "It is odd."}}`,
			`{name: C, message: "c", params: [c string(9)], select: c, variants: {V: {doc: "It is."}}, other: {reason: P}}`),
			"info a.yaml:8:94: neither the variant nor the event has a doc; describe what it means and what to do [EV401]\n" +
				"info a.yaml:9:102: neither the variant nor the event has a doc; describe what it means and what to do [EV401]\n"},

		{"EV402", "", pods + events(`{reason: A, type: Warning, message: "a"}`,
			`{name: B, message: "{b}", params: [b string(20)], select: b, variants: {V: {type: Warning, doc: {runbook: "https://example.com"}}}, other: {reason: C, type: Warning}}`),
			"info a.yaml:8:5: the event is a Warning and has no doc.runbook [EV402]\n" +
				"info a.yaml:9:5: the event is a Warning and has no doc.runbook [EV402]\n"},
		{"EV402", "", pods + events(`{reason: A, message: "a"}`, `{reason: W, type: Warning, message: "a", doc: {runbook: "https://example.com"}}`,
			`{name: B, message: "{b}", params: [b string(20)], select: b, variants: {V: {type: Warning, doc: {runbook: "https://example.com"}}}, other: {reason: C}}`,
			`{name: D, message: "{b}", params: [b string(20)], select: b, variants: {X: }, other: {reason: E, type: Warning, doc: {runbook: "https://example.com"}}}`), ""},

		{"EV403", "", pods + events(`{reason: A, message: "a", lifecycle: {deprecated: {reason: "old"}}}`,
			`{reason: B, message: "b", lifecycle: {deprecated: {replacedBy: Amm}}}`, `{reason: C, message: "c", lifecycle: {deprecated: {replacedBy: C}}}`,
			`{name: Am, reason: D, message: "d"}`),
			"error a.yaml:8:55: the event is deprecated without replacedBy; name the event to use instead [EV403]\n" +
				"error a.yaml:9:68: replacedBy names no event of the catalogs: Amm; did you mean Am? [EV403]\n" +
				"error a.yaml:10:68: the event is replaced by itself [EV403]\n"},
		{"EV403", "", pods + events(`{reason: A, message: "a", lifecycle: {since: v1.0.0, deprecated: {replacedBy: B}}}`, `{name: B, reason: C, message: "b"}`), ""},
		{"EV403", "", pods + events(`{reason: A, message: "a", lifecycle: {deprecated: {replacedBy: Old}}}`, `{reason: New, message: "b", formerly: [{name: Old}]}`),
			"error a.yaml:8:68: replacedBy names no event of the catalogs: Old, which is called New now [EV403]\n"},

		{"EV404", "v1.6.1", pods + events(`{reason: A, message: "a", lifecycle: {deprecated: {replacedBy: B, removeAfter: v1.6.0}}}`,
			`{reason: B, message: "b", lifecycle: {deprecated: {replacedBy: A, removeAfter: "1.6"}}}`),
			"warning a.yaml:8:84: the event was to be removed after v1.6.0, and v1.6.1 is later [EV404]\n" +
				"warning a.yaml:9:84: removeAfter: expected a version such as v1.6.0, found \"1.6\" [EV404]\n"},
		{"EV404", "v1.6.0", pods + events(`{reason: A, message: "a", lifecycle: {deprecated: {replacedBy: B, removeAfter: v1.6.0}}}`,
			`{reason: B, message: "b", lifecycle: {deprecated: {replacedBy: A}}}`), ""},
		{"EV404", "", pods + events(`{reason: A, message: "a", lifecycle: {deprecated: {replacedBy: B, removeAfter: v1.6.0}}}`, `{reason: B, message: "b"}`), ""},

		{"EV404", "v1.7.0", pods + events(`{reason: A, message: "a", formerly: [{name: B, removeAfter: v1.6.0}, {name: C, removeAfter: v1.7.0}, {name: D, removeAfter: soon}, {name: E}]}`),
			"warning a.yaml:8:65: the former name B was to be removed after v1.6.0, and v1.7.0 is later [EV404]\n" +
				"warning a.yaml:8:129: removeAfter: expected a version such as v1.6.0, found \"soon\" [EV404]\n"},

		{"EV406", "", pods + events(replaced("A", "B"), replaced("B", "C"), replaced("C", "D"), `{reason: D, message: "d"}`),
			"warning a.yaml:8:71: B is deprecated too; name D, which stays [EV406]\n" +
				"warning a.yaml:9:71: C is deprecated too; name D, which stays [EV406]\n"},
		{"EV406", "", pods + events(replaced("A", "B"), replaced("B", "A"), replaced("C", "C"), replaced("D", "Nowhere")),
			"warning a.yaml:8:71: the replacements form a cycle: A → B → A; name an event that stays [EV406]\n" +
				"warning a.yaml:9:71: the replacements form a cycle: B → A → B; name an event that stays [EV406]\n"},
		{"EV406", "", pods + events(`{reason: A, message: "a", lifecycle: {deprecated: {reason: "old"}}}`, replaced("B", "C"), `{reason: C, message: "c"}`), ""},

		{"EV407", "", pods + events(`{reason: A, message: "a", lifecycle: {since: v1.6.0, deprecated: {replacedBy: B, removeAfter: v1.5.9}}}`,
			`{reason: B, message: "b", lifecycle: {since: "1.6"}}`),
			"warning a.yaml:8:99: removeAfter is v1.5.9, but the event exists only since v1.6.0 [EV407]\n" +
				"warning a.yaml:9:50: since: expected a version such as v1.2.0, found \"1.6\" [EV407]\n"},
		{"EV407", "", pods + events(`{reason: A, message: "a", lifecycle: {since: v1.6.0, deprecated: {replacedBy: B, removeAfter: v1.6.0}}}`,
			`{reason: B, message: "b", lifecycle: {deprecated: {replacedBy: A, removeAfter: v1.6.0}}}`, `{reason: C, message: "c", lifecycle: {since: v1.6.0}}`,
			`{reason: D, message: "d", lifecycle: {since: v1.6.0, deprecated: {replacedBy: C, removeAfter: "1.2"}}}`,
			`{reason: E, message: "d", lifecycle: {since: v1.6.0, deprecated: {replacedBy: C}}}`), ""},

		{"EV408", "", pods + events(`{reason: A, message: "TODO: text", doc: {summary: "FIXME", runbook: "https://example.com/TBD"}, annotations: {k: "XXX"}}`,
			`{reason: B, message: "b", lifecycle: {deprecated: {replacedBy: A, reason: "TODO"}}}`,
			`{name: C, message: "{s}", params: [s string(20)], select: s, variants: {V: {message: "TODO", doc: "TODO"}}, other: {reason: O, doc: "TBD"}}`),
			"warning a.yaml:8:26: the text contains TODO; write what readers of the event need [EV408]\n" +
				"warning a.yaml:8:55: the doc contains FIXME; write what readers of the event need [EV408]\n" +
				"warning a.yaml:8:73: the runbook contains TBD; write what readers of the event need [EV408]\n" +
				"warning a.yaml:8:118: the text contains XXX; write what readers of the event need [EV408]\n" +
				"warning a.yaml:9:79: the reason of the deprecation contains TODO; write what readers of the event need [EV408]\n" +
				"warning a.yaml:10:90: the text contains TODO; write what readers of the event need [EV408]\n" +
				"warning a.yaml:10:103: the doc contains TODO; write what readers of the event need [EV408]\n" +
				"warning a.yaml:10:137: the doc contains TBD; write what readers of the event need [EV408]\n"},
		{"EV408", "", pods + events(`{reason: TODOListChanged, message: "todo list changed", doc: "TODOs are counted."}`), ""},

		{"EV409", "", pods + events(`{reason: A, message: "a", doc: {runbook: "example.com/x"}}`, `{reason: B, message: "b", doc: {runbook: "https:///x"}}`,
			`{reason: C, message: "c", doc: {runbook: "ftp://example.com/x"}}`, `{reason: D, message: "c", doc: {runbook: "https://e x.com"}}`),
			"warning a.yaml:8:46: runbook: expected a URL such as https://example.com/runbooks/quota, found \"example.com/x\" [EV409]\n" +
				"warning a.yaml:9:46: runbook: expected a URL such as https://example.com/runbooks/quota, found \"https:///x\" [EV409]\n" +
				"warning a.yaml:10:46: runbook: expected a URL such as https://example.com/runbooks/quota, found \"ftp://example.com/x\" [EV409]\n" +
				"warning a.yaml:11:46: runbook: expected a URL such as https://example.com/runbooks/quota, found \"https://e x.com\" [EV409]\n"},
		{"EV409", "", pods + events(`{reason: A, message: "a", doc: {runbook: "http://example.com"}}`, `{reason: B, message: "b", doc: {runbook: "https://example.com/x#y"}}`,
			`{reason: C, message: "c"}`), ""},

		{"EV405", "v1.0.0", pods + "  lint: {ignore: [{rule: EV401, reason: x}, {rule: EV204, reason: x}]}\n" + events(
			`{reason: A, message: "a", lint: {ignore: [{rule: EV401, reason: " "}, {rule: EV999, reason: x}, {rule: EV101, reason: x}, {rule: EV109, reason: x}, {rule: EV404, reason: x}]}}`),
			"warning a.yaml:7:45: nothing here has a finding of EV204; remove the suppression [EV405]\n" +
				"warning a.yaml:9:47: the suppression of EV401 gives no reason, so it has no effect [EV405]\n" +
				"warning a.yaml:9:82: there is no rule EV999 to suppress [EV405]\n" +
				"warning a.yaml:9:108: EV101 is an error, which can't be suppressed [EV405]\n" +
				"warning a.yaml:9:127: nothing here has a finding of EV109; remove the suppression [EV405]\n" +
				"warning a.yaml:9:153: nothing here has a finding of EV404; remove the suppression [EV405]\n"},
		{"EV405", "", pods + events(`{reason: A, message: "a", lint: {ignore: [{rule: EV401, reason: x}, {rule: EV501, reason: x}, {rule: EV404, reason: x}]}}`), ""},
	} {
		if diff := cmp.Diff(c.want, only(judge(t, c.release, nil, c.spec), c.rule)); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", c.rule, diff, c.spec)
		}
	}
}

// A suppression may be for what rules could not judge.
func TestNoSuppressionIsUselessInACatalogWithErrors(t *testing.T) {
	const ignore = "  lint: {ignore: [{rule: EV204, reason: x}]}\n"
	for event, want := range map[string]bool{`{reason: A, message: "a"}`: true, `{reason: A, message: "a {b}"}`: false} {
		catalogs, findings := catalog.Read("a.yaml", strings.NewReader(head+pods+ignore+events(event)))
		set, more := model.Build(t.Context(), catalogs, model.Options{Dir: t.TempDir()})
		got := Run(Input{Catalogs: catalogs, Set: set, Found: append(findings, more...)})
		if useless := found(got, "EV405") != ""; useless != want {
			t.Errorf("%s: a finding of EV405: %t, want %t: %v", event, useless, want, got)
		}
	}
}

// replaced is an event that another replaces.
func replaced(reason, by string) string {
	return fmt.Sprintf(`{reason: %s, message: "text", lifecycle: {deprecated: {replacedBy: %s}}}`, reason, by)
}

// Callers name the params of a struct, so they can't swap them.
func TestNeighboursInStruct(t *testing.T) {
	catalogs, findings := catalog.Read("a.yaml", strings.NewReader(strings.Replace(head, "{package: x}", "{package: x, args: struct}", 1)+pods+
		events(`{reason: A, message: "{a} {b} {c}", params: [a int, b int, c int]}`)))
	set, more := model.Build(context.Background(), catalogs, model.Options{Dir: t.TempDir()})
	got := Run(Input{Catalogs: catalogs, Set: set, Found: append(findings, more...)})
	if found(got, "EV208") != "" {
		t.Errorf("findings: %v", got)
	}
}

func configuration(t testing.TB, text string) *catalog.Configuration {
	t.Helper()
	config, findings := catalog.ReadConfiguration("event-gen.yaml", strings.NewReader(
		"apiVersion: event-gen.github.io/v1alpha1\nkind: Configuration\ncatalogs: []\nlint:\n"+text))
	if len(findings) > 0 {
		t.Fatal(findings)
	}
	return config
}

// A suppression holds for its event, its catalog or everywhere. The innermost one counts as used.
func TestSuppressionLevels(t *testing.T) {
	bare := `{reason: A, message: "a"}`
	own := `{reason: B, message: "b", lint: {ignore: [{rule: EV401, reason: later}]}}`
	everywhere := configuration(t, "  ignore: [{rule: EV401, reason: none yet}]\n")
	for _, c := range []struct {
		config *catalog.Configuration
		spec   string
		want   string
	}{
		{nil, pods + events(bare, own), "info a.yaml:8:5: the event has no doc; describe what it means and what to do [EV401]\n"},
		{nil, pods + "  lint: {ignore: [{rule: EV401, reason: later}]}\n" + events(bare, own), ""},
		{everywhere, pods + events(bare, own), ""},
		{everywhere, pods + "  lint: {ignore: [{rule: EV401, reason: later}]}\n" + events(bare),
			"warning event-gen.yaml:5:12: nothing here has a finding of EV401; remove the suppression [EV405]\n"},
		{configuration(t, "  severities: {EV401: error}\n"), pods + events(bare, own),
			"error a.yaml:8:5: the event has no doc; describe what it means and what to do [EV401]\n"},
		{nil, "  imports: {unused: example.com/x}\n" + pods + "  lint: {ignore: [{rule: EV203, reason: soon}]}\n" + events(own), ""},
	} {
		if diff := cmp.Diff(c.want, judge(t, "", c.config, c.spec)); diff != "" {
			t.Errorf("(-want +got):\n%s%s", diff, c.spec)
		}
	}
}

// If something could not be read, lint can't know whether a suppression is used or an event exists.
func TestPartial(t *testing.T) {
	catalogs, _ := catalog.Read("a.yaml", strings.NewReader(head+pods+"  lint: {ignore: [{rule: EV204, reason: x}]}\n"+events(
		`{reason: A, message: {x}}`, `{reason: B, message: "b", lifecycle: {deprecated: {replacedBy: C}}}`)))
	findings := Run(Input{Catalogs: catalogs})
	if found(findings, "EV405") != "" || found(findings, "EV403") != "" {
		t.Errorf("findings: %v", findings)
	}
}

func TestSettings(t *testing.T) {
	settings, findings := NewSettings(configuration(t, "  failOn: info\n  severities: {EV101: warning, EV40: info, EV109: warning}\n"+
		"  ignore: [{rule: EV104, reason: x}, {rule: EV401, reason: \"\"}, {rule: EV402, reason: x}]\n"))
	if settings.FailOn == nil || settings.FailOn.String() != "info" {
		t.Error("failOn is lost")
	}
	want := "event-gen.yaml:6:16: EV101 is an error, which can't have another severity [EV001]\n" +
		"event-gen.yaml:6:32: there is no rule \"EV40\"; did you mean EV401? [EV001]\n" +
		"event-gen.yaml:7:19: EV104 is an error, which can't be suppressed [EV001]\n" +
		"event-gen.yaml:7:60: the suppression of EV401 needs a reason [EV001]\n"
	var got strings.Builder
	for _, f := range findings {
		got.WriteString(f.String() + "\n")
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A part that could not be read excuses suppressions of its own catalog and of the configuration,
// and no others.
func TestPartialCatalog(t *testing.T) {
	ignore := "  lint: {ignore: [{rule: EV204, reason: x}]}\n" + events(`{reason: A, message: "a"}`)
	broken, _ := catalog.Read("a.yaml", strings.NewReader(head+pods+"  imports: [x]\n"+strings.Replace(ignore, "EV204", "EV999", 1)))
	whole, _ := catalog.Read("b.yaml", strings.NewReader(head+pods+ignore))
	settings, _ := NewSettings(configuration(t, "  ignore: [{rule: EV207, reason: x}]\n"))
	got := found(Run(Input{Catalogs: append(broken, whole...), Settings: settings}), "EV405")
	if want := "b.yaml:7:19: nothing here has a finding of EV204; remove the suppression\n"; !broken[0].Incomplete || got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// An event that could not be read excuses the suppressions of the other events of its catalog, and
// no others.
func TestPartialCatalogOfEvents(t *testing.T) {
	ignoring := `{reason: A, message: "a", lint: {ignore: [{rule: EV204, reason: x}]}}`
	partial, _ := catalog.Read("a.yaml", strings.NewReader(head+pods+events(ignoring, `{reason: B, message: [b]}`)))
	whole, _ := catalog.Read("b.yaml", strings.NewReader(head+pods+events(ignoring)))
	got := found(Run(Input{Catalogs: append(partial, whole...)}), "EV405")
	if want := "b.yaml:8:47: nothing here has a finding of EV204; remove the suppression\n"; partial[0].Incomplete || got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// A suppression or a replacement may be for an event of a catalog that the arguments leave out.
func TestSomeCatalogs(t *testing.T) {
	spec := pods + "  lint: {ignore: [{rule: EV106, reason: x}, {rule: EV204, reason: x}]}\n" + events(
		`{reason: B, message: "b", lifecycle: {deprecated: {replacedBy: C}}}`)
	settings, _ := NewSettings(configuration(t, "  ignore: [{rule: EV207, reason: x}]\n"))
	useless := "%s: nothing here has a finding of %s; remove the suppression\n"
	for _, c := range []struct {
		some       bool
		want, gone string
	}{
		{true, fmt.Sprintf(useless, "a.yaml:7:45", "EV204"), ""},
		{false, fmt.Sprintf(useless, "a.yaml:7:19", "EV106") + fmt.Sprintf(useless, "a.yaml:7:45", "EV204") + fmt.Sprintf(useless, "event-gen.yaml:5:12", "EV207"),
			"a.yaml:9:68: replacedBy names no event of the catalogs: C; did you mean B?\n"},
	} {
		findings := Run(Input{Catalogs: read(t, spec), Settings: settings, Some: c.some})
		if got := found(findings, "EV405"); got != c.want {
			t.Errorf("some %v: EV405 (-want +got):\n%s", c.some, cmp.Diff(c.want, got))
		}
		if got := found(findings, "EV403"); got != c.gone {
			t.Errorf("some %v: EV403 (-want +got):\n%s", c.some, cmp.Diff(c.gone, got))
		}
	}
}

// If the model found an error in a catalog, a suppression there may be for a finding that the error
// hides. A suppression of EV106 may be for an event of another catalog that was not read.
func TestSuppressionBesideErrors(t *testing.T) {
	wrong := events(`{reason: A, message: "{a} {b} {c}", params: [a int, b int, c int, {name: d, type: int, quote: true}], lint: {ignore: [{rule: EV208, reason: x}]}}`)
	if got := only(judge(t, "", nil, pods+wrong), "EV405"); got != "" {
		t.Errorf("beside an error: %s", got)
	}
	unread, errors := catalog.Read("b.yaml", strings.NewReader(head+pods+events(`{reason: FailedToCreate, message: 5}`)))
	catalogs := append(read(t, pods+events(`{reason: A, message: "a", lint: {ignore: [{rule: EV106, reason: x}, {rule: EV204, reason: x}]}}`)), unread...)
	got := found(Run(Input{Catalogs: catalogs, Found: errors}), "EV405")
	if want := "a.yaml:8:73: nothing here has a finding of EV204; remove the suppression\n"; got != want {
		t.Errorf("beside an unread event: got\n%swant\n%s", got, want)
	}
}
