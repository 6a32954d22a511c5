package proof

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/event-gen/event-gen/internal/catalog/model"
)

// TestProveSites covers all parts of a call but its text.
func TestProveSites(t *testing.T) {
	const (
		plain     = "{reason: Failed, type: Warning, action: Sync, regarding: Pod, message: \"failed\"}"
		selected  = `{name: Ended, select: outcome, regarding: Pod, message: "ended", params: [{name: outcome, type: string, maxBytes: 20}], variants: {Won: {reason: Won, type: Normal}, Lost: {reason: Lost, type: Warning}}, other: {reason: Vanished, type: Warning}}`
		enum      = `{name: Ended, select: outcome, regarding: Pod, message: "ended {outcome}", params: [outcome enum], variants: {Won: {type: Normal}, Lost: {type: Warning}}}`
		labelled  = `{reason: Failed, type: Warning, regarding: Pod, message: "failed", labels: {team: storage}}`
		annotated = `{reason: Failed, type: Warning, regarding: Pod, message: "failed", annotations: {example.com/a: "b"}}`
		text      = `{reason: Failed, type: Warning, regarding: Pod, message: "{text}", params: [{name: text, type: string}]}`
		named     = `{reason: Failed, type: Warning, regarding: Pod, message: "{regarding.name} failed"}`
	)
	twoReasons := []Identity{{Reason: "Won", Type: "Normal"}, {Reason: "Lost", Type: "Warning"}}
	tests := []struct {
		name, entry string
		change      func(r *reader, s *RawCall)
		outcome     Outcome
		args, ids   string
	}{
		{"as it is", plain, func(*reader, *RawCall) {}, Equal, "", ""},
		{"another reason", plain, func(_ *reader, s *RawCall) { s.Identities[0].Reason = "Other" }, NoCall, "", "identity"},
		{"another type", plain, func(_ *reader, s *RawCall) { s.Identities[0].Type = "Normal" }, NoCall, "", "identity"},
		{"no identity", plain, func(_ *reader, s *RawCall) { s.Identities = nil }, NoCall, "", "identity"},
		{"several reasons", plain, func(_ *reader, s *RawCall) {
			s.Identities = append(s.Identities, Identity{Reason: "Other", Type: "Warning"})
		}, NoCall, "", "identity"},
		{"another object", plain, func(r *reader, s *RawCall) { s.Regarding = r.object("Node") }, NoCall, "", "object"},
		{"an object of any kind", "{reason: Failed, type: Warning, regarding: Object, message: \"failed\"}", func(r *reader, s *RawCall) { s.Regarding = r.object("Node") }, Equal, "", ""},
		{"an entry on several objects", strings.Replace(plain, "regarding: Pod", "regarding: Pod, alsoOn: [Node]", 1), func(*reader, *RawCall) {}, Equal, "", ""},
		{"a further object of an entry alone", strings.Replace(plain, "regarding: Pod", "regarding: Pod, alsoOn: [Node]", 1), func(r *reader, s *RawCall) { s.Regarding = r.object("Node") },
			NoCall, "", "object"},
		{"the object's name", named, func(r *reader, s *RawCall) { s.Text = r.text("%s Pod.Name", " failed") }, EqualExcept, "", "cut control utf8"},
		{"which a deferred call reads later", named, func(r *reader, s *RawCall) { s.Text, s.Late = r.text("%s Pod.Name", " failed"), true }, NoCall, "", "text"},
		{"nil", plain, func(_ *reader, s *RawCall) { s.Regarding.Nil = true }, NoCall, "", "object"},
		{"the same action", plain, func(_ *reader, s *RawCall) { s.API, s.Identities[0].Action = Events, "Sync" }, Equal, "", ""},
		{"no action", plain, func(_ *reader, s *RawCall) { s.API = Events }, Different, "", "action"},
		{"a related object too many", plain, func(r *reader, s *RawCall) {
			s.API, s.Identities[0].Action, s.Related = Events, "Sync", r.object("Node")
		}, NoCall, "", "related"},
		{"unread recorder", plain, func(_ *reader, s *RawCall) { s.OtherMethod, s.Method = true, "Event" }, Different, "", "other-method"},
		{"unread recorder's Eventf", plain, func(_ *reader, s *RawCall) { s.OtherMethod = true }, Equal, "", ""},
		{"own recorder", plain, func(_ *reader, s *RawCall) { s.OwnRecorder = "it reads args" }, NoCall, "", "own-recorder"},
		{"labels of the entry", labelled, func(*reader, *RawCall) {}, EqualExcept, "", "labels"},
		{"annotations of the entry", annotated, func(*reader, *RawCall) {}, Different, "", "annotations"},
		{"constant variant", selected, func(_ *reader, s *RawCall) { s.Identities = twoReasons[1:] }, Equal, `"Lost"`, ""},
		{"constant variant of an enum", enum, func(r *reader, s *RawCall) { s.Identities, s.Text = twoReasons[1:], r.text("ended Lost") }, Equal, "EndedOutcomeLost", ""},
		{"variants of an enum", enum, func(r *reader, s *RawCall) { s.Identities, s.Reason = twoReasons, r.expr("S") }, NoCall, "", "identity"},
		{"variants", selected, func(r *reader, s *RawCall) { s.Identities, s.Reason = twoReasons, r.expr("S") }, Equal, "S", ""},
		{"variants by a named type", selected, func(r *reader, s *RawCall) { s.Identities, s.Reason = twoReasons, r.expr("Phase") }, Equal, "string(Phase)", ""},
		{"a reason that is no variant", selected, func(r *reader, s *RawCall) {
			s.Identities, s.Reason = []Identity{twoReasons[0], {Reason: "Vanished", Type: "Normal"}}, r.expr("S")
		}, NoCall, "", "identity"},
		{"error's text as a format", text, func(r *reader, s *RawCall) { s.Text = formats(r.text("%s Err.Error()")); s.Whole = s.Text[0] }, EqualExcept, "Err.Error()", "cut control utf8 percent"},
		{"numbers as a format", `{reason: Failed, type: Warning, regarding: Pod, message: "{n} of {all}", params: [n int, {name: all, type: string}]}`, func(r *reader, s *RawCall) {
			s.Text = formats(r.text("%d I", " of ", "%d I", " or ", "%t B"))
		}, EqualExcept, `I, Sprintf("%d or %t", I, B)`, "cut control utf8"},
		{"text beside a number as a format", text, func(r *reader, s *RawCall) { s.Text = formats(r.text("%d I", " or ", "%s S")) }, EqualExcept, `Sprintf("%d or %s", I, S)`, "cut control utf8 percent"},
		{"doubled percent signs in a format", text, func(r *reader, s *RawCall) {
			s.Text = formats(r.text("100%% of ", "%s S"))
			s.Whole = formats(r.text("%s S2"))[0]
		}, Different, "S2", "cut control utf8 percent rendering"},
		{"constant as a format", text, func(r *reader, s *RawCall) {
			s.Text, s.Whole = []Part{{Literal: "100%"}}, formats(r.text(`%s "100%%"`))[0]
		}, Equal, `"100%"`, ""},
		{"format that is not seen", text, func(r *reader, s *RawCall) {
			p := r.part("%s", "S")
			p.Args = []ast.Expr{r.expr("Err")}
			s.Text, s.Whole = []Part{p}, p
		}, EqualExcept, "Sprintf(S, Err)", "cut control utf8"},
		{"more arguments than verbs", plain, func(r *reader, s *RawCall) {
			s.Text, s.Whole, s.Format = []Part{{Literal: "failed"}}, r.part("%s", `"failed"`), "failed"
			s.Whole.Args = []ast.Expr{r.expr("S")}
		}, Different, "", "extra"},
		{"format that is not constant, as the object's name", `{reason: Failed, type: Warning, regarding: Pod, message: "{regarding.name}"}`, func(r *reader, s *RawCall) {
			s.Text, s.Whole = r.text("%s Pod.Name"), r.part("%s", "Pod.Name")
			s.Whole.Args = []ast.Expr{r.expr("S")}
		}, NoCall, "", "cut control utf8 text"},
		{"slice as the arguments", plain, func(r *reader, s *RawCall) {
			s.Text, s.Whole, s.Format = []Part{{Literal: "failed"}}, r.part("%s", `"failed"`), "failed"
			s.Whole.Args, s.Whole.Spread = []ast.Expr{r.expr("List")}, true
		}, NoCall, "", "text"},
		{"moved", `{reason: Failed, type: Warning, regarding: Pod, message: "no: {err}", params: [{name: err, type: error}]}`, func(r *reader, s *RawCall) {
			s.Text = r.text("no: ", "%v Err")
			s.Text[1].Moved = true
		}, NoCall, "", "moved"},
		{"moved, with the text at hand", text, func(r *reader, s *RawCall) {
			s.Text, s.Whole = r.text("no: ", "%v Err"), r.part("%s", "S")
			s.Text[1].Moved = true
		}, EqualExcept, "S", "cut control utf8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newReader(t)
			s := r.site([]Part{{Literal: "failed"}})
			if tt.entry == selected {
				s.Text[0].Literal = "ended"
			}
			tt.change(r, s)
			v := Prove(s, entry(t, tt.entry))
			if v.Outcome() != tt.outcome || shown(&v) != tt.args || ids(&v) != tt.ids {
				t.Errorf("%s (%s), %s\nwant %s (%s), %s\n%v", v.Outcome(), ids(&v), shown(&v), tt.outcome, tt.ids, tt.args, v.Causes)
			}
		})
	}
}

// TestVerdictsOfAcceptedCauses: with an accepted cause the verdict is "equal except". Without a
// call no id helps.
func TestVerdictsOfAcceptedCauses(t *testing.T) {
	v := Verdict{Event: &model.Event{}, Causes: []Cause{{ID: Action}, {ID: Cut}}}
	if v.Outcome() != Different || v.Outcome(Action) != EqualExcept || v.Outcome(Zero) != Different {
		t.Error(v.Outcome(), v.Outcome(Action), v.Outcome(Zero))
	}
	v.Causes = append(v.Causes, Cause{ID: TextDiffers})
	if v.Outcome(Action, TextDiffers) != NoCall {
		t.Error("what has no call can't be accepted")
	}
}
