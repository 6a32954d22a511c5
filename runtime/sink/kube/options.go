package kube

import (
	"errors"
	"time"

	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// The bounds on the requests of one sink only keep a burst of new events from being a burst of
// requests. Which events are worth a write was decided before.
const (
	defaultTimeout = 10 * time.Second
	defaultQPS     = 300
	defaultBurst   = 600
)

// Options configures a sink. The functions of the same names use the zero value.
type Options struct {
	// Timeout bounds one write, the wait for the request budget included. 0: 10 s; less:
	// only the context does.
	Timeout time.Duration
	// QPS is the number of requests a second that the sink sends in the long run. 0: 300;
	// less: no limit.
	QPS float32
	// Burst is how many requests may be sent at once. 0: 600, or twice QPS if that is set.
	Burst int
	// OnFallback, unless nil, is called once, in a goroutine of its own, when Auto first turned to
	// the core group, with the answer that made it do so; the error names the rule that is missing.
	// A panic in it is ignored.
	OnFallback func(error)
	// now, for tests, tells how long Auto waits until a missing right is confirmed, and when Auto
	// looks for it again.
	now func() time.Duration
}

// Auto returns a sink that writes events.k8s.io/v1, and the core group if RBAC forbids that. If
// events.k8s.io forbids an event, the event goes through the core group at once. If events.k8s.io
// accepted events of its namespace before, the event waits instead, because a starting server
// forbids everything for a moment. Once events.k8s.io has answered the namespace nothing but
// Forbidden for 30 s, Auto tries the core group first, and events.k8s.io again every 5 minutes.
// An event keeps the form of the group that it was created through. If that group is no longer
// served, the other takes its updates.
func Auto(cfg *rest.Config) *Sink { return Options{}.Auto(cfg) }

// EventsV1 returns a sink that writes events.k8s.io/v1 only.
func EventsV1(cfg *rest.Config) *Sink { return Options{}.EventsV1(cfg) }

// CoreV1 returns a sink that writes the core group only.
func CoreV1(cfg *rest.Config) *Sink { return Options{}.CoreV1(cfg) }

// Auto is the function Auto with options.
func (o Options) Auto(cfg *rest.Config) *Sink { return o.connect(cfg, form.EventsV1, form.CoreV1) }

// EventsV1 is the function EventsV1 with options.
func (o Options) EventsV1(cfg *rest.Config) *Sink { return o.connect(cfg, form.EventsV1) }

// CoreV1 is the function CoreV1 with options.
func (o Options) CoreV1(cfg *rest.Config) *Sink { return o.connect(cfg, form.CoreV1) }

// Clients is Auto on existing REST clients of the two groups: clientset.EventsV1().RESTClient() and
// clientset.CoreV1().RESTClient(). If one is nil, the sink writes the other group only. The limits
// of these clients hold, and those of the options too.
func (o Options) Clients(events, core rest.Interface) *Sink {
	var groups []*group
	for _, g := range []*group{{form: form.EventsV1, client: events}, {form: form.CoreV1, client: core}} {
		if g.client != nil {
			groups = append(groups, g)
		}
	}
	if len(groups) == 0 {
		return o.sink(errors.New("expected a REST client of at least one group"))
	}
	return o.sink(nil, groups...)
}

// CoreV1 returns a sink that writes the core group only, through the client of s and within its
// limits. s must have been made by Auto or CoreV1; else every write of the result is refused.
func (s *Sink) CoreV1() *Sink {
	c := &Sink{limiter: s.limiter, timeout: s.timeout, err: s.err}
	for _, g := range s.groups {
		if g.form == form.CoreV1 {
			c.groups = []*group{g}
		}
	}
	if c.groups == nil && c.err == nil {
		c.err = errors.New("the sink for Kubernetes events is not usable: it was to write the core group through a sink of events.k8s.io only")
	}
	return c
}

func (o Options) burst() int {
	switch {
	case o.Burst > 0:
		return o.Burst
	case o.QPS > 0:
		return max(1, int(2*o.QPS))
	}
	return defaultBurst
}

var _ sink.DryRunner = (*Sink)(nil)
