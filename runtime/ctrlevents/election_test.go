package ctrlevents

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/event-gen/event-gen/runtime/broadcaster"
)

// lock is a lease in memory that can be taken away.
type lock struct {
	mu     sync.Mutex
	record *resourcelock.LeaderElectionRecord
	broken bool
}

var errBroken = errors.New("the lock is out of reach")

func (l *lock) Get(context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.broken:
		return nil, nil, errBroken
	case l.record == nil:
		return nil, nil, apierrors.NewNotFound(schema.GroupResource{Resource: "leases"}, "lock")
	}
	return l.record, []byte(l.record.RenewTime.String()), nil
}

func (l *lock) Create(_ context.Context, r resourcelock.LeaderElectionRecord) error { return l.set(r) }
func (l *lock) Update(_ context.Context, r resourcelock.LeaderElectionRecord) error { return l.set(r) }
func (l *lock) RecordEvent(string)                                                  {}
func (l *lock) Identity() string                                                    { return "me" }
func (l *lock) Describe() string                                                    { return "lock" }

func (l *lock) set(r resourcelock.LeaderElectionRecord) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken {
		return errBroken
	}
	l.record = &r
	return nil
}

func (l *lock) breakIt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.broken = true
}

// TestLostLease: a program that has lost its lease must exit, so that Start does not wait an hour
// for a sink that hangs.
func TestLostLease(t *testing.T) {
	var l lock
	options := quiet()
	options.LeaderElection, options.LeaderElectionResourceLockInterface = true, &l
	lease, renew, retry := 400*time.Millisecond, 300*time.Millisecond, 50*time.Millisecond
	options.LeaseDuration, options.RenewDeadline, options.RetryPeriod = &lease, &renew, &retry
	m, _, _ := newManager(t, options, Options{ShutdownTimeout: time.Hour, Broadcaster: broadcaster.Options{Sink: &written{block: make(chan struct{})}}})
	add(t, m, func(context.Context) {
		m.Events().Forward(pod("web"), corev1.EventTypeNormal, "Stays", "", "unwritten")
		l.breakIt()
	})
	err := m.Start(t.Context())
	var left *broadcaster.ShutdownError
	if !hasLostLease(err) || !errors.As(err, &left) {
		t.Errorf("Start returned %v", err)
	}
}

// TestElectionOnAnotherServer: with a config of its own, the events of leader election go to the
// server that has the lock.
func TestElectionOnAnotherServer(t *testing.T) {
	options := quiet()
	options.LeaderElection, options.LeaderElectionID, options.LeaderElectionNamespace = true, "lock", "shop"
	m, _, _ := newManager(t, options, Options{})
	if m.events.election != m.events.core {
		t.Error("one server, two clients")
	}
	options.LeaderElectionConfig = &rest.Config{Host: "http://127.0.0.1:2"}
	m, _, _ = newManager(t, options, Options{})
	if m.events.election == m.events.core || len(m.events.broadcasters()) != 3 {
		t.Error("events of the lock's server go to the manager's")
	}
	options.LeaderElectionConfig = &rest.Config{Host: "http://127.0.0.1:2", Username: "u", BearerToken: "t"}
	_, err := NewManager(nowhere, options, Options{})
	if err == nil || !strings.Contains(err.Error(), "not usable") {
		t.Errorf("a config that contradicts itself: %v", err)
	}
}
