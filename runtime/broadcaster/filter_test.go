package broadcaster_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/internal/race"
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

// handClock is a clock that a test moves. Its timers never fire.
type handClock struct{ now atomic.Int64 }

func (c *handClock) step(d time.Duration) time.Duration { return time.Duration(c.now.Add(int64(d))) }

func (c *handClock) Now() eventrt.Instant {
	now := time.Duration(c.now.Load())
	return eventrt.Instant{Mono: now, Wall: time.Unix(0, 0).Add(now)}
}

func (c *handClock) NewTimer(time.Duration) eventrt.Timer { return noTimer{} }

type noTimer struct{}

func (noTimer) C() <-chan time.Time { return nil }
func (noTimer) Reset(time.Duration) {}
func (noTimer) Stop()               {}

// TestFilterDecidesAsThePlainModel parses a random text, prints it and parses that: all three are
// the same filter, and decide about random events as the model does. The account and the rules
// count what is dropped.
func TestFilterDecidesAsThePlainModel(t *testing.T) {
	seed.Check(t, func(r *rapid.T) {
		model, text := drawFilter(r)
		f, err := broadcaster.ParseFilter(text)
		if err != nil {
			r.Fatalf("%v in\n%s", err, text)
		}
		again, err := broadcaster.ParseFilter(f.String())
		if err != nil || again.String() != f.String() || strings.Contains(f.String(), "\n") {
			r.Fatalf("%q is printed as %q, and that as %q (%v)", text, f.String(), again.String(), err)
		}
		clock := &handClock{}
		b, _ := start(t, broadcaster.Options{Sink: newStore(), Filter: again, Clock: clock})
		defer b.Shutdown(t.Context())
		dropped := uint64(0)
		for n := range rapid.IntRange(0, 30).Draw(r, "events") {
			now := clock.step(time.Duration(rapid.IntRange(0, 60).Draw(r, "pause")) * time.Second)
			e, fields := drawEvent(r)
			before := b.Stats().Lost.Disabled
			b.Publish(e)
			keep := model.keeps(fields, now)
			if !keep {
				dropped++
			}
			if kept := b.Stats().Lost.Disabled == before; kept != keep {
				r.Fatalf("event %d, %q: kept %v, the model %v, by\n%s", n, fields, kept, keep, again.String())
			}
		}
		var sum uint64
		for _, rule := range b.Snapshot(0).Filter {
			sum += rule.Dropped
		}
		if sum != dropped || b.Stats().Lost.Disabled != dropped {
			r.Fatalf("the model dropped %d, the rules %d, the account has %d", dropped, sum, b.Stats().Lost.Disabled)
		}
	})
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
		f, err := broadcaster.ParseFilter("drop type=Normal")
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Set(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
		if f.String() != "drop type=Normal" {
			t.Errorf("%q has changed the filter: %s", text, f.String())
		}
	}
}

func TestFilterIsAFlag(t *testing.T) {
	var f broadcaster.Filter
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

// TestANewFilterKeepsCounts: a rule that the new filter shares with the one before goes on with its
// count and with what it remembers.
func TestANewFilterKeepsCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := start(t, broadcaster.Options{Sink: newStore()})
		defer b.Shutdown(t.Context())
		set := func(text string) {
			f, err := broadcaster.ParseFilter(text)
			if err != nil {
				t.Fatal(err)
			}
			b.SetFilter(f)
		}
		set("drop name=a; every=1m name=b")
		for range 3 {
			b.Publish(failedEvent("a"))
			b.Publish(failedEvent("b"))
		}
		set("every=1m name=b; drop name=c; drop name=c")
		b.Publish(failedEvent("b"))
		b.Publish(failedEvent("c"))
		got := fmt.Sprint(b.Snapshot(0).Filter)
		if want := "[{every=1m name=b 3} {drop name=c 1}]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		// again, so that both are the rule that has counted
		set("drop name=c; every=1m name=b; drop name=c")
		b.Publish(failedEvent("c"))
		b.Publish(failedEvent("c"))
		if got, want := fmt.Sprint(b.Snapshot(0).Filter), "[{every=1m name=b 3} {drop name=c 3}]"; got != want {
			t.Errorf("%s, want %s", got, want)
		}
		b.SetFilter(broadcaster.Filter{})
		if got := b.Snapshot(0).Filter; got != nil {
			t.Errorf("%v", got)
		}
	})
}

// TestManyDefinitions: beyond the number of definitions that a filter remembers, it decides the
// same.
func TestManyDefinitions(t *testing.T) {
	var f broadcaster.Filter
	if err := f.Set("drop reason=Reason* name=web; keep reason=Reason1*"); err != nil {
		t.Fatal(err)
	}
	b, _ := start(t, broadcaster.Options{Sink: newStore(), Filter: f})
	defer b.Shutdown(t.Context())
	dropped := uint64(0)
	for n := range 12_000 {
		def := &eventrt.Definition{Reason: fmt.Sprint("Reason", n), Type: eventrt.Normal}
		b.Publish(eventrt.NewEvent(def, job("web"), eventrt.ObjectRef{}))
		if !strings.HasPrefix(def.Reason, "Reason1") {
			dropped++
		}
	}
	if got := b.Stats().Lost.Disabled; got != dropped {
		t.Errorf("dropped %d, want %d", got, dropped)
	}
}

// TestEveryForgets: a rule remembers a bounded number of objects. A forgotten one is recorded once
// more; none is held back too long.
func TestEveryForgets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, err := broadcaster.ParseFilter("every=1m")
		if err != nil {
			t.Fatal(err)
		}
		b, _ := start(t, broadcaster.Options{Sink: newStore(), Filter: f})
		defer b.Shutdown(t.Context())
		const objects = 20_000
		all := func() (dropped uint64) {
			before := b.Stats().Lost.Disabled
			for n := range objects {
				b.Publish(failedEvent(fmt.Sprint("job-", n)))
			}
			return b.Stats().Lost.Disabled - before
		}
		if first, second := all(), all(); first != 0 || second == 0 || second == objects {
			t.Errorf("dropped %d, then %d", first, second)
		}
		time.Sleep(time.Minute)
		if dropped := all(); dropped != 0 {
			t.Errorf("a minute later it dropped %d", dropped)
		}
	})
}

// manyRules is a filter of as many rules, none of which matches the benchmark's event, but each
// nearly.
func manyRules(n int, format string) (f broadcaster.Filter) {
	var text strings.Builder
	for i := range n {
		fmt.Fprintf(&text, format+"\n", i)
	}
	if err := f.Set(text.String()); err != nil {
		panic(err)
	}
	return f
}

const (
	aboutEvents  = "drop type=Normal reason=JobAlreadyActi%02d namespace=prod"
	aboutObjects = "drop type=Normal kind=CronJob namespace=prod name=nightl%02d"
)

// TestAFilterAllocatesNothing: neither for an event that is kept, nor for one that a rule drops,
// nor for a forwarded one.
func TestAFilterAllocatesNothing(t *testing.T) {
	f := manyRules(47, aboutEvents)
	if err := f.Set(f.String() + "; every=1h name=nightly-2; every=1ns name=nightly-3"); err != nil {
		t.Fatal(err)
	}
	b, _ := start(t, broadcaster.Options{Sink: newStore(), Filter: f})
	defer b.Shutdown(t.Context())
	recorder := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	for n := range 4 {
		object := cronJob(n)
		recorder.JobAlreadyActive(object)
		if got := testing.AllocsPerRun(1000, func() { recorder.JobAlreadyActive(object) }); got > 0 {
			t.Errorf("%s costs %v allocations", object.Name, got)
		}
	}
	forwarding := eventrt.NewRecorder(b)
	forward := func() { forwarding.Forward(cronJob(1), eventrt.Normal, "Forwarded", "", "text") }
	with := testing.AllocsPerRun(1000, forward)
	b.SetFilter(broadcaster.Filter{})
	if without := testing.AllocsPerRun(1000, forward); with > without && !race.Enabled {
		t.Errorf("a forwarded event costs %v allocations with a filter, %v without", with, without)
	}
}
