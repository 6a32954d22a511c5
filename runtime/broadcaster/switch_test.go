package broadcaster_test

import (
	"strings"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
)

func eventIn(namespace, name string) eventrt.Event {
	ref := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: name}
	return eventrt.NewEvent(failed, eventrt.ReferenceOf(ref), eventrt.ObjectRef{})
}

func inProd(e eventrt.Event) bool { return e.Regarding().Namespace == "prod" }

func TestTheKillSwitch(t *testing.T) {
	s := newStore()
	b, log := start(t, broadcaster.Options{Sink: s})
	var seen journal
	b.Attach(broadcaster.Subscriber{Show: seen.add})
	b.Publish(createdEvent("job", 1))
	b.SetEnabled(false)
	b.Publish(createdEvent("job", 2))
	b.Publish(eventrt.Event{}) // nobody checks it
	b.SetEnabled(true)
	b.Publish(createdEvent("job", 3))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats := b.Stats()
	if stats.Recorded != 4 || stats.Written != 2 || stats.Lost != (eventrt.Lost{Disabled: 2}) {
		t.Errorf("stats %+v", stats)
	}
	checkConserved(t, stats)
	if got := seen.all(); got != "created 1,created 3" {
		t.Errorf("subscribers saw %q", got)
	}
	if got := log.all(); len(got) != 0 {
		t.Errorf("logged %q", got)
	}
}

func TestAFunctionAsFilter(t *testing.T) {
	s := newStore()
	b, log := start(t, broadcaster.Options{Sink: s})
	b.SetFilter(eventfilter.Func(func(e eventrt.Event) bool {
		namespace := e.Regarding().Namespace
		if namespace == "broken" {
			panic("oh")
		}
		return namespace == "prod" || namespace == ""
	}))
	for _, namespace := range []string{"prod", "test", "", "test", "broken", "broken"} {
		b.Publish(eventIn(namespace, "pod"))
	}
	b.SetFilter(nil)
	b.Publish(eventIn("test", "pod"))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats := b.Stats()
	if stats.Recorded != 7 || stats.Written != 5 || stats.Lost != (eventrt.Lost{Disabled: 2}) {
		t.Errorf("stats %+v", stats)
	}
	if got := log.all(); len(got) != 1 || !strings.Contains(got[0], "The filter panicked") {
		t.Errorf("logged %q, expected one line about the filter", got)
	}
}

func TestSwitchesAsOptions(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: newStore(), Disabled: true, Filter: eventfilter.Func(inProd)})
	b.Publish(eventIn("prod", "pod"))
	b.SetEnabled(true) // leaves the filter
	b.Publish(eventIn("prod", "pod"))
	b.Publish(eventIn("test", "pod"))
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if stats := b.Stats(); stats.Written != 1 || stats.Lost.Disabled != 2 {
		t.Errorf("stats %+v", stats)
	}
}

func TestSwitchesChangeWhileEventsAreRecorded(t *testing.T) {
	b, _ := start(t, broadcaster.Options{Sink: newStore()})
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for n := range 500 {
				b.Publish(createdEvent("job", n))
			}
		})
	}
	all.Go(func() {
		for n := range 500 {
			b.SetEnabled(n%2 == 0)
			b.SetFilter(eventfilter.Func(func(eventrt.Event) bool { return n%3 == 0 }))
			checkConserved(t, b.Stats())
		}
	})
	all.Wait()
	if err := b.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	stats := b.Stats()
	if stats.Recorded != 1000 || stats.Written+stats.Lost.Disabled != 1000 {
		t.Errorf("stats %+v", stats)
	}
}
