package clientgo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// Option of a broadcaster. Those that client-go has are named as there (tools/record/event.go).
type Option func(*config)

type config struct {
	ctx        context.Context
	correlator record.CorrelatorOptions
	sleep      time.Duration
	sleepSet   bool
	concurrent bool
	full       watch.FullChannelBehavior
	merged     bool
	redact     func(string) string
	labels     map[string]string
	log        klog.Logger // takes the broadcaster's lines
}

// WithContext shuts the broadcaster down at the end of ctx, as Shutdown does, in the background.
// The context's logger takes the broadcaster's log lines, and structured logging.
func WithContext(ctx context.Context) Option {
	return func(c *config) { c.ctx = ctx }
}

// WithRedact has a function clean reasons, actions, messages and annotations before they are cut,
// merged, shown to watchers or stored; see broadcaster.Options.Redact.
func WithRedact(redact func(text string) string) Option {
	return func(c *config) { c.redact = redact }
}

// WithLabels sets labels on all stored events; see broadcaster.Options.Labels. Labels that the API
// server would refuse make the constructor panic. Watchers see events without them.
func WithLabels(labels map[string]string) Option {
	labels = maps.Clone(labels)
	return func(c *config) { c.labels = labels }
}

// WithCorrelatorOptions sets how occurrences are merged. Zero fields mean client-go's defaults;
// negative ones make the constructor panic.
//
//   - LRUCacheSize: the number of remembered events, and of groups and budgets. Zero: 262,144 and
//     16,384.
//   - MaxEvents: the number of distinct messages of a group from which they are aggregated into one
//     event. Zero: 10; with WithMergedNotes no such number.
//   - MaxIntervalInSeconds: the quiet time after which a group is forgotten. Zero: 600.
//   - KeyFunc: which events are a group, and what makes one of them distinct. Events are aggregated
//     only together with events of their own {source, object, type, reason}, so that no stored
//     event stands for another object.
//   - MessageFunc: the message of an aggregate, made from its last event when it is written.
//   - BurstSize and QPS: the number of new events of one budget that are stored at once, and the
//     number earned a second. Further events are aggregated. Zero: 25, and one in 300 s.
//   - SpamKeyFunc: which events share a budget. Nil: events of one {source, object, type, reason}.
//   - Clock: the clock of groups and budgets. Nil: the system's.
//
// The functions see events as the core group has them. Several goroutines call them at once: those
// that record, which wait for key functions, and those that write. They must not record or change
// the event. If one panics, the event is not aggregated.
func WithCorrelatorOptions(options record.CorrelatorOptions) Option {
	return func(c *config) { c.correlator = options }
}

// WithSleepDuration sets the delay before a write is tried again, which doubles up to 10 s; a
// longer delay stays as it is. Zero is for tests: a millisecond, which does not grow. Without the
// option the delay is a second.
func WithSleepDuration(delay time.Duration) Option {
	return func(c *config) { c.sleep, c.sleepSet = delay, true }
}

// WithConcurrentSink has 16 writes to any sink in flight at once, as to client-go's own and to
// those of events.k8s.io; those about one object go one at a time in any case. Without the option,
// any other record.EventSink has one call at a time, since client-go never calls it from two
// goroutines.
func WithConcurrentSink() Option {
	return func(c *config) { c.concurrent = true }
}

// WithMergedNotes makes events.k8s.io merge as client-go does: the note is not part of an event's
// identity, so events that differ only in the note count as one event with the first note. Events
// that differ in action, fieldPath or related object then are aggregated only beyond BurstSize, or
// from MaxEvents on if that is set. Without the option, each note is stored as an event of its own,
// and notes are aggregated as the messages of the core group do. The option changes nothing in the
// core group.
func WithMergedNotes() Option {
	return func(c *config) { c.merged = true }
}

// WithFullWatchers decides what happens to an event if 1000 others wait for a watcher already.
// Dropping, the default, counts the event (Watcher.Dropped). Waiting blocks the recorder until
// there is room, the watcher is stopped, or the broadcaster is shut down; a handler must then not
// record.
func WithFullWatchers(behavior watch.FullChannelBehavior) Option {
	return func(c *config) { c.full = behavior }
}

// newConfig panics on options that make no sense: there is no error to return, and no use in a
// broadcaster that does something other than it was told.
func newConfig(opts []Option) config {
	c := config{full: watch.DropIfChannelFull}
	for _, set := range opts {
		set(&c)
	}
	if c.ctx == nil {
		c.ctx = context.Background()
	}
	c.log = klog.FromContext(c.ctx)
	if err := c.validate(); err != nil {
		panic(fmt.Sprintf("clientgo: %v", err))
	}
	return c
}

func (c *config) validate() error {
	var errs []error
	check := func(ok bool, name, want string, value any) {
		if !ok {
			errs = append(errs, fmt.Errorf("%s: expected %s, found %v", name, want, value))
		}
	}
	const positive = "zero (the default) or more"
	o := &c.correlator
	check(o.LRUCacheSize >= 0, "CorrelatorOptions.LRUCacheSize", positive, o.LRUCacheSize)
	check(o.BurstSize >= 0, "CorrelatorOptions.BurstSize", positive, o.BurstSize)
	check(o.QPS >= 0, "CorrelatorOptions.QPS", positive, o.QPS)
	check(o.MaxEvents >= 0, "CorrelatorOptions.MaxEvents", positive, o.MaxEvents)
	check(o.MaxIntervalInSeconds >= 0, "CorrelatorOptions.MaxIntervalInSeconds", positive, o.MaxIntervalInSeconds)
	check(c.sleep >= 0, "WithSleepDuration", "zero or more", c.sleep)
	check(c.full == watch.DropIfChannelFull || c.full == watch.WaitIfChannelFull, "WithFullWatchers",
		"watch.DropIfChannelFull or watch.WaitIfChannelFull", c.full)
	if err := (broadcaster.Options{Sink: &coreSink{}, Host: "any", Labels: c.labels}).Validate(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
