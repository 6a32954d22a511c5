package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

const head = "apiVersion: event-gen.github.io/v1alpha1\nkind: EventCatalog\nspec:\n  go: {package: x}\n"

// read makes catalogs of the texts of their specs, without spec.go; their first line is line 5.
func read(t testing.TB, specs ...string) []*catalog.Catalog {
	t.Helper()
	var catalogs []*catalog.Catalog
	for i, spec := range specs {
		read, findings := catalog.Read(fmt.Sprintf("%c.yaml", 'a'+i), strings.NewReader(head+spec))
		if findings.HasErrors() {
			t.Fatalf("%s: %v", spec, findings)
		}
		catalogs = append(catalogs, read...)
	}
	return catalogs
}

// events is a spec whose events stand on lines of their own, from line 6 on.
func events(lines ...string) string {
	return "  events:\n  - " + strings.Join(lines, "\n  - ") + "\n"
}

// found gives the findings of one rule, one a line.
func found(findings diag.Findings, rule string) string {
	var b strings.Builder
	for _, f := range findings {
		if f.Rule == rule {
			fmt.Fprintf(&b, "%s: %s\n", f.Pos, f.Message)
		}
	}
	return b.String()
}

var long = strings.Repeat("L", 129)

func TestRules(t *testing.T) {
	for _, c := range []struct {
		rule  string
		specs []string
		want  string
	}{
		{"EV101", []string{events(`{reason: `+long+`, message: "a"}`, `{reason: "", message: "a"}`, `{reason: A, action: `+long+`, message: "a"}`)},
			"a.yaml:6:14: the reason has 129 bytes; at most 128 are accepted\n" +
				"a.yaml:7:14: the reason is empty\n" +
				"a.yaml:8:25: the action has 129 bytes; at most 128 are accepted\n"},
		{"EV112", []string{"  objects: {Pod: v1, Node: v1}\n" + events(`{reason: A, regarding: [Pod, Node], on: {condition: Ready, status: "False", reason: X, from: "True"}, message: "a"}`,
			`{reason: B, regarding: Node, on: {condition: Ready, status: "False", reason: X, from: "True"}, message: "b"}`)},
			"a.yaml:8:38: the event at a.yaml:7:45 stands for the same transition of Node; give one of them a reason or a former status (from)\n"},
		{"EV112", []string{"  objects: {Pod: v1, Node: v1}\n  defaults: {regarding: Pod}\n" + events(`{reason: A, on: {condition: Ready, status: "False"}, message: "a"}`,
			`{reason: B, on: {condition: Ready, status: "True"}, message: "b"}`, `{reason: C, on: {condition: Up, status: "False"}, message: "c"}`,
			`{reason: D, on: {condition: Ready, status: "False", reason: X}, message: "d"}`, `{reason: E, on: {condition: Ready, status: "False", from: "True"}, message: "e"}`,
			`{reason: F, regarding: Node, on: {condition: Ready, status: "False"}, message: "f"}`, `{reason: G, message: "g"}`),
			events(`{reason: H, regarding: Pod, on: {condition: Ready, status: "False"}, message: "a"}`)}, ""},
		{"EV101", []string{events(`{reason: ` + long[1:] + `, action: A, message: "a"}`)}, ""},
		{"EV101", []string{events(`{name: A, message: "a", select: s, variants: {` + long + `: {}, V: {reason: ""}}, other: {reason: B}}`)},
			"a.yaml:6:51: the reason has 129 bytes; at most 128 are accepted\na.yaml:6:198: the reason is empty\n"},

		{"EV102", []string{events(`{reason: A, regarding: P, message: "a"}`, `{name: B, reason: A, regarding: [Q, P], message: "a"}`)},
			"a.yaml:7:5: the event at a.yaml:6:5 has the same regarding, action, reason, type and message\n"},
		{"EV102", []string{events(`{reason: A, regarding: P, message: "a"}`, `{name: B, reason: A, regarding: Q, message: "a"}`,
			`{name: C, reason: A, regarding: P, message: "b"}`, `{name: D, reason: A, regarding: P, type: Warning, message: "a"}`,
			`{name: E, reason: A, regarding: P, action: F, message: "a"}`,
			`{name: G, reason: A, regarding: P, reportingController: other, message: "a"}`,
			`{name: H, reason: A, regarding: {object: P, container: c}, message: "a"}`)}, ""},
		{"EV102", []string{"  reportingController: c\n  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`),
			"  reportingController: c\n  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`)},
			"b.yaml:8:5: the event at a.yaml:8:5 has the same regarding, action, reason, type and message\n"},
		{"EV102", []string{"  reportingController: c\n  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`),
			"  reportingController: d\n  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`)}, ""},
		{"EV102", []string{"  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`),
			"  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`)}, ""},

		{"EV102", []string{"  reportingController: c\n  objects: {Q: batch/v1, P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`),
			"  reportingController: c\n  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`)},
			"b.yaml:8:5: the event at a.yaml:8:5 has the same regarding, action, reason, type and message\n"},
		{"EV102", []string{"  reportingController: c\n  objects: {P: v1}\n" + events(`{reason: A, regarding: P, message: "a"}`),
			"  reportingController: c\n  objects: {P: apps/v1}\n" + events(`{reason: A, regarding: P, message: "a"}`)}, ""},
		{"EV102", []string{"  reportingController: c\n  objects: {O: {type: x.O}, P: {type: x.T}}\n" + events(`{reason: A, regarding: P, message: "a"}`),
			"  reportingController: c\n  objects: {Q: {type: x.T}}\n" + events(`{reason: A, regarding: Q, message: "a"}`)},
			"b.yaml:8:5: the event at a.yaml:8:5 has the same regarding, action, reason, type and message\n"},
		{"EV102", []string{"  reportingController: c\n  objects: {P: {type: x.T}}\n" + events(`{reason: A, regarding: P, message: "a"}`),
			"  reportingController: c\n  objects: {P: {type: y.T}}\n" + events(`{reason: A, regarding: P, message: "a"}`)}, ""},

		{"EV103", []string{"  reportingController: a b\n" + events(`{reason: A, reportingController: a/b/c, message: "a"}`)},
			"a.yaml:5:24: reportingController \"a b\" is no qualified name: …\n" +
				"a.yaml:7:38: reportingController \"a/b/c\" is no qualified name: …\n"},
		{"EV103", []string{"  reportingController: example.com/a_b.c\n" + events(`{reason: A, message: "a"}`)}, ""},

		{"EV104", []string{"  defaults: {type: Error}\n" + events(`{reason: A, type: normal, message: "a"}`,
			`{name: B, message: "a", select: s, variants: {V: {type: ""}}, other: {reason: B, type: Info}}`)},
			"a.yaml:5:20: type: expected Normal or Warning, found \"Error\"\n" +
				"a.yaml:7:23: type: expected Normal or Warning, found \"normal\"\n" +
				"a.yaml:8:61: type: expected Normal or Warning, found \"\"\n" +
				"a.yaml:8:92: type: expected Normal or Warning, found \"Info\"\n"},
		{"EV104", []string{"  defaults: {type: Warning}\n" + events(`{reason: A, type: Normal, message: "a"}`)}, ""},

		{"EV106", similar("FailedCreate", "FailedToCreate"), similarTo("FailedToCreate", "FailedCreate")},
		{"EV106", similar("FailedCreate", "Failedcreate"), similarTo("Failedcreate", "FailedCreate")},
		{"EV106", similar("FailedMount", "FailedMounts"), similarTo("FailedMounts", "FailedMount")},
		{"EV106", similar("PrimaryCreated", "PrimariesCreated"), similarTo("PrimariesCreated", "PrimaryCreated")},
		{"EV106", similar("ClassAdded", "ClassesAdded"), similarTo("ClassesAdded", "ClassAdded")},
		{"EV106", similar("FailedCreate", "FailedCraete"), similarTo("FailedCraete", "FailedCreate")},
		{"EV106", similar("Provisioning", "Provisoninng"), similarTo("Provisoninng", "Provisioning")},
		{"EV106", similar("SuccessfulCreate", "SuccessfullCreate"), similarTo("SuccessfullCreate", "SuccessfulCreate")},
		{"EV106", similar("FailedCreate", "FailedDelete"), ""},
		{"EV106", similar("FailedAbcdefgh", "FailedAbcdxygh"), similarTo("FailedAbcdxygh", "FailedAbcdefgh")},
		{"EV106", similar("Failedcreateport", "Failedcreatepool"), ""},
		{"EV106", similar("FailedAbcdefg", "FailedAbcxyfg"), ""},
		{"EV106", similar("FailedMount", "FailedMuont"), similarTo("FailedMuont", "FailedMount")},
		{"EV106", similar("FailedSync", "FailedSnyc"), ""},
		{"EV106", similar("Phase91234", "Phase91235"), ""},
		{"EV106", similar("PodsGone", "PodGone"), similarTo("PodGone", "PodsGone")},
		{"EV106", similar("BusGone", "BuGone"), ""},
		{"EV106", similar("FailedPass", "FailedPas"), ""},
		{"EV106", similar("Mounted", "Unmounted"), ""},
		{"EV106", similar("Pulled", "Pushed"), ""},
		{"EV106", similar("Attached", "Detached"), ""},
		{"EV106", similar("Phase1", "Phase2"), ""},
		{"EV106", similar("Phase1000001", "Phase1000002"), ""},
		{"EV106", similar("FailedGet", "FailedSet"), ""},
		{"EV106", similar("Started", "Starting"), ""},
		{"EV106", similar("UnparseableSchedule", "UnParseableCronJobSchedule"), ""},
		{"EV106", []string{events(`{reason: A1, message: "a"}`, `{reason: A1, name: B, message: "a"}`)}, ""},

		{"EV106", similar("EvictedPod", "PodEvicted"), similarTo("PodEvicted", "EvictedPod")},
		{"EV106", similar("EvictedThePods", "PodEvicted"), similarTo("PodEvicted", "EvictedThePods")},
		{"EV106", similar("EvictedPod", "NodeEvicted"), ""},

		{"EV107", []string{events(`{reason: A, message: "a"}`, `{reason: B, message: "a"}`, `{name: C, reason: A, type: Warning, message: "b"}`,
			`{name: D, reason: A, type: Warning, message: "c"}`)},
			"a.yaml:8:5: reason A is Warning here and Normal at a.yaml:6:5\n"},
		{"EV107", []string{events(`{reason: A, message: "a"}`, `{reason: A, type: Normal, message: "a"}`, `{reason: A, type: Bad, message: "a"}`)}, ""},

		{"EV109", []string{events(`{reason: A, message: "a"}`, `{name: B, reason: A, type: Warning, message: "b"}`)},
			"a.yaml:7:5: reason A and action A are those of the event at a.yaml:6:5 too; only the message tells them apart\n"},
		{"EV109", []string{events(`{reason: A, message: "a"}`, `{name: B, reason: A, action: B, message: "b"}`,
			`{name: C, message: "a", select: s, variants: {V: {reason: C}, W: {reason: C}}, other: {reason: C}}`),
			events(`{reason: A, message: "a"}`)}, ""},

		{"EV110", []string{events(`{reason: cert-manager.io, action: do, message: "a"}`)},
			"a.yaml:6:14: the reason \"cert-manager.io\" is not UpperCamelCase\na.yaml:6:39: the action \"do\" is not UpperCamelCase\n"},
		{"EV110", []string{events(`{reason: OOMKilled2, message: "a"}`)}, ""},

		{"EV113", []string{"  objects: {Pod: v1, Node: v1, Job: batch/v1, CronJob: batch/v1, PersistentVolume: v1, Unused: {type: any}}\n  defaults: {regarding: Pod}\n" + events(
			`{reason: A, message: "a", regarding: Node, related: PersistentVolume}`, `{reason: B, message: "b", regarding: {anyOf: [Job, CronJob]}}`)},
			"a.yaml:5:13: no event uses the object Pod as regarding, alsoOn or related; remove it, and from spec.defaults too\n" +
				"a.yaml:5:88: no event uses the object Unused as regarding, alsoOn or related; remove it\n"},
		{"EV113", []string{"  objects: {Pod: v1, Node: v1, Job: batch/v1}\n  defaults: {regarding: Pod}\n" + events(
			`{reason: A, message: "a", alsoOn: [Node]}`, `{reason: B, message: "b", regarding: Job, on: {condition: Ready, status: "True"}}`)}, ""},
		{"EV113", []string{"  objects: {Pod: v1}\n  events: []\n"}, ""},
		{"EV113", []string{"  objects: {Pod: v1, Node: v1}\n  lint: {ignore: [{rule: EV113, reason: \"the next event is about it\"}]}\n" + events(
			`{reason: A, message: "a", regarding: Pod}`)}, ""},

		{"EV203", []string{"  params: {cause: error, unnamed: string}\n" + events(`{reason: A, message: "a", params: [cause, b int]}`)},
			"a.yaml:5:26: no event has the param unnamed\n" +
				"a.yaml:7:40: param cause is used by no message, annotation, correlation key, select or container\n" +
				"a.yaml:7:47: param b is used by no message, annotation, correlation key, select or container\n"},
		{"EV203", []string{"  params: {cause: error}\n" + events(
			`{reason: A, message: "a {cause}", params: [cause]}`,
			`{reason: B, message: "b", params: [a int], annotations: {k: "{a}"}}`,
			`{reason: C, message: "c", params: [a int], correlation: {key: [a]}}`,
			`{reason: D, message: "d", params: [a name], regarding: {object: Pod, container: a}}`,
			`{name: E, message: "e", params: [a string(20), b int], select: a, variants: {V: {message: "{b}"}}, other: {reason: E}}`)}, ""},

		{"EV203", []string{"  params: {c: name}\n  objects: {Pod: v1}\n  defaults: {regarding: {object: Pod, container: c}}\n" + events(
			`{reason: A, message: "a", params: [c]}`)}, ""},

		{"EV204", []string{events(`{reason: A, message: "a %d"}`, `{reason: B, message: "{x}%-5.2f.", params: [x int]}`, `{reason: C, message: "c", annotations: {k: "%+v"}}`,
			`{reason: D, message: "%d %v", params: [a int, b error]}`, `{reason: E, message: "%s%d of %d, {x} and %.1f", params: [x int]}`)},
			"a.yaml:6:27: \"%d\" is shown as it is; write a placeholder such as {param} instead\n" +
				"a.yaml:7:30: \"%-5.2f\" is shown as it is; write a placeholder such as {param} instead\n" +
				"a.yaml:8:49: \"%+v\" is shown as it is; write a placeholder such as {param} instead\n" +
				"a.yaml:9:27: \"%d\", \"%v\" are shown as they are; write placeholders such as {param} instead, as lint --fix does\n" +
				"a.yaml:10:27: \"%s\", \"%d\" are shown as they are; write placeholders such as {param} instead\n" +
				"a.yaml:10:42: \"%.1f\" is shown as it is; write a placeholder such as {param} instead\n"},
		{"EV204", []string{events(`{reason: A, message: "100% sure, 100%free, 50%%, %"}`)}, ""},

		{"EV206", []string{events(`{reason: A, message: "a\nb {c}\td", params: [{name: c, type: string, optional: true, prefix: "\r"}]}`,
			`{reason: B, message: "b", related: {object: P, optional: true, prefix: "\u2028"}, annotations: {k: "\e"}}`)},
			"a.yaml:6:27: the text holds '\\n'; a message is one line without control characters\n" +
				"a.yaml:6:35: the text holds '\\t'; a message is one line without control characters\n" +
				"a.yaml:6:98: the prefix holds '\\r'; a message is one line without control characters\n" +
				"a.yaml:7:76: the prefix holds '\\u2028'; a message is one line without control characters\n" +
				"a.yaml:7:105: the text holds '\\x1b'; a message is one line without control characters\n"},
		{"EV206", []string{events(`{reason: A, message: "ж – {{}} 🙂 می\u200cخواهم"}`)}, ""},
		{"EV206", []string{events(`{reason: A, message: "a \u202eb", doc: "\u2066c"}`)},
			"a.yaml:6:27: the text holds '\\u202e', which readers do not see, and which can change what they see\n" +
				"a.yaml:6:44: the text holds '\\u2066', which readers do not see, and which can change what they see\n"},

		{"EV209", []string{"  params: {hint: {type: string, optional: true}}\n" + events(`{reason: A, message: "a {hint}", params: [hint]}`,
			`{reason: B, message: "b {related.name}", related: {object: P, optional: true}}`)},
			"a.yaml:7:29: {hint} is optional and has no prefix; move the words to leave out with it into prefix\n" +
				"a.yaml:8:29: {related.name} is optional and has no prefix; move the words to leave out with it into prefix\n"},
		{"EV209", []string{"  params: {hint: {type: string, optional: true, prefix: \"\"}}\n" + events(`{reason: A, message: "a {hint}", params: [hint]}`,
			`{reason: B, message: "b {related.name}", related: {object: P, optional: true, prefix: " on "}}`,
			`{reason: C, message: "c {related.name}", related: {object: P, optional: false}}`,
			`{reason: D, message: "d", params: [{name: a, type: string, optional: true}], annotations: {k: "{a}"}}`)}, ""},

		{"EV111", []string{events(`{reason: ScaleFailed, message: "a"}`, `{reason: FailedMount, type: Normal, message: "a"}`, `{reason: SyncError, message: "a"}`,
			`{reason: MountFailure, message: "a"}`, `{reason: PodsEvictedFailed, message: "a"}`, `{reason: BackupSuccess, type: Warning, message: "a"}`,
			`{reason: SuccessfulCreate, type: Warning, message: "a"}`, `{reason: BackupSucceeded, type: Warning, message: "a"}`)},
			against(6, "ScaleFailed", "failure", "Normal", "Warning") + against(7, "FailedMount", "failure", "Normal", "Warning") +
				against(8, "SyncError", "failure", "Normal", "Warning") + against(9, "MountFailure", "failure", "Normal", "Warning") +
				against(10, "PodsEvictedFailed", "failure", "Normal", "Warning") + against(11, "BackupSuccess", "success", "Warning", "Normal") +
				against(12, "SuccessfulCreate", "success", "Warning", "Normal") + against(13, "BackupSucceeded", "success", "Warning", "Normal")},
		{"EV111", []string{"  defaults: {type: Warning}\n" + events(`{reason: ScaleFailed, message: "a"}`, `{reason: NotSuccessful, message: "a"}`,
			`{reason: TooManySucceededPods, message: "a"}`, `{reason: "", message: "a"}`, `{reason: Failed, type: Bad, message: "a"}`, `{reason: Success, type: Normal, message: "a"}`)}, ""},
		{"EV111", []string{events(`{reason: ErrorCleared, message: "a"}`, `{reason: FailedPodsRemoved, message: "a"}`, `{reason: ClearedError, message: "a"}`,
			`{reason: IgnoredFailure, message: "a"}`, `{reason: RecoveredFromError, message: "a"}`, `{reason: Failover, message: "a"}`)}, ""},
		{"EV111", []string{events(`{reason: FailedBed, message: "a"}`, `{name: V, message: "a", select: s, variants: {Failed: {}, A: {reason: Error}}, other: {reason: B}}`)},
			against(6, "FailedBed", "failure", "Normal", "Warning") +
				"a.yaml:7:51: reason Failed reads as a failure, and the event is Normal; give type: Warning, or another reason\n" +
				"a.yaml:7:75: reason Error reads as a failure, and the event is Normal; give type: Warning, or another reason\n"},

		{"EV212", []string{"  params: {token: string, secret: {type: string, sensitive: true}}\n" + events(
			`{reason: A, message: "{password}", params: [password string, token, secret, apiKey strings, dbPassword error, cred v1.Secret]}`)},
			bare(7, 49, "password") + bare(7, 66, "token") + bare(7, 81, "apiKey") + bare(7, 97, "dbPassword")},
		{"EV212", []string{events(`{reason: A, message: "a", params: [secretName string, secret name, token int, passwords string, {name: password, type: string, sensitive: false}]}`,
			`{reason: B, message: "a", params: [key string, privateKeySize int, keyPrivate string, secret namespacedName, token bool]}`)}, ""},
		{"EV212", []string{events(`{reason: A, message: "a", params: [privateKey string, credential vault.Token]}`)}, bare(6, 40, "privateKey") + bare(6, 59, "credential")},

		{"EV213", []string{events(`{reason: A, message: "a", annotations: {event-gen.github.io/x: "a", x.event-gen.github.io/y: "b"}}`)},
			"a.yaml:6:45: annotation event-gen.github.io/x is of event-gen.github.io, which belongs to the run time; use a domain of your own\n" +
				"a.yaml:6:73: annotation x.event-gen.github.io/y is of event-gen.github.io, which belongs to the run time; use a domain of your own\n"},
		{"EV213", []string{events(`{reason: A, message: "a", annotations: {event-gen.github.io: "a", myevent-gen.github.io/y: "b", example.com/event-gen.github.io: "c"}}`)}, ""},

		{"EV210", []string{events(`{reason: A, message: "{a}{b}", params: [a int, b int]}`)},
			"a.yaml:6:30: {b} touches {a}, so the message can't be read back to its params\n"},
		{"EV210", []string{events(`{reason: A, message: "{a} {b}{c}", params: [a int, b int, {name: c, type: string, optional: true, prefix: ", "}]}`)}, ""},
	} {
		got := found(Run(Input{Catalogs: read(t, c.specs...)}), c.rule)
		if c.rule == "EV103" {
			got = regexp.MustCompile(`(?m)(qualified name: ).*$`).ReplaceAllString(got, "$1…")
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s%s", c.rule, diff, strings.Join(c.specs, "\n"))
		}
	}
}

func similar(a, b string) []string {
	return []string{events("{reason: "+a+`, message: "a"}`, "{reason: "+b+`, message: "b"}`)}
}

func similarTo(b, a string) string {
	return fmt.Sprintf("a.yaml:7:14: reason %s is easily taken for %s at a.yaml:6:14; use one of them, or names further apart\n", b, a)
}

func against(line int, reason, tells, is, want string) string {
	return fmt.Sprintf("a.yaml:%d:14: reason %s reads as a %s, and the event is %s; give type: %s, or another reason\n", line, reason, tells, is, want)
}

func bare(line, column int, param string) string {
	return fmt.Sprintf("a.yaml:%d:%d: param %s is shown to everybody who may list events; give sensitive: true, or sensitive: false if it is no secret\n",
		line, column, param)
}

// Reasons are compared whatever else is wrong with their events.
func TestSimilarBesideErrors(t *testing.T) {
	catalogs, findings := catalog.Read("a.yaml", strings.NewReader(head+events(`{reason: FailedCreate, message: {x}}`, `{reason: FailedToCreate, mesage: "a"}`)))
	if !findings.HasErrors() {
		t.Fatal("the events have no errors")
	}
	got := found(Run(Input{Catalogs: catalogs, Found: findings}), "EV106")
	if want := similarTo("FailedToCreate", "FailedCreate"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// An event suppresses warnings of its own, and no errors.
func TestSuppress(t *testing.T) {
	const ignore = `, lint: {ignore: [{rule: EV110, reason: "old"}, {rule: EV104, reason: "no"}]}}`
	findings := Run(Input{Catalogs: read(t, events(`{reason: a, type: Bad, message: "a"`+ignore, `{reason: b, message: "b"}`))})
	if got := found(findings, "EV110"); !strings.HasPrefix(got, "a.yaml:7:14:") || strings.Count(got, "\n") != 1 {
		t.Errorf("EV110: %s", got)
	}
	if found(findings, "EV104") == "" {
		t.Error("an error was suppressed")
	}
}

// What the reader could not read is not judged.
func TestIncomplete(t *testing.T) {
	catalogs, _ := catalog.Read("a.yaml", strings.NewReader(head+"  params: {cause: error}\n"+
		events(`{reason: a, message: {cause}, params: [cause]}`, `{reason: b, message: "b"}`)))
	findings := Run(Input{Catalogs: catalogs})
	if got := found(findings, "EV110"); !strings.HasPrefix(got, "a.yaml:8:14:") || strings.Count(got, "\n") != 1 {
		t.Errorf("EV110: %s", got)
	}
	if got := found(findings, "EV203"); got != "" {
		t.Errorf("EV203: %s", got)
	}
}

// An event, or another part of the catalog, that could not be read may have named the entry that no
// other names.
func TestIncompleteVocabulary(t *testing.T) {
	for text, want := range map[string]string{
		"  params: {cause: error}\n" + events(`{reason: A, message: "a"}`):                 "a.yaml:5:12: no event has the param cause\n",
		"  params: {cause: error}\n" + events(`{reason: A, message: "a", params: cause}`):  "",
		"  params: {cause: error}\n  imports: [x]\n" + events(`{reason: A, message: "a"}`): "",
	} {
		catalogs, _ := catalog.Read("a.yaml", strings.NewReader(head+text))
		if got := found(Run(Input{Catalogs: catalogs}), "EV203"); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestRulesAreDocumented(t *testing.T) {
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.ID)
		if !strings.HasSuffix(r.Doc, ".") || !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(r.Name) {
			t.Errorf("%s: name %q, doc %q", r.ID, r.Name, r.Doc)
		}
	}
	if len(slices.Compact(slices.Clone(ids))) != len(ids) || !slices.Contains(ids, "EV101") {
		t.Errorf("rules: %v", ids)
	}
}

// Ten thousand reasons that have much in common take a fraction of what comparing each with each
// takes.
func BenchmarkRun(b *testing.B) {
	catalogs := many(b, 10_000)
	for b.Loop() {
		Run(Input{Catalogs: catalogs})
	}
}

func many(t testing.TB, n int) []*catalog.Catalog {
	verbs := strings.Fields("Failed Successful Pending Scheduled Rejected Completed Skipped Retried Unknown Slow")
	lines := make([]string, n)
	for i := range lines {
		noun := fmt.Sprintf("%c%s%c%c", 'A'+i/26%26, "ccounting", 'a'+i%26, 'a'+i/676%26)
		lines[i] = fmt.Sprintf(`{reason: %s%sChanged, message: "message %d of {regarding.name}"}`, verbs[i%len(verbs)], noun, i)
	}
	return read(t, events(lines...))
}
