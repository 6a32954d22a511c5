package breaking

import (
	"context"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

// scheme tells the kinds of objects that do not tell them.
func scheme(t reflect.Type) (metav1.TypeMeta, bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.PkgPath() {
	case "k8s.io/api/core/v1":
		return metav1.TypeMeta{APIVersion: "v1", Kind: t.Name()}, true
	case "k8s.io/api/batch/v1":
		return metav1.TypeMeta{APIVersion: "batch/v1", Kind: t.Name()}, true
	}
	return metav1.TypeMeta{}, false
}

func typeOf(obj k8sruntime.Object) string {
	t := reflect.TypeOf(obj).Elem()
	return t.PkgPath() + "." + t.Name()
}

// pipeline is a correlator with a clock of its own, and a sink.
type pipeline struct {
	c    *correlator.Correlator
	sink *sink.Memory
	now  eventrt.Instant
	// lastWrite is the name of the event that was written last.
	lastWrite string
	created   int // events, aggregates left out
	writes    int // creates and updates
}

func newPipeline(form sink.Form, unlimited bool) *pipeline {
	opts := correlator.Options{ReportingController: "example.com/host", Host: "host", NoAggregate: unlimited}
	if unlimited {
		opts.EventTTL = 100000 * time.Hour
	}
	start := eventrt.Instant{Wall: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC), Mono: time.Hour}
	c, err := correlator.New(opts)
	if err != nil {
		panic(err)
	}
	return &pipeline{c: c, sink: sink.NewMemoryWith(sink.MemoryOptions{Form: form}), now: start}
}

func (p *pipeline) pass(d time.Duration) {
	p.now.Mono += d
	p.now.Wall = p.now.Wall.Add(d)
}

// record observes an event and writes what is due. It reports whether the event was taken.
func (p *pipeline) record(e eventrt.Event) bool {
	e.SetTime(p.now.Wall)
	if problem, _ := p.c.Observe(&e, p.now); problem != eventrt.NoProblem {
		return false
	}
	p.drain()
	return true
}

func (p *pipeline) drain() {
	var w eventrt.Write
	for ok, _ := p.c.Next(p.now, &w); ok; ok, _ = p.c.Next(p.now, &w) {
		p.lastWrite = w.Name
		p.writes++
		if w.Operation == eventrt.Create && !w.Aggregate {
			p.created++
		}
		p.c.Done(&w, p.sink.Write(context.Background(), &w), p.now)
	}
}

// stored is an event as the server has it, without what every event has of its own.
type stored struct {
	Reason, Action, Type, Controller string
	Regarding                        corev1.ObjectReference
	Related                          *corev1.ObjectReference
	Note                             string
	Annotations                      map[string]string
}

// store is what becomes of one call; nil: it is rejected.
func store(form sink.Form, e eventrt.Event) *stored {
	p := newPipeline(form, true)
	if !p.record(e) {
		return nil
	}
	list := p.sink.List()
	if len(list) != 1 {
		panic(fmt.Sprintf("%d events of one call", len(list)))
	}
	return content(&list[0])
}

func content(e *eventsv1.Event) *stored {
	s := &stored{
		Reason: e.Reason, Action: e.Action, Type: e.Type, Controller: e.ReportingController, Regarding: e.Regarding, Related: e.Related,
		Note: e.Note, Annotations: e.Annotations,
	}
	if s.Controller == "" {
		s.Controller = e.DeprecatedSource.Component
	}
	return s
}

// merged says of each call which event it became an occurrence of; empty: it was rejected.
func merged(form sink.Form, events []eventrt.Event) []string {
	p := newPipeline(form, true)
	names := make([]string, len(events))
	for i, e := range events {
		p.pass(31 * time.Minute) // longer than any interval
		p.drain()
		if p.record(e) {
			p.pass(31 * time.Minute) // longer than any interval
			p.drain()
			names[i] = p.lastWrite
		}
	}
	return names
}

const cutMark = "…"

// cutFrom reports whether a text is an older one with more of what was cut there.
func cutFrom(was, is string) bool {
	if was == is {
		return true
	}
	if !strings.Contains(was, cutMark) {
		return false
	}
	var parts []string
	for part := range strings.SplitSeq(was, cutMark) {
		parts = append(parts, regexp.QuoteMeta(part))
	}
	return regexp.MustCompile("^(?s:" + strings.Join(parts, ".*") + ")$").MatchString(is)
}
