package broadcaster_test

import (
	"fmt"
	"strings"
	"testing"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/internal/race"
)

// manyRules is a filter of as many rules. Each nearly matches the benchmark's event, and none does.
func manyRules(n int, format string) *eventfilter.Filter {
	f := new(eventfilter.Filter)
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

// TestAFilterAllocatesNothing: not for a kept event, nor for a dropped or a forwarded one.
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
	b.SetFilter(nil)
	if without := testing.AllocsPerRun(1000, forward); with > without && !race.Enabled {
		t.Errorf("a forwarded event costs %v allocations with a filter, %v without", with, without)
	}
}

// funcFilter is a filter that can't be compared.
type funcFilter func(eventrt.Event) bool

func (f funcFilter) Keep(e eventrt.Event) bool { return f(e) }

// TestAFilterThatCantBeComparedIsAnError: the next scrape, or the page, would compare it.
func TestAFilterThatCantBeComparedIsAnError(t *testing.T) {
	none := funcFilter(func(eventrt.Event) bool { return false })
	if _, err := broadcaster.New(broadcaster.Options{Sink: newStore(), Filter: none}); err == nil || !strings.Contains(err.Error(), "option Filter: expected a filter that can be compared") {
		t.Errorf("New: %v", err)
	}
	b, _ := start(t, broadcaster.Options{Sink: newStore()})
	for _, f := range []broadcaster.Filter{none, struct{ broadcaster.Filter }{none}} {
		if err := b.SetFilter(f); err == nil {
			t.Errorf("%T was set", f)
		}
	}
	if err := b.SetFilter(&none); err != nil {
		t.Error(err)
	}
	if err := b.SetFilter(nil); err != nil {
		t.Error(err)
	}
	b.Publish(failedEvent("job"))
	if err := b.Shutdown(t.Context()); err != nil || b.Stats().Written != 1 {
		t.Errorf("%v, %+v", err, b.Stats())
	}
}
