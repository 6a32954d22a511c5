package correlator

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/event-gen/event-gen/runtime"
)

// owner looks after a correlator as the broadcaster does: it asks what is due, and when more will be, after whatever may change that.
type owner struct {
	*rig
	wake time.Duration
}

// update returns the number of lanes that have fallen due.
func (o *owner) update() int {
	due := len(o.c.Due(o.now.Mono))
	o.wake = math.MaxInt64
	if at, ok := o.c.Wake(); ok {
		o.wake = at
	}
	if at, ok := o.c.TidyAt(); ok {
		o.wake = min(o.wake, at)
	}
	return due
}

// TestAnOwnerNeedNotLookAfterAnObserveThatChangesNothing holds Changed to what Due, Wake and TidyAt say.
func TestAnOwnerNeedNotLookAfterAnObserveThatChangesNothing(t *testing.T) {
	unchanged := 0
	rapid.Check(t, func(rt *rapid.T) {
		o := &owner{rig: newRig(t, changeOptions(rt))}
		var w runtime.Write
		o.update()
		for range rapid.IntRange(1, 100).Draw(rt, "steps") {
			o.pass(rapid.SampledFrom([]time.Duration{0, 1, time.Second, 20 * time.Second, 10 * minute, time.Hour}).Draw(rt, "pass"))
			if o.wake <= o.now.Mono {
				o.update()
			}
			if rapid.IntRange(0, 3).Draw(rt, "write") == 0 {
				for o.c.Next(o.now, &w) {
					o.c.Done(&w, runtime.Answer{Outcome: rapid.SampledFrom([]runtime.Outcome{runtime.Done, runtime.Retry, runtime.Forbidden}).Draw(rt, "outcome")}, o.now)
				}
				o.update()
			}
			e := changeEvent(rt)
			o.observe(e)
			wake, changed := o.wake, o.c.Changed()
			if due := o.update(); changed || wake <= o.now.Mono {
				continue
			} else if due > 0 || o.wake != wake {
				rt.Fatalf("%s changed nothing, but %d lanes are due and the next time is %v, not %v", e.Message(), due, o.wake, wake)
			}
			unchanged++
		}
	})
	if unchanged == 0 {
		t.Error("each Observe changed something: the test shows nothing")
	}
}

func changeOptions(rt *rapid.T) Options {
	opts := Options{MaxIdentities: rapid.SampledFrom([]int{2, 5, 0}).Draw(rt, "identities"), MaxBytes: rapid.SampledFrom([]int64{0, 2000, 2500, 3000, 3500}).Draw(rt, "bytes")}
	opts.Threshold = rapid.SampledFrom([]int{1, 0}).Draw(rt, "threshold")
	if rapid.Bool().Draw(rt, "fold") {
		opts.Fold = func(e runtime.Event, known bool, _ runtime.Instant) bool {
			return !known && e.Type() == runtime.Warning
		}
	}
	return opts
}

var changing = func() (list []*runtime.Definition) {
	for _, eventType := range []string{runtime.Normal, runtime.Warning} {
		for _, latest := range []bool{false, true} {
			def := testDefinition("Changing", eventType)
			def.Correlation.LatestNote = latest
			list = append(list, def)
		}
	}
	return list
}()

func changeEvent(rt *rapid.T) runtime.Event {
	name := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "object")
	text := runtime.Int(rapid.IntRange(0, 99).Draw(rt, "text"))
	return runtime.NewEvent(rapid.SampledFrom(changing).Draw(rt, "definition"), objectNamed(name, "uid-"+name), runtime.ObjectRef{}, text)
}
