package ctrlevents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
)

// further is a cluster beside the manager's.
type further struct {
	*recorders
	cluster cluster.Cluster // with the pipeline's recorders
	// leave writes what is pending, and releases the broadcasters. Further calls return the result
	// of the first.
	leave func() error
	stop  func() bool // no longer waits for the context's end
}

// Cluster returns a further cluster, such as one of cluster.New or of a multicluster provider, with
// recorders of this pipeline: its events are written to its own API server, by broadcasters of its
// own, and Stats, metrics and the page include them. Use the result in place of c, also with For of
// generated packages. A second call with the cluster, or with the result, returns the same.
//
// The cluster has left when ctx ends, or when Start of the result returns. Then its pending events
// are written, for up to Options.ShutdownTimeout, and its memory is released; later events count as
// rejected. Clusters that have not left end with the manager. ctx must live as long as the cluster:
// a provider's, not that of a request to reconcile.
//
// Options.Broadcaster holds for the cluster too, except Sink, which is kube.Auto on the cluster's
// rest.Config, Scheme, which is the cluster's, and MaxBytes: the broadcasters of clusters share the
// memory of the process, however many they are.
func (m *Manager) Cluster(ctx context.Context, c cluster.Cluster) (cluster.Cluster, error) {
	switch {
	case c == nil:
		return nil, errors.New("ctrlevents: expected a cluster, found nil")
	case c == cluster.Cluster(m), c == m.events.own:
		return m, nil
	}
	return m.events.further(ctx, c)
}

func (p *pipeline) further(ctx context.Context, c cluster.Cluster) (cluster.Cluster, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f := p.clusters[c]; f != nil {
		return f.cluster, nil
	}
	if p.ended {
		return nil, errors.New("ctrlevents: the manager has ended, so no cluster can record events")
	}
	target := p.opts.Kube.Auto(c.GetConfig())
	b := p.base
	b.Sink, b.Scheme, b.Filter = target, c.GetScheme(), p.filter
	b.Correlator.MaxBytes = 0
	r, err := p.newRecorders(b, target.CoreV1())
	if err != nil {
		return nil, fmt.Errorf("ctrlevents: the cluster %s: %w", c.GetConfig().Host, err)
	}
	f := &further{recorders: r}
	f.cluster = recordingCluster(c, c.GetEventRecorder, f)
	f.leave = sync.OnceValue(func() error { return p.leave(c, f) })
	f.stop = context.AfterFunc(ctx, func() {
		if err := f.leave(); err != nil {
			p.logger.Error(err, "Events of a cluster that has left are lost", "server", c.GetConfig().Host)
		}
	})
	p.clusters[c], p.clusters[f.cluster] = f, f
	return f.cluster, nil
}

// leave ends a cluster, unless the end of the manager does.
func (p *pipeline) leave(c cluster.Cluster, f *further) error {
	p.mu.Lock()
	if p.ended {
		p.mu.Unlock()
		return nil
	}
	p.leaving.Add(1)
	p.mu.Unlock()
	defer p.leaving.Done()
	f.stop()
	ctx, cancel := context.WithTimeout(p.ctx, cmp.Or(p.opts.ShutdownTimeout, defaultShutdownTimeout))
	defer cancel()
	err := shutdown(ctx, f.broadcasters())

	p.mu.Lock()
	delete(p.clusters, c)
	delete(p.clusters, f.cluster)
	for _, s := range f.broadcasters() {
		last := s.snapshot()
		withoutRejected(&last)
		addPast(&p.past, &last)
		s.running.Store(nil) // recorders that are still held don't hold its memory
	}
	p.mu.Unlock()
	for _, s := range f.broadcasters() {
		s.unwatched()
	}
	return err
}

// clusterRecording is a cluster whose recorders are the pipeline's. E is as in recording.
type clusterRecording[E any] struct {
	cluster.Cluster
	events *further
}

// recordingCluster returns inner with the pipeline's recorders. E is inferred from the method of
// inner.
func recordingCluster[E any](inner cluster.Cluster, _ func(name string) E, f *further) cluster.Cluster {
	return any(&clusterRecording[E]{inner, f}).(cluster.Cluster)
}

// GetEventRecorder is that of the manager, for events of this cluster.
func (c *clusterRecording[E]) GetEventRecorder(name string) E {
	return c.events.eventRecorder(name).(E)
}

// GetEventRecorderFor is that of the manager, for events of this cluster.
func (c *clusterRecording[E]) GetEventRecorderFor(name string) record.EventRecorder {
	return c.events.GetEventRecorderFor(name)
}

// Start runs the cluster until ctx ends, and then writes its pending events.
func (c *clusterRecording[E]) Start(ctx context.Context) error {
	err := c.Cluster.Start(ctx)
	if left := c.events.leave(); left != nil {
		return errors.Join(err, left)
	}
	return err
}
