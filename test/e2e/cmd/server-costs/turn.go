package main

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// cost is what a turn has cost the servers, beyond what they use when nobody calls.
type cost struct {
	recorded, stored, events int
	wall                     time.Duration
	apiServer, etcd          time.Duration
	walBytes                 float64
	requests                 map[string]float64
}

// sent is the number of requests that write.
func (c *cost) sent() float64 { return c.requests["POST"] + c.requests["PATCH"] + c.requests["PUT"] }

// idle is what the servers use in a second in which nobody calls.
type idle struct {
	apiServer, etcd float64 // seconds of processor time
	walBytes        float64
}

// rest measures what the servers use while nobody calls.
func (m *meter) rest(ctx context.Context, d time.Duration) (idle, error) {
	before, err := m.begin(ctx)
	if err != nil {
		return idle{}, err
	}
	time.Sleep(d)
	after, err := m.finish(ctx)
	if err != nil {
		return idle{}, err
	}
	s := d.Seconds()
	return idle{(after.apiServer - before.apiServer).Seconds() / s, (after.etcd - before.etcd).Seconds() / s, (after.walBytes - before.walBytes) / s}, nil
}

func (m *meter) begin(ctx context.Context) (u usage, err error) {
	if err = m.metrics(ctx, &u); err != nil {
		return u, err
	}
	time.Sleep(time.Second) // what answering for the metrics leaves behind
	return u, m.processors(&u)
}

func (m *meter) finish(ctx context.Context) (u usage, err error) {
	if err = m.processors(&u); err != nil {
		return u, err
	}
	return u, m.metrics(ctx, &u)
}

// quietTime is how long a recorder must send nothing to be taken for one that has nothing left to send.
const quietTime = 2 * time.Second

// turn has a contender record a workload in a namespace of its own, until it has no more to write and is ended.
func (m *meter) turn(ctx context.Context, w *workload, who *contender, i idle, scale int) (c cost, err error) {
	namespace, err := m.namespace(ctx)
	if err != nil {
		return c, err
	}
	var t traffic
	r, err := who.make(t.config(m.c.RESTConfig()))
	if err != nil {
		return c, err
	}
	before, err := m.begin(ctx)
	if err != nil {
		return c, err
	}
	start := time.Now()
	c.recorded = play(w, who, &r, &t, pods(namespace), scale)
	t.quiet(quietTime)
	if err := r.end(); err != nil {
		return c, fmt.Errorf("%s does not end: %w", who.name, err)
	}
	c.wall = time.Since(start)
	after, err := m.finish(ctx)
	if err != nil {
		return c, err
	}
	c.take(&before, &after, i)
	c.events, c.stored, err = m.stored(ctx, namespace)
	return c, err
}

// room is how many events may wait for a recorder that writes all: its queue holds a thousand.
const room = 200

// play records a workload, at its rate or as fast as it is written.
func play(w *workload, who *contender, r *recorder, t *traffic, about []*corev1.Pod, scale int) int {
	n := max(w.occurrences/scale, stormPods)
	const slice = 5 * time.Millisecond
	ticker := time.NewTicker(slice)
	defer ticker.Stop()
	start := time.Now()
	for i := range n {
		for who.all && int64(i)-t.answered.Load() > room || !who.all && time.Since(start) < time.Duration(i)*time.Second/time.Duration(w.rate) {
			<-ticker.C
		}
		pod, text := w.at(i)
		r.record(about[pod], message(text), text)
	}
	return n
}

func (c *cost) take(before, after *usage, i idle) {
	s := c.wall.Seconds()
	c.apiServer = max(0, after.apiServer-before.apiServer-time.Duration(i.apiServer*s*float64(time.Second)))
	c.etcd = max(0, after.etcd-before.etcd-time.Duration(i.etcd*s*float64(time.Second)))
	c.walBytes = max(0, after.walBytes-before.walBytes-i.walBytes*s)
	c.requests = map[string]float64{}
	for _, verb := range verbs {
		c.requests[verb] = after.requests[verb] - before.requests[verb]
	}
}

func (m *meter) namespace(ctx context.Context) (string, error) {
	ns, err := m.clients.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "costs-"}}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return ns.Name, nil
}

// stored counts the events of a namespace, and the occurrences that they stand for.
func (m *meter) stored(ctx context.Context, namespace string) (events, occurrences int, err error) {
	o := metav1.ListOptions{Limit: 1000}
	for {
		list, err := m.clients.EventsV1().Events(namespace).List(ctx, o)
		if err != nil {
			return 0, 0, err
		}
		for i := range list.Items {
			occurrences += cluster.Occurrences(&list.Items[i])
		}
		events += len(list.Items)
		if o.Continue = list.Continue; o.Continue == "" {
			return events, occurrences, nil
		}
	}
}
