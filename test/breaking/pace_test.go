package breaking

import (
	"cmp"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/internal/catalog/model"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// repeats is how often one call comes, and with which gaps.
const repeats = 300

var repeatGaps = []time.Duration{10 * time.Second, 11 * time.Minute}

// paces looks for repeats of one call that are written later than before.
func (j *judge) paces() {
	for _, p := range j.pairs {
		if limits(p.oldEvent) == limits(p.newEvent) {
			continue
		}
		for _, v := range p.selections() {
			for _, regarding := range p.regardings()[:1] {
				j.pace(p, v, regarding)
			}
		}
	}
}

func (j *judge) pace(p pair, selection string, regarding k8sruntime.Object) {
	call, ok := p.distinct(0, selection, regarding)
	if !ok {
		return
	}
	for _, gap := range repeatGaps {
		was, is := writesOf(call.was, gap), writesOf(call.is, gap)
		for n := range was {
			if is[n] < was[n] {
				j.differ(p.oldEvent.Name, later, fmt.Sprintf("%d writes became %d after %d calls every %s", was[n], is[n], n+1, gap))
				return
			}
		}
	}
}

// notes looks for occurrences of one event of which another note is shown than before.
func (j *judge) notes() {
	for _, p := range j.pairs {
		if limits(p.oldEvent).LatestNote == limits(p.newEvent).LatestNote {
			continue
		}
		calls := p.calls(j.m)
		for n, c := range calls {
			for _, other := range calls[:min(n, 40)] {
				was, is := shownOf(p.before(c), p.before(other)), shownOf(p.after(c), p.after(other))
				if was != "" && is != "" && was != is && !cutFrom(was, is) {
					j.differ(p.oldEvent.Name, worded, fmt.Sprintf("two occurrences were shown as %q and are as %q: %s; %s", was, is, c, other))
				}
			}
		}
	}
}

// shownOf is the text that people see of two occurrences; empty if these are not one event.
func shownOf(events ...eventrt.Event) string {
	p := newPipeline(sink.EventsV1, true)
	for _, e := range events {
		if !p.record(e) {
			return ""
		}
		p.pass(31 * time.Minute) // longer than any interval
		p.drain()
	}
	list := p.sink.List()
	if len(list) != 1 {
		return ""
	}
	return cmp.Or(list[0].Annotations[eventrt.LatestNoteAnnotation], list[0].Note)
}

// tokens looks for one call about many objects of which fewer are written by some moment than before.
func (j *judge) tokens() {
	for _, p := range j.pairs {
		was, is := limitOf(p.oldEvent), limitOf(p.newEvent)
		if was == nil && is == nil || was != nil && is != nil && *was == *is {
			continue
		}
		for _, v := range p.selections() {
			for _, regarding := range p.regardings()[:1] {
				j.crowd(p, v, regarding)
			}
		}
	}
}

func limitOf(e *model.Event) *eventrt.Limit {
	return e.Methods[0].Definitions[0].Runtime.Correlation.Limit
}

// crowded is about how many objects one call is made at once.
const crowded = 400

func (j *judge) crowd(p pair, selection string, regarding k8sruntime.Object) {
	var was, is []eventrt.Event
	for n := range crowded {
		call, ok := p.distinct(0, selection, named(regarding, n))
		if !ok {
			return
		}
		was, is = append(was, call.was), append(is, call.is)
	}
	before, after := writesAtOnce(was), writesAtOnce(is)
	for n := range before {
		if after[n] < before[n] {
			j.differ(p.oldEvent.Name, later, fmt.Sprintf("%d of %d writes became %d", before[n], crowded, after[n]))
			return
		}
	}
}

// named is a copy of an object under another name.
func named(obj k8sruntime.Object, n int) k8sruntime.Object {
	out := obj.DeepCopyObject()
	if o, ok := out.(metav1.Object); ok {
		o.SetName(fmt.Sprintf("%s-%d", o.GetName(), n))
		o.SetUID("")
	}
	return out
}

// writesAtOnce is how many writes there were after many calls at once, second by second and then minute by minute.
func writesAtOnce(events []eventrt.Event) []int {
	p := newPipeline(sink.EventsV1, false)
	for _, e := range events {
		p.record(e)
	}
	writes := []int{p.writes}
	for n := range 140 {
		if n < 100 {
			p.pass(time.Second)
		} else {
			p.pass(time.Minute)
		}
		p.drain()
		writes = append(writes, p.writes)
	}
	return writes
}

// writesOf is how many writes there were after each of many calls.
func writesOf(e eventrt.Event, gap time.Duration) []int {
	p := newPipeline(sink.EventsV1, false)
	writes := make([]int, repeats)
	for n := range writes {
		p.record(e)
		writes[n] = p.writes
		p.pass(gap)
		p.drain()
	}
	return writes
}
