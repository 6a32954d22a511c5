package eventfilter_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/internal/seed"
)

// plainRule and plainFilter are the plain model of a filter: rules in order, values as they are
// meant.
type plainRule struct {
	verb   string // drop, keep or every
	every  time.Duration
	values map[string]string // field: value, with its *
	last   map[string]time.Duration
}

type plainFilter []plainRule

// keeps decides by the words of the documentation: the last rule that matches decides, and no rule
// means that the event is recorded.
func (f plainFilter) keeps(fields map[string]string, now time.Duration) bool {
	keep := true
	var decides *plainRule
	for i := range f {
		if f[i].matches(fields) {
			decides = &f[i]
		}
	}
	switch {
	case decides == nil:
	case decides.verb == "every":
		key := fmt.Sprintf("%q", []string{fields["type"], fields["reason"], fields["kind"], fields["namespace"], fields["name"]})
		last, known := decides.last[key]
		if keep = !known || now >= last+decides.every; keep {
			decides.last[key] = now
		}
	default:
		keep = decides.verb == "keep"
	}
	return keep
}

func (r *plainRule) matches(fields map[string]string) bool {
	for name, value := range r.values {
		begin, prefix := strings.CutSuffix(value, "*")
		if prefix && !strings.HasPrefix(fields[name], begin) || !prefix && fields[name] != value {
			return false
		}
	}
	return true
}

var plainFields = []string{"type", "reason", "action", "kind", "namespace", "name"}

var plainValues = map[string][]string{
	"type":      {"Normal", "Warning"},
	"reason":    {"Created", "Cre", "two words", `quo"te`, "semi;colon", "ünï\ncode", "#hash", "back\\slash"},
	"action":    {"Create", "Delete"},
	"kind":      {"Job", "Jo"},
	"namespace": {"", "prod", "prod-eu"},
	"name":      {"a", "ab", "abc"},
}

// drawFilter draws a filter and one of the texts that a person could write for it.
func drawFilter(t *rapid.T) (plainFilter, string) {
	blank := func() string { return rapid.SampledFrom([]string{" ", "  ", "\t", " \r "}).Draw(t, "blank") }
	maybe := func(text string) string {
		return rapid.SampledFrom([]string{"", text}).Draw(t, "maybe")
	}
	var f plainFilter
	var text strings.Builder
	for range rapid.IntRange(0, 6).Draw(t, "rules") {
		r := plainRule{verb: rapid.SampledFrom([]string{"drop", "keep", "every"}).Draw(t, "verb"), values: map[string]string{}, last: map[string]time.Duration{}}
		text.WriteString(maybe(" ; \n") + maybe("# a comment; drop all\n") + maybe(blank()) + r.verb)
		if r.verb == "every" {
			r.every = time.Duration(rapid.IntRange(1, 300).Draw(t, "every")) * time.Second
			text.WriteString("=" + r.every.String())
		}
		for _, field := range plainFields {
			if rapid.IntRange(0, 2).Draw(t, "given") > 0 {
				continue
			}
			value := rapid.SampledFrom(plainValues[field]).Draw(t, "value")
			if field != "type" {
				value += maybe("*")
			}
			r.values[field] = value
			written := value
			if value == "" || strings.ContainsAny(value, " ;\"\n#\\ü") || rapid.Bool().Draw(t, "quoted") {
				written = fmt.Sprintf("%q", value)
			}
			text.WriteString(blank() + field + "=" + written)
		}
		text.WriteString(maybe(" # why") + "\n" + maybe(blank()))
		f = append(f, r)
	}
	return f, text.String()
}

// drawEvent draws an event, and its fields as the model sees them.
func drawEvent(t *rapid.T) (eventrt.Event, map[string]string) {
	fields := map[string]string{}
	for _, field := range plainFields {
		fields[field] = rapid.SampledFrom(append(slices.Clone(plainValues[field]), plainValues[field][0]+"x")).Draw(t, field)
	}
	if fields["type"] == "Normalx" {
		fields["type"] = "Warning"
	}
	def := &eventrt.Definition{Reason: fields["reason"], Action: fields["action"], Type: fields["type"]}
	ref := &corev1.ObjectReference{APIVersion: "batch/v1", Kind: fields["kind"], Namespace: fields["namespace"], Name: fields["name"]}
	return eventrt.NewEvent(def, eventrt.ReferenceOf(ref), eventrt.ObjectRef{}), fields
}

// filter makes a filter of a text.
func filter(t testing.TB, text string) *eventfilter.Filter {
	t.Helper()
	f := new(eventfilter.Filter)
	if err := f.Set(text); err != nil {
		t.Fatal(err)
	}
	return f
}

// counts returns the rules in force, each with what it has dropped.
func counts(f *eventfilter.Filter) string {
	var all []string
	for rule, dropped := range f.Rules() {
		all = append(all, fmt.Sprint(rule, " ", dropped))
	}
	return strings.Join(all, "; ")
}

// failed is an event about a job.
func failed(name string) eventrt.Event {
	def := &eventrt.Definition{Reason: "Failed", Type: eventrt.Warning}
	ref := &corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: name}
	return eventrt.NewEvent(def, eventrt.ReferenceOf(ref), eventrt.ObjectRef{})
}

// TestFilterDecidesAsThePlainModel parses a random text, prints it and parses that: all three are
// the same filter, and decide about random events as the model does. The rules count what is
// dropped.
func TestFilterDecidesAsThePlainModel(t *testing.T) {
	seed.Check(t, func(r *rapid.T) {
		model, text := drawFilter(r)
		var f, again eventfilter.Filter
		if err := f.Set(text); err != nil {
			r.Fatalf("%v in\n%s", err, text)
		}
		if err := again.Set(f.String()); err != nil || again.String() != f.String() || strings.Contains(f.String(), "\n") {
			r.Fatalf("%q is printed as %q, and that as %q (%v)", text, f.String(), again.String(), err)
		}
		occurrences := rapid.SliceOfN(rapid.Custom(drawOccurrence), 0, 30).Draw(r, "events")
		var differ string
		synctest.Test(t, func(*testing.T) { differ = compareWithModel(model, &again, occurrences) })
		if differ != "" {
			r.Fatalf("%s by\n%s", differ, again.String())
		}
	})
}

// occurrence is an event after a pause.
type occurrence struct {
	pause  time.Duration
	event  eventrt.Event
	fields map[string]string
}

func drawOccurrence(r *rapid.T) occurrence {
	e, fields := drawEvent(r)
	return occurrence{time.Duration(rapid.IntRange(0, 60).Draw(r, "pause")) * time.Second, e, fields}
}

// compareWithModel says where a filter first decides otherwise than the model.
func compareWithModel(model plainFilter, f *eventfilter.Filter, occurrences []occurrence) string {
	began, dropped := time.Now(), uint64(0)
	for i, o := range occurrences {
		time.Sleep(o.pause)
		keep := model.keeps(o.fields, time.Since(began))
		if !keep {
			dropped++
		}
		if kept := f.Keep(o.event); kept != keep {
			return fmt.Sprintf("event %d, %q: kept %v, the model %v,", i, o.fields, kept, keep)
		}
	}
	var sum uint64
	for _, n := range f.Rules() {
		sum += n
	}
	if sum != dropped {
		return fmt.Sprintf("the model dropped %d, the rules %d,", dropped, sum)
	}
	return ""
}

// TestFilterMistakes: each mistake has its place and what to write, and leaves the filter as it is.
func TestFilterMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"dorp reason=A":                   `filter:1:1: expected a rule that begins with drop, keep or every=DURATION, found "dorp"`,
		"drop reason=A\n  keep; hold":     `filter:2:9: expected a rule that begins with drop, keep or every=DURATION, found "hold"`,
		"every=5 reason=A":                `filter:1:7: expected a duration above 0 such as 30s or 5m, found "5"`,
		"every=-5m":                       `filter:1:7: expected a duration above 0`,
		"every=":                          `filter:1:7: expected a duration above 0`,
		"drop reason":                     `filter:1:6: expected a condition such as reason=Pulled, found "reason"`,
		"drop reasons=A":                  `filter:1:6: expected one of the fields type, reason, action, kind, namespace, name, found "reasons"`,
		"drop reason=A,B":                 `filter:1:13: expected one value, found A,B; write a rule for each value`,
		"drop reason=A reason=B":          `filter:1:15: expected one condition for reason in a rule, found a second`,
		"drop reason=":                    `filter:1:13: expected a value, found none; write "" for an empty one`,
		"drop reason=*Mount":              `filter:1:13: expected at most one *, at the end of the value, found "*Mount"`,
		"drop type=normal":                `filter:1:11: expected the type Normal or Warning, found "normal"`,
		`drop reason="ü" namespace="x`:    `filter:1:27: expected a value quoted as a Go string, on one line, found "x`,
		`drop reason="a"b`:                `filter:1:16: expected a blank or a semicolon after "a", found "b"`,
		`drop reason=a"b"`:                `filter:1:13: expected a value, found a"b"; a value with quotes must be quoted as a whole`,
		"drop reason='two words'":         `filter:1:13: expected a value, found 'two`,
		"keep reason=A drop namespace=ns": `filter:1:15: expected a condition such as reason=Pulled, found "drop"; a semicolon ends a rule`,
	} {
		f := filter(t, "drop type=Normal")
		if err := f.Set(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if f.String() != "drop type=Normal" {
			t.Errorf("%q has changed the filter: %s", text, f.String())
		}
	}
}

func TestFilterIsAFlag(t *testing.T) {
	var f eventfilter.Filter
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.Var(&f, "event-filter", "which events are recorded")
	if err := flags.Parse([]string{"-event-filter", `drop type=Normal;every=1h30m  reason="BackOff"`}); err != nil {
		t.Fatal(err)
	}
	if got, want := f.String(), "drop type=Normal; every=1h30m reason=BackOff"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	flags.SetOutput(&strings.Builder{})
	flags.PrintDefaults() // prints a zero value
}

// TestNewRulesKeepCounts: a rule that was there before goes on with its count and with what it
// remembers.
func TestNewRulesKeepCounts(t *testing.T) {
	f := filter(t, "drop name=a; every=1m name=b")
	for range 3 {
		f.Keep(failed("a"))
		f.Keep(failed("b"))
	}
	for _, c := range []struct{ text, name, want string }{
		{"every=1m name=b; drop name=c; drop name=c", "c", "every=1m name=b 2; drop name=c 1"},
		{"every=1m name=b; drop name=c", "b", "every=1m name=b 3; drop name=c 1"},
		// twice, so that both are the rule that has counted
		{"drop name=c; every=1m name=b; drop name=c", "c", "every=1m name=b 3; drop name=c 2"},
		{"", "b", ""},
	} {
		if err := f.Set(c.text); err != nil {
			t.Fatal(err)
		}
		f.Keep(failed(c.name))
		if got := counts(f); got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

// TestAFunction decides, is counted, and is replaced by rules.
func TestAFunction(t *testing.T) {
	f := eventfilter.Func(func(e eventrt.Event) bool { return e.Regarding().Name == "a" })
	if !f.Keep(failed("a")) || f.Keep(failed("b")) || counts(f) != "function 1" || f.String() != "" {
		t.Errorf("%s, text %q", counts(f), f.String())
	}
	if err := f.Set("drop name=a"); err != nil || f.Keep(failed("a")) || !f.Keep(failed("b")) || counts(f) != "drop name=a 1" {
		t.Errorf("%v: %s", err, counts(f))
	}
}

// TestNoFilter: a nil *Filter and a zero one record everything.
func TestNoFilter(t *testing.T) {
	for _, f := range []*eventfilter.Filter{nil, {}} {
		if !f.Keep(failed("a")) || f.String() != "" || counts(f) != "" || f.Err() != nil {
			t.Errorf("%v drops, or has rules", f)
		}
	}
}

// TestManyDefinitions: beyond the number of definitions that a filter remembers, it decides the
// same.
func TestManyDefinitions(t *testing.T) {
	f := filter(t, "drop reason=Reason* name=web; keep reason=Reason1*")
	web := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "prod", Name: "web"})
	for n := range 12_000 {
		def := &eventrt.Definition{Reason: fmt.Sprint("Reason", n), Type: eventrt.Normal}
		want := strings.HasPrefix(def.Reason, "Reason1")
		if got := f.Keep(eventrt.NewEvent(def, web, eventrt.ObjectRef{})); got != want {
			t.Fatalf("%s: kept %v, want %v", def.Reason, got, want)
		}
	}
}

// TestEveryForgets: a rule remembers a bounded number of objects. A forgotten one is recorded once
// more; none is held back too long.
func TestEveryForgets(t *testing.T) { synctest.Test(t, testEveryForgets) }

func testEveryForgets(t *testing.T) {
	f := filter(t, "every=1m")
	const objects = 20_000
	all := func() (dropped uint64) {
		for n := range objects {
			if !f.Keep(failed(fmt.Sprint("job-", n))) {
				dropped++
			}
		}
		return dropped
	}
	if first, second := all(), all(); first != 0 || second == 0 || second == objects {
		t.Errorf("dropped %d, then %d", first, second)
	}
	time.Sleep(time.Minute)
	if dropped := all(); dropped != 0 {
		t.Errorf("a minute later it dropped %d", dropped)
	}
}

// TestRulesChangeWhileEventsCome is for the race detector: each event is kept, or counted once.
func TestRulesChangeWhileEventsCome(t *testing.T) {
	f := filter(t, "every=1h")
	var all sync.WaitGroup
	var dropped atomic.Uint64
	for range 2 {
		all.Go(func() {
			for n := range 500 {
				if !f.Keep(failed(fmt.Sprint("job-", n%7))) {
					dropped.Add(1)
				}
			}
		})
	}
	all.Go(func() {
		for n := range 500 {
			if err := f.Set(fmt.Sprintf("every=1h; keep name=job-%d", n%7)); err != nil {
				t.Error(err)
			}
		}
	})
	all.Wait()
	for rule, n := range f.Rules() {
		if strings.HasPrefix(rule, "every") && n != dropped.Load() {
			t.Errorf("%s counts %d, dropped %d", rule, n, dropped.Load())
		}
	}
}
