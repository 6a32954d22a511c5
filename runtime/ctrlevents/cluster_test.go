package ctrlevents

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/cluster"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
)

// other is the API server of a further cluster, without a network: it stores every event.
type other struct {
	mu     sync.Mutex
	bodies []string // "path: body"
	hold   chan struct{}
}

func (o *other) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if o.hold != nil {
		select {
		case <-o.hold:
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.bodies = append(o.bodies, r.URL.Path+": "+string(body))
	stored := &unstructured.Unstructured{}
	if err := stored.UnmarshalJSON(body); err != nil {
		return nil, err
	}
	stored.SetResourceVersion("1")
	reply, err := stored.MarshalJSON()
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusCreated, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(reply)), Request: r}, nil
}

// stored counts the events with a reason that were stored below a path.
func (o *other) stored(path, reason string) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, b := range o.bodies {
		if strings.HasPrefix(b, path) && strings.Contains(b, reason) {
			n++
		}
	}
	return n
}

// newCluster makes a cluster that talks to a server.
func newCluster(t *testing.T, o *other) cluster.Cluster {
	t.Helper()
	c, err := cluster.New(&rest.Config{Host: "http://other", Transport: o, ContentConfig: rest.ContentConfig{ContentType: "application/json"}}, func(o *cluster.Options) { o.Logger = logr.Discard() })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// joined is a further cluster of a manager.
func joined(t *testing.T, m *Manager, ctx context.Context, c cluster.Cluster) cluster.Cluster {
	t.Helper()
	with, err := m.Cluster(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return with
}

// TestFurtherClusters: events go to the server of their cluster, in the group of their recorder,
// and one account holds them.
func TestFurtherClusters(t *testing.T) {
	m, auto, core := newManager(t, quiet(), Options{})
	east, west := &other{}, &other{}
	add(t, m, func(context.Context) {
		for n, o := range []*other{east, west} {
			c := joined(t, m, t.Context(), newCluster(t, o))
			reason := fmt.Sprint("Cluster", n)
			c.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, reason, "Do", "x")
			c.GetEventRecorderFor("old").Event(pod("web"), corev1.EventTypeNormal, reason, "y")
			cronjobevents.For(c).JobAlreadyActive(nightly)
		}
		m.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Own", "Do", "z")
	})
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	const events, v1 = "/apis/events.k8s.io/v1/", "/api/v1/"
	for n, o := range []*other{east, west} {
		reason := fmt.Sprint("Cluster", n)
		if o.stored(events, reason) != 1 || o.stored(v1, reason) != 1 || o.stored(events, "JobAlreadyActive") != 1 || len(o.bodies) != 3 {
			t.Errorf("cluster %d has %q", n, o.bodies)
		}
	}
	if len(auto.all()) != 1 || len(core.all()) != 0 {
		t.Errorf("the manager's own: %d and %d", len(auto.all()), len(core.all()))
	}
	if s := m.Stats(); s.Recorded != 7 || s.Written != 7 {
		t.Errorf("account %+v", s)
	}
}

// TestTheSameClusterTwice gives the same result, whose recorders share a broadcaster; the manager
// is a cluster of its own.
func TestTheSameClusterTwice(t *testing.T) {
	m, _, _ := newManager(t, quiet(), Options{})
	inner := newCluster(t, &other{})
	c := joined(t, m, t.Context(), inner)
	if joined(t, m, t.Context(), inner) != c || joined(t, m, t.Context(), c) != c {
		t.Error("a second call gives another cluster")
	}
	publisher := func(c cluster.Cluster) eventrt.Publisher {
		p, _ := any(c.GetEventRecorder("example.com/raw")).(interface {
			EventPublisher() (eventrt.Publisher, string)
		}).EventPublisher()
		return p
	}
	if publisher(c) != publisher(joined(t, m, t.Context(), inner)) || publisher(c) == publisher(m) {
		t.Error("the recorders are not those of one broadcaster of the cluster")
	}
	for _, own := range []cluster.Cluster{m, m.events.own} {
		if joined(t, m, t.Context(), own) != cluster.Cluster(m) {
			t.Error("the manager is not its own cluster")
		}
	}
	if _, err := m.Cluster(t.Context(), nil); err == nil {
		t.Error("nil is a cluster")
	}
	if _, err := m.Cluster(t.Context(), brokenCluster{inner}); err == nil || !strings.Contains(err.Error(), "://") {
		t.Errorf("a cluster without a usable config: %v", err)
	}
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Cluster(t.Context(), newCluster(t, &other{})); err == nil || !strings.Contains(err.Error(), "has ended") {
		t.Errorf("after the end of the manager: %v", err)
	}
}

type brokenCluster struct{ cluster.Cluster }

func (brokenCluster) GetConfig() *rest.Config { return &rest.Config{Host: "://"} }

// TestAClusterLeaves with its context, or when its Start returns: what is pending is written, the
// broadcasters are released, the account keeps their counts, and later events are rejected.
func TestAClusterLeaves(t *testing.T) {
	for _, how := range []string{"context", "start"} {
		t.Run(how, func(t *testing.T) {
			m, _, _ := newManager(t, quiet(), Options{})
			o := &other{hold: make(chan struct{})}
			life, leaves := context.WithCancel(t.Context())
			inner := newCluster(t, o)
			ctx := life
			if how == "start" {
				ctx = t.Context()
			}
			c := joined(t, m, ctx, inner)
			recorder := c.GetEventRecorder("example.com/raw")
			recorder.Eventf(pod("web"), nil, corev1.EventTypeNormal, "Last", "Do", "x")
			f := m.events.clusters[inner]
			left := make(chan error, 1)
			go func() {
				if how == "start" {
					left <- c.Start(life)
					return
				}
				<-life.Done()
				left <- f.leave()
			}()
			leaves()
			close(o.hold)
			if err := <-left; err != nil {
				t.Fatal(err)
			}
			if o.stored("/apis/", "Last") != 1 {
				t.Errorf("stored %q", o.bodies)
			}
			if len(m.events.clusters) != 0 || f.auto.running.Load() != nil {
				t.Error("the broadcasters are held")
			}
			recorder.Eventf(pod("web"), nil, corev1.EventTypeNormal, "Late", "Do", "x")
			if s := m.Stats(); s.Recorded != 2 || s.Written != 1 || s.Lost.Rejected != 1 || s.Identities != 0 {
				t.Errorf("account %+v", s)
			}
			again := joined(t, m, t.Context(), inner)
			again.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Back", "Do", "x")
			if err := run(t, m); err != nil {
				t.Fatal(err)
			}
			if o.stored("/apis/", "Back") != 1 || m.Stats().Written != 2 {
				t.Errorf("stored %q, account %+v", o.bodies, m.Stats())
			}
		})
	}
}

// TestAClusterThatDoesNotAnswer holds up neither its own end nor the manager's beyond
// ShutdownTimeout, and what is left is an error and counted.
func TestAClusterThatDoesNotAnswer(t *testing.T) {
	m, _, _ := newManager(t, quiet(), Options{ShutdownTimeout: 50 * time.Millisecond})
	o := &other{hold: make(chan struct{})}
	c := joined(t, m, t.Context(), newCluster(t, o))
	c.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Stays", "Do", "x")
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Start(over); err == nil || !strings.Contains(err.Error(), "1 occurrences not known to be written") {
		t.Errorf("the end of the cluster: %v", err)
	}
	c = joined(t, m, t.Context(), newCluster(t, o))
	c.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Stays", "Do", "x")
	if err := run(t, m); err == nil || !strings.Contains(err.Error(), "1 occurrences not known to be written") {
		t.Errorf("the end of the manager: %v", err)
	}
	s := m.Stats()
	if s.Recorded != 2 || s.Lost.Total() != 2 {
		t.Errorf("account %+v", s)
	}
	checkConservation(t, s)
}

// TestACallWhileAClusterLeavesIsCounted: it has found the broadcaster, and records after the
// account of the broadcaster was closed.
func TestACallWhileAClusterLeavesIsCounted(t *testing.T) {
	m, _, _ := newManager(t, quiet(), Options{})
	c := joined(t, m, t.Context(), newCluster(t, &other{}))
	c.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Stays", "Do", "x")
	f := m.events.clusters[c]
	b := f.auto.running.Load()
	if err := f.leave(); err != nil {
		t.Fatal(err)
	}
	b.Publish(eventrt.Event{})
	c.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Late", "Do", "x")
	s := m.Stats()
	if s.Recorded != 3 || s.Lost.Rejected != 2 {
		t.Errorf("account %+v", s)
	}
	checkConservation(t, s)
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
}

// TestMemoryAndFilterOfClusters: clusters share the memory of the process, and give it back when
// they leave; they have the filter of then.
func TestMemoryAndFilterOfClusters(t *testing.T) {
	m, _, _ := newManager(t, quiet(), Options{Broadcaster: broadcaster.Options{Correlator: correlator.Options{MaxBytes: 1 << 30}}})
	early := joined(t, m, t.Context(), newCluster(t, &other{}))
	if err := m.SetFilter(funcFilter(func(eventrt.Event) bool { return true })); err == nil {
		t.Error("a filter that can't be compared was set")
	}
	if err := m.SetFilter(dropAll{}); err != nil {
		t.Error(err)
	}
	late := joined(t, m, t.Context(), newCluster(t, &other{}))
	for _, c := range []cluster.Cluster{early, late, m} {
		c.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Dropped", "Do", "x")
	}
	if s := m.Stats(); s.Lost.Disabled != 3 {
		t.Errorf("account %+v", s)
	}
	bound := func(c cluster.Cluster) int64 { return m.events.clusters[c].auto.running.Load().Snapshot().MaxBytes }
	if early, late := bound(early), bound(late); early != late || early >= 1<<30 {
		t.Errorf("the bounds are %d and %d", early, late)
	}
	before := bound(early)
	if err := m.events.clusters[late].leave(); err != nil {
		t.Fatal(err)
	}
	if after := bound(early); after <= before {
		t.Errorf("the bound is %d after the other has left, %d before", after, before)
	}
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	checkConservation(t, m.Stats())
}

// TestRedactAndLabelsHoldForAllEvents: for typed events, both kinds of recorders, and clusters.
func TestRedactAndLabelsHoldForAllEvents(t *testing.T) {
	m, auto, core := newManager(t, quiet(), Options{Broadcaster: broadcaster.Options{
		Redact: func(text string) string { return strings.ReplaceAll(text, "secret", "***") }, Labels: map[string]string{"cluster": "eu-1"},
	}})
	o := &other{}
	for _, c := range []cluster.Cluster{m, joined(t, m, t.Context(), newCluster(t, o))} {
		c.GetEventRecorder("example.com/raw").Eventf(pod("web"), nil, corev1.EventTypeNormal, "Raw", "Do", "a secret")
		c.GetEventRecorderFor("old").Event(pod("web"), corev1.EventTypeNormal, "Old", "a secret")
	}
	m.Events().WithAnnotations(map[string]string{"example.com/a": "secret"}).Forward(pod("web"), corev1.EventTypeNormal, "Typed", "", "a secret")
	if err := run(t, m); err != nil {
		t.Fatal(err)
	}
	stored := append(auto.all(), core.all()...)
	for _, w := range stored {
		if string(w.Note) != "a ***" || len(w.Annotations) > 0 && w.Annotations[0].Value != "***" || fmt.Sprint(w.Labels) != "[{cluster eu-1}]" {
			t.Errorf("stored %s %+v %+v", w.Note, w.Annotations, w.Labels)
		}
	}
	if len(stored) != 3 || len(o.bodies) != 2 || o.stored("/", "secret") != 0 || o.stored("/", "a ***") != 2 || o.stored("/", "eu-1") != 2 {
		t.Errorf("the cluster has %q", o.bodies)
	}
}

type dropAll struct{}

func (dropAll) Keep(eventrt.Event) bool { return false }

type funcFilter func(eventrt.Event) bool

func (f funcFilter) Keep(e eventrt.Event) bool { return f(e) }

// TestNoEventBroadcaster: one of the program's own would see nothing, so it is refused.
func TestNoEventBroadcaster(t *testing.T) {
	options := quiet()
	options.EventBroadcaster = record.NewBroadcaster() //nolint:staticcheck // it is deprecated
	defer options.EventBroadcaster.Shutdown()          //nolint:staticcheck // it is deprecated
	_, err := NewManager(nowhere, options)
	for _, want := range []string{"EventBroadcaster", "Manager.Broadcaster()", "ctrlevents.Options.Broadcaster"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v lacks %s", err, want)
		}
	}
	inner, err := manager.New(nowhere, options)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Wrap(inner); err != nil { // which can't see it
		t.Error(err)
	}
}
