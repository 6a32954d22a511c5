package broadcaster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Check asks whether events will arrive, by the path that they take: for each namespace it has the
// sink send a create and a patch that the server is told not to store (dryRun=All). The patch names
// an event that does not exist, so that 404 means allowed. The namespace "" stands for
// cluster-scoped objects (Options.ClusterNamespace); without namespaces Check asks for these alone.
//
// The error joins what was found in each namespace: a missing right, with the rule to add; a text
// that the server finds invalid, with its field; a webhook or policy that refuses; a namespace that
// is gone; a server that does not answer, which ends the check. A server that has just started
// refuses everything for a moment, so a missing right is asked for twice, a second apart. Each call
// takes up to Options.WriteTimeout. The sink must be a sink.DryRunner, as the sinks of package
// kube and memory.Sink are. Check records nothing, and may be called at any time.
func (b *Broadcaster) Check(ctx context.Context, namespaces ...string) error {
	return b.opts.Check(ctx, nil, namespaces...)
}

// Check is the method of a Broadcaster with these options, for events that name certain reporting
// controllers; none: ReportingController. It starts nothing.
func (o Options) Check(ctx context.Context, controllers []string, namespaces ...string) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	target, ok := o.Sink.(sink.DryRunner)
	if !ok {
		return fmt.Errorf("whether events will arrive can't be checked: the sink %T has no method DryRun (sink.DryRunner)", o.Sink)
	}
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	if len(controllers) == 0 {
		controllers = []string{""}
	}
	var errs []error
	for _, namespace := range namespaces {
		for _, controller := range controllers {
			c := check{opts: &o, sink: target, namespace: namespace, controller: controller}
			err := c.run(ctx)
			if err != nil && !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == err.Error() }) {
				errs = append(errs, err)
			}
			if c.mute {
				return errors.Join(errs...)
			}
		}
	}
	return errors.Join(errs...)
}

// checkPause is the time before a right that is missing is asked for again.
const checkPause = time.Second

// check asks for one namespace and controller.
type check struct {
	opts                  *Options
	sink                  sink.DryRunner
	namespace, controller string
	mute                  bool // the server does not answer
}

// run has a create sent and, if it is allowed, a patch.
func (c *check) run(ctx context.Context) error {
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
func (c *check) write() (*sink.Write, error) {
	def := &eventrt.Definition{
		Subject: eventrt.Subject{ReportingController: c.controller}, Name: "EventsCheck", Reason: "EventsCheck", Type: eventrt.Normal,
		Message: []eventrt.Segment{{Text: "Events can be written"}},
	}
	ref := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: c.namespace, Name: "events-check"}
	if c.namespace == "" {
		ref.Kind = "Node"
	}
	scratch, err := c.opts.newCorrelator()
	if err != nil {
		return nil, err
	}
	e := eventrt.NewEvent(def, eventrt.ReferenceOf(ref), eventrt.ObjectRef{})
	now := c.opts.Clock.Now()
	e.SetTime(now.Wall)
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
func (c *check) ask(ctx context.Context, w *sink.Write) sink.Answer {
	a := c.send(ctx, w)
	if a.Outcome != sink.Forbidden {
		return a
	}
	pause := c.opts.Clock.NewTimer(checkPause)
	defer pause.Stop()
	select {
	case <-ctx.Done():
		return a
	case <-pause.C():
		return c.send(ctx, w)
	}
}

// send has a write sent. A sink that panics has refused it.
func (c *check) send(ctx context.Context, w *sink.Write) (a sink.Answer) {
	defer func() {
		if p := recover(); p != nil {
			a = sink.Answer{Outcome: sink.Refused, Err: fmt.Errorf("the sink panicked: %v", p)}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	defer cancel()
	return c.sink.DryRun(ctx, w)
}

// judge returns what an answer means for the events of a namespace.
func (c *check) judge(a *sink.Answer, what, namespace string) error {
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
