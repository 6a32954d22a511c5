// Package store keeps events in memory the way kube-apiserver does: it refuses what the server
// refuses, in the server's words, and answers with the server's errors (apimachinery
// pkg/api/errors).
package store

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
)

// Options of a Store.
type Options struct {
	// TTL is how long an event is kept after its last change; 0: for ever.
	TTL time.Duration
	// Now tells the time.
	Now func() time.Time
}

// Store holds events and the states of namespaces. It is safe for concurrent use.
type Store struct {
	opts Options

	mu         sync.Mutex
	events     map[key]*entry
	namespaces map[string]corev1.NamespacePhase
	version    uint64 // of the last change
	created    uint64 // how many events were created ever
	sweepAt    int    // the number of events at which expired ones are looked for
}

type key struct{ namespace, name string }

// entry is a stored event. The event is never changed, only replaced, so that it can be copied
// outside the lock.
type entry struct {
	event   *corev1.Event
	order   uint64
	expires time.Time
}

// New returns an empty store.
func New(opts Options) *Store {
	return &Store{opts: opts, events: map[key]*entry{}, namespaces: map[string]corev1.NamespacePhase{}, sweepAt: minSweep}
}

const minSweep = 1024

// Clone returns a store of the same events and namespaces, which changes apart.
func (s *Store) Clone() *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &Store{
		opts: s.opts, events: maps.Clone(s.events), namespaces: maps.Clone(s.namespaces),
		version: s.version, created: s.created, sweepAt: s.sweepAt,
	}
}

// List returns the stored events in the order in which they were created. They must not be changed.
func (s *Store) List() []*corev1.Event {
	s.mu.Lock()
	s.sweep()
	entries := slices.SortedFunc(maps.Values(s.events), func(a, b *entry) int { return cmp.Compare(a.order, b.order) })
	s.mu.Unlock()
	events := make([]*corev1.Event, len(entries))
	for i, e := range entries {
		events[i] = e.event
	}
	return events
}

// find returns an event that has not expired; nil if there is none. The lock is held.
func (s *Store) find(k key) *entry {
	e := s.events[k]
	if e != nil && s.expired(e) {
		delete(s.events, k)
		return nil
	}
	return e
}

func (s *Store) expired(e *entry) bool { return s.opts.TTL > 0 && !s.opts.Now().Before(e.expires) }

func (s *Store) sweep() {
	if s.opts.TTL > 0 {
		maps.DeleteFunc(s.events, func(_ key, e *entry) bool { return s.expired(e) })
	}
	s.sweepAt = max(minSweep, 2*len(s.events))
}

// put stores an event as of now under a new resource version. The lock is held.
func (s *Store) put(k key, event *corev1.Event, order uint64) {
	if len(s.events) >= s.sweepAt {
		s.sweep()
	}
	s.version++
	event.ResourceVersion = apiserver.FormatVersion(s.version)
	s.events[k] = &entry{event: event, order: order, expires: s.opts.Now().Add(s.opts.TTL)}
}
