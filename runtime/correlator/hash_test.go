package correlator

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	testseed "github.com/event-gen/event-gen/runtime/internal/seed"
)

// TestAName pins the name of one event. If the name changes, an updated program begins all events
// anew; then hashVersion has to change, too.
func TestAName(t *testing.T) {
	f := base()
	f.regarding.UID = "u-1"
	for _, c := range []struct {
		identity Identity
		instance string
		want     string
	}{
		{Instance, "rig-0", "job.keecdiefsh32jm7e"},
		{Instance, "rig-1", "job.9m0tghmrafnne6m8"},
		{Controller, "rig-0", "job.o5ulckapql4ot88e"},
		{Controller, "rig-1", "job.o5ulckapql4ot88e"},
	} {
		r := newRig(t, Options{}, writerOptions{Identity: c.identity, ReportingController: "example.com/rig", ReportingInstance: c.instance})
		r.record(f.event())
		if got := r.next().Name; got != c.want {
			t.Errorf("%v, %s: %s, want %s", c.identity, c.instance, got, c.want)
		}
	}
}

// drawnFacts draws the fields of an event from few texts. Two events then often agree in all but
// one field, or split the same text at another place.
func drawnFacts(t *rapid.T, name string) facts {
	text := rapid.SampledFrom([]string{"a", "b", "ab", "aa"})
	or := func(g *rapid.Generator[string], what string) string {
		return rapid.OneOf(rapid.Just(""), g).Draw(t, name+what)
	}
	ref := func(what string) corev1.ObjectReference {
		return corev1.ObjectReference{
			APIVersion: rapid.SampledFrom([]string{"v1", "a/v1", "a/v2"}).Draw(t, name+what+" version"), Kind: text.Draw(t, name+what+" kind"),
			Namespace: text.Draw(t, name+what+" namespace"), Name: text.Draw(t, name+what+" name"), UID: types.UID(or(text, what+" UID")),
			FieldPath: or(text, what+" path"),
		}
	}
	def := &eventrt.Definition{
		Name: or(text, "definition"), Reason: text.Draw(t, name+"reason"), Action: or(text, "action"), Type: rapid.SampledFrom([]string{"Normal", "Warning"}).Draw(t, name+"type"),
		HasRelated: true, RelatedOptional: true, Params: []eventrt.Param{{Name: "x", Prefix: or(text, "prefix")}, {Name: "y"}},
		Message:     []eventrt.Segment{{Text: or(text, "begins"), Value: eventrt.ParamValue}, {Text: or(text, "middle"), Value: eventrt.ParamValue, Param: 1}, {Text: or(text, "ends")}},
		Correlation: eventrt.Correlation{Merged: uint8(rapid.IntRange(0, 1).Draw(t, name+"merged")), NoAggregate: true},
	}
	f := facts{def: def, regarding: ref("regarding"), controller: rapid.SampledFrom([]string{"", "example.com/c", "example.com/rig"}).Draw(t, name+"controller")}
	if rapid.Bool().Draw(t, name+"related") {
		f.related = ref("related")
	}
	f.args = []eventrt.Arg{eventrt.String(text.Draw(t, name+"first")), eventrt.String(or(text, "second"))}
	return f
}

// TestNamesAreIdentities: two processes give two events one name if, and only if, one process
// counts them as one event. Half of the pairs differ in at most one field.
func TestNamesAreIdentities(t *testing.T) {
	same, other := 0, 0
	testseed.Check(t, func(t *rapid.T) {
		a, b := drawnFacts(t, "a "), drawnFacts(t, "b ")
		if rapid.Bool().Draw(t, "near") {
			far := b
			b = a
			switch rapid.IntRange(0, 7).Draw(t, "differs in") {
			case 0:
				b.def = far.def
			case 1:
				b.regarding = far.regarding
			case 2:
				b.related = far.related
			case 3:
				b.args = far.args
			case 4:
				b.controller = far.controller
			case 5:
				def := *a.def
				def.Message = far.def.Message
				b.def = &def
			case 6:
				b.regarding.Name, b.regarding.Kind = far.regarding.Name, far.regarding.Kind
			}
		}
		for _, pair := range [][2]facts{{a, a}, {a, b}} {
			if namedOnce(t, pair) {
				same++
			} else {
				other++
			}
		}
	})
	t.Logf("%d pairs were one event, %d two", same, other)
	if same == 0 || other == 0 {
		t.Error("only one of both was drawn")
	}
}

// namedOnce reports whether two events are one. It fails unless their names in two processes agree
// with that.
func namedOnce(t *rapid.T, pair [2]facts) bool {
	var names [2]string
	both := newCorrelator(Options{}, writerOptions{ReportingController: "example.com/rig", ReportingInstance: "rig-0"})
	for i, f := range pair {
		c := newCorrelator(Options{}, writerOptions{ReportingController: "example.com/rig", ReportingInstance: "rig-0"})
		e := f.event()
		c.Observe(&e, clock.Instant{})
		names[i] = string(c.appendEventName(nil, c.all[0]))
		if problems := validation.IsDNS1123Subdomain(names[i]); len(problems) > 0 {
			t.Fatalf("%q: %v", names[i], problems)
		}
		again := f.event()
		both.Observe(&again, clock.Instant{})
	}
	one := len(both.all) == 1
	if one != (names[0] == names[1]) {
		t.Fatalf("one event: %v; named %s and %s", one, names[0], names[1])
	}
	return one
}

// TestNamesOfLongObjects are cut, and end in the hash.
func TestNamesOfLongObjects(t *testing.T) {
	for n, want := range map[int]int{236: 236, 237: 236, 253: 236} {
		r := newRig(t, Options{})
		r.record(about(strings.Repeat("x", n), normal, "x"))
		name := r.next().Name
		if prefix, hash, _ := strings.Cut(name, "."); len(prefix) != want || len(hash) != 16 {
			t.Errorf("an object's name of %d bytes: %s", n, name)
		}
	}
}
