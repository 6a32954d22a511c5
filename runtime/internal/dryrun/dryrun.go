// Package dryrun asks whether events will arrive, by the path that they take: with writes that the
// server is told not to store.
package dryrun

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/clock"
	"github.com/event-gen/event-gen/runtime/internal/inside"
	"github.com/event-gen/event-gen/runtime/sink"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

// Check asks a sink for events as a correlator makes them.
type Check struct {
	Sink       sink.DryRunner
	Correlator func() (*correlator.Correlator, error) // returns a new one
}

// Run asks for each namespace, "" being that of cluster-scoped objects, and for events that name
// each of the reporting controllers, "" being the default. A server that does not answer ends it.
func (c *Check) Run(ctx context.Context, controllers, namespaces []string) error {
	var errs []error
	for _, namespace := range namespaces {
		for _, controller := range controllers {
			q := inquiry{Check: c, namespace: namespace, controller: controller}
			err := q.run(ctx)
			if err != nil && !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) {
				errs = append(errs, err)
			}
			if q.mute {
				return errors.Join(errs...)
			}
		}
	}
	return errors.Join(errs...)
}

// checkPause is the time before a right that is missing is asked for again.
const checkPause = time.Second

// inquiry asks for one namespace and controller.
type inquiry struct {
	*Check
	namespace, controller string
	mute                  bool // the server does not answer
}

// run has a create sent and, if it is allowed, a patch.
func (c *inquiry) run(ctx context.Context) error {
	w, err := c.write()
	if err != nil {
		return err
	}
	a := c.ask(ctx, w)
	if err := c.judge(&a, "create", w.Namespace); err != nil {
		return err
	}
	w.Operation, w.Count, w.Mark = sink.Update, 2, a.Mark
	a = c.ask(ctx, w)
	return c.judge(&a, "patch", w.Namespace)
}

// write returns the first write of an event, as the correlator makes it.
func (c *inquiry) write() (*sink.Write, error) {
	def := &eventrt.Definition{
		Subject: eventrt.Subject{ReportingController: c.controller}, Name: "EventsCheck", Reason: "EventsCheck", Type: eventrt.Normal,
		Message: []eventrt.Segment{{Text: "Events can be written"}},
	}
	ref := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: c.namespace, Name: "events-check"}
	if c.namespace == "" {
		ref.Kind = "Node"
	}
	scratch, err := c.Correlator()
	if err != nil {
		return nil, err
	}
	e := eventrt.NewEvent(def, eventrt.ReferenceOf(ref), eventrt.ObjectRef{})
	now := clock.Start().Now()
	internals.SetTime(&e, now.Wall)
	if p, _ := scratch.Observe(&e, now); p != eventrt.NoProblem {
		return nil, fmt.Errorf("events in namespace %q: %s", c.namespace, p)
	}
	var w sink.Write
	if ok, _ := scratch.Next(now, &w); !ok {
		return nil, errors.New("no write is due for the first occurrence of an event")
	}
	return &w, nil
}

// ask has a write sent, once more if a right is missing.
func (c *inquiry) ask(ctx context.Context, w *sink.Write) sink.Answer {
	a := c.send(ctx, w)
	if a.Outcome != sink.Forbidden {
		return a
	}
	pause := time.NewTimer(checkPause)
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return a
	case <-pause.C:
		return c.send(ctx, w)
	}
}

// send has a write sent. A sink that panics has refused it.
func (c *inquiry) send(ctx context.Context, w *sink.Write) (a sink.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = sink.Answer{Outcome: sink.Refused, Err: fmt.Errorf("the sink panicked: %v", p)}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	defer cancel()
	return c.Sink.DryRun(ctx, w)
}

// judge returns what an answer means for the events of a namespace.
func (c *inquiry) judge(a *sink.Answer, what, namespace string) error {
	why := ""
	switch a.Outcome {
	case sink.Done, sink.Gone, sink.Exists:
		return nil
	case sink.Forbidden:
		why = "are refused"
	case sink.RefusedQuietly:
		why = "are refused, because the namespace is gone or terminating"
	case sink.Retry:
		why = "are not taken for now"
		if errors.Is(a.Err, context.DeadlineExceeded) {
			why += ", because no answer came in time"
		}
		c.mute = a.Scope == sink.ScopeServer || a.Scope == sink.ScopeUnknown
	default:
		why = "are refused"
	}
	of := "events"
	if c.controller != "" {
		of = fmt.Sprintf("events of %q", c.controller)
	}
	return fmt.Errorf("%s in namespace %q %s (%s): %w", of, namespace, why, what, a.Err)
}
