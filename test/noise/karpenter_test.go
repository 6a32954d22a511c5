// Package noise compares what catalogs say of noise with what controllers do about it by hand.
package noise

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/catalog/lint"
	"github.com/event-gen/event-gen/internal/catalog/model"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// theirs is a plain model of karpenter's recorder (pkg/events/recorder.go): what passes a cache of keys and a token bucket is handed on, and
// all else is dropped. The key is kept before the bucket is asked.
type theirs struct {
	until  map[string]time.Duration
	tokens float64
	asked  time.Duration
}

func (r *theirs) publish(c call, now time.Duration) bool {
	if c.dedupe > 0 {
		if until, known := r.until[c.key]; known && now <= until {
			return false
		}
		r.until[c.key] = now + c.dedupe
	}
	if !c.limited {
		return true
	}
	r.tokens = min(10, r.tokens+5*(now-r.asked).Seconds())
	r.asked = now
	if r.tokens < 1 {
		return false
	}
	r.tokens--
	return true
}

// call is a call of one of the constructors: its event for ours, and what theirs goes by.
type call struct {
	event   eventrt.Event
	key     string
	dedupe  time.Duration
	limited bool
}

// writes are the moments at which something is written, and the notes.
type writes struct {
	at    []time.Duration
	notes []string
	count []int32
}

// play makes calls at their moments, lets time go on until the end, and returns the writes of both.
func play(calls map[time.Duration][]call, end time.Duration) (ours writes, handedOn []time.Duration, stats eventrt.Stats) {
	c := correlator.New(correlator.Options{Host: "host"})
	r := &theirs{until: map[string]time.Duration{}, tokens: 10}
	start := time.Unix(1_700_000_000, 0)
	write := func(now eventrt.Instant) {
		var w eventrt.Write
		for c.Next(now, &w) {
			ours.at = append(ours.at, now.Mono)
			ours.notes, ours.count = append(ours.notes, string(w.Note)), append(ours.count, w.Count)
			c.Done(&w, eventrt.Answer{Outcome: eventrt.Done}, now)
		}
	}
	moments := []time.Duration{end}
	for at := range calls {
		moments = append(moments, at)
	}
	slices.Sort(moments)
	for _, at := range moments {
		for wake, ok := c.Wake(); ok && wake < at; wake, ok = c.Wake() {
			write(eventrt.Instant{Mono: wake, Wall: start.Add(wake)})
		}
		now := eventrt.Instant{Mono: at, Wall: start.Add(at)}
		for _, call := range calls[at] {
			call.event.SetTime(now.Wall)
			c.Observe(&call.event, correlator.ObjectHash(&call.event), now)
			if r.publish(call, at) {
				handedOn = append(handedOn, at)
			}
		}
		write(now)
	}
	return ours, handedOn, c.Stats()
}

// karpenter is the catalog, which has no warnings.
func karpenter(t *testing.T) *model.Package {
	t.Helper()
	const path = "testdata/karpenter.yaml"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	catalogs, found := catalog.Read(path, bytes.NewReader(text))
	set, more := model.Build(t.Context(), catalogs, model.Options{Dir: t.TempDir(), Resolve: model.ResolveNever})
	for _, f := range lint.Run(lint.Input{Catalogs: catalogs, Set: set, Found: append(found, more...)}) {
		if f.Severity >= diag.Warning {
			t.Error(f)
		}
	}
	return set.Packages[0]
}

// kind is one of the seven kinds of constructor.
type kind struct {
	event   string
	dedupe  time.Duration
	limited bool
	keyed   bool // the argument is a value to tell calls apart by
}

var kinds = []kind{
	{event: "WaitingOnReadiness", dedupe: 2 * time.Minute},       // by object, for the default time
	{event: "Launching", dedupe: 2 * time.Minute, keyed: true},   // by object and value
	{event: "NoCompatibleInstanceTypes", dedupe: time.Minute},    // for a minute
	{event: "FailedScheduling", dedupe: 5 * time.Minute},         // for five
	{event: "Unconsolidatable", dedupe: 15 * time.Minute},        // for fifteen, on two objects
	{event: "Nominated", dedupe: 2 * time.Minute, limited: true}, // with a limiter
	{event: "Registered"}, // each time
}

// call is what a constructor of one object makes.
func (k kind) call(p *model.Package, object string, n int) call {
	return k.calls(p, object, n)[0]
}

// calls are what a constructor makes: an event for each object, whose names differ.
func (k kind) calls(p *model.Package, object string, n int) []call {
	i := slices.IndexFunc(p.Events, func(e *model.Event) bool { return e.Name == k.event })
	var calls []call
	for at, def := range p.Events[i].Definitions() {
		calls = append(calls, k.about(&def.Runtime, fmt.Sprint(object, at), n))
	}
	return calls
}

func (k kind) about(def *eventrt.Definition, object string, n int) call {
	var args []eventrt.Arg
	if len(def.Params) > 0 {
		args = append(args, eventrt.String(fmt.Sprint("value ", n)))
	}
	if k.event == "NoCompatibleInstanceTypes" {
		args[0] = eventrt.Bool(n%2 == 0)
	}
	values := []string{object}
	if k.keyed {
		values = append(values, fmt.Sprint("value ", n))
	}
	ref := eventrt.ReferenceOf(&corev1.ObjectReference{APIVersion: def.Regarding.APIVersion, Kind: def.Regarding.Kind, Name: object, UID: types.UID("uid-of-" + object)})
	return call{
		event: eventrt.NewEvent(def, ref, eventrt.ObjectRef{}, args...),
		key:   strings.ToLower(def.Reason) + "-" + strings.Join(values, "-"), dedupe: k.dedupe, limited: k.limited,
	}
}

// TestRareCallsAreWrittenAsTheirs makes calls that are further apart than each timeout.
func TestRareCallsAreWrittenAsTheirs(t *testing.T) {
	p := karpenter(t)
	for _, k := range kinds {
		calls := map[time.Duration][]call{}
		for n := range 6 {
			calls[time.Duration(n)*(k.dedupe+time.Second)] = k.calls(p, "a", n)
		}
		ours, handedOn, _ := play(calls, time.Hour*2)
		if diff := cmp.Diff(handedOn, ours.at); diff != "" {
			t.Errorf("%s (-theirs +ours):\n%s", k.event, diff)
		}
	}
}

// TestNoiseIsWrittenAsOftenAsTheirs makes calls every seven seconds. The differences: theirs hands on the first call after a timeout, and
// drops the others; ours writes when the interval is over, with the count of all calls and the latest note, and once more for what came
// last. A call at the very end of a timeout is dropped by theirs.
func TestNoiseIsWrittenAsOftenAsTheirs(t *testing.T) {
	p := karpenter(t)
	const every = 7 * time.Second
	for _, k := range kinds {
		if k.dedupe == 0 || k.keyed {
			continue
		}
		calls := map[time.Duration][]call{}
		total := int(3*k.dedupe/every) + 1
		for n := range total {
			calls[time.Duration(n)*every] = k.calls(p, "a", n)
		}
		last := k.calls(p, "a", total-1)
		ours, handedOn, _ := play(calls, time.Hour*2)
		for n, at := range ours.at {
			n /= len(last) // each call has an event for each object
			if at != time.Duration(n)*k.dedupe {
				t.Errorf("%s: write %d at %v", k.event, n, at)
			}
			if n*len(last) < len(handedOn) && (at > handedOn[n*len(last)] || handedOn[n*len(last)]-at > time.Duration(n)*every) {
				t.Errorf("%s: write %d at %v, theirs at %v", k.event, n, at, handedOn[n*len(last)])
			}
		}
		if extra := len(ours.at) - len(handedOn); extra < 0 || extra > len(last) {
			t.Errorf("%s: %d writes, theirs hands on %d", k.event, len(ours.at), len(handedOn))
		}
		for i, n := range ours.count[len(ours.count)-len(last):] {
			if int(n) != total {
				t.Errorf("%s: the last write about object %d says %d of %d calls", k.event, i, n, total)
			}
		}
		var want []string
		for _, c := range last {
			want = append(want, c.event.Message())
		}
		if diff := cmp.Diff(want, ours.notes[len(ours.notes)-len(last):], cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Errorf("%s: the last notes (-want +got):\n%s", k.event, diff)
		}
	}
}

// TestTwoObjectsAreToldApart calls the constructor that makes events for a node and its claim. Theirs drops the second event where both have
// one name, as the reason and the name are its key; ours writes both, with the kind in each text.
func TestTwoObjectsAreToldApart(t *testing.T) {
	k := kinds[4]
	calls := k.calls(karpenter(t), "a", 0)
	var notes []string
	ours, handedOn, stats := play(map[time.Duration][]call{0: calls}, time.Hour)
	for _, c := range calls {
		notes = append(notes, c.event.Regarding().Kind+": "+c.event.Message())
	}
	want := []string{"Node: The Node can't be consolidated: value 0", "NodeClaim: The NodeClaim can't be consolidated: value 0"}
	if diff := cmp.Diff(want, notes); diff != "" || len(ours.at) != 2 || len(handedOn) != 2 || stats.Written != 2 {
		t.Errorf("%d writes, theirs hands on %d, %d written (-want +got):\n%s", len(ours.at), len(handedOn), stats.Written, diff)
	}
	calls[1].key = calls[0].key
	if ours, handedOn, _ := play(map[time.Duration][]call{0: calls}, time.Hour); len(ours.at) != 2 || len(handedOn) != 1 {
		t.Errorf("of two objects of one name: %d writes, theirs hands on %d", len(ours.at), len(handedOn))
	}
}

// TestRepeatsOfEachTimeAreCounted calls the constructor without a timeout with equal arguments. The difference: theirs hands on each call,
// which client-go then merges; ours writes the first at once, and the rest as counts by the default schedule.
func TestRepeatsOfEachTimeAreCounted(t *testing.T) {
	p := karpenter(t)
	calls := map[time.Duration][]call{}
	for n := range 100 {
		calls[time.Duration(n)*7*time.Second] = kinds[6].calls(p, "a", 0)
	}
	ours, handedOn, _ := play(calls, time.Hour)
	if len(handedOn) != 100 || len(ours.at) >= 20 || ours.at[0] != 0 || ours.count[len(ours.count)-1] != 100 {
		t.Errorf("theirs hands on %d; ours writes at %v, counts %v", len(handedOn), ours.at, ours.count)
	}
}

// TestValuesAreToldApartAsTheirs makes calls with three values in turns: each has a timeout of its own.
func TestValuesAreToldApartAsTheirs(t *testing.T) {
	p := karpenter(t)
	calls := map[time.Duration][]call{}
	for n := range 60 {
		calls[time.Duration(n)*7*time.Second] = []call{kinds[1].call(p, "a", n%3)}
	}
	ours, handedOn, _ := play(calls, time.Hour)
	byNote := map[string][]time.Duration{}
	for n, at := range ours.at {
		byNote[ours.notes[n]] = append(byNote[ours.notes[n]], at)
	}
	for note, at := range byNote {
		for n := range at[1:] {
			if at[n+1]-at[n] != 2*time.Minute {
				t.Errorf("%s is written at %v", note, at)
			}
		}
	}
	if extra := len(ours.at) - len(handedOn); len(byNote) != 3 || extra < 0 || extra > 3 {
		t.Errorf("%d writes of %d, theirs hands on %d", len(ours.at), len(byNote), len(handedOn))
	}
}

// TestALimiterDropsNothing nominates 60 pods at once, and again after 30 s. Theirs hands on ten and drops the others for as long as their
// keys are kept; ours writes ten at once and five a second, and each pod's second call two minutes after its first write.
func TestALimiterDropsNothing(t *testing.T) {
	p := karpenter(t)
	calls := map[time.Duration][]call{}
	for n := range 60 {
		c := kinds[5].call(p, fmt.Sprint("pod-", n), 0)
		calls[0], calls[30*time.Second] = append(calls[0], c), append(calls[30*time.Second], c)
	}
	ours, handedOn, stats := play(calls, time.Hour)
	if len(handedOn) != 10 || handedOn[9] != 0 {
		t.Errorf("theirs hands on at %v", handedOn)
	}
	for n := range 60 {
		want := max(0, time.Duration(n-9)*200*time.Millisecond)
		if ours.at[n] != want {
			t.Errorf("write %d at %v, want %v", n, ours.at[n], want)
		}
	}
	if len(ours.at) != 120 || ours.at[60] != 2*time.Minute || stats.Written != 120 || stats.Lost.Total() != 0 {
		t.Errorf("%d writes, the second round from %v on, %+v", len(ours.at), ours.at[60], stats)
	}
}
