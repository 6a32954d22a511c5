package clientgo

import (
	"maps"
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// shared is a recording to one server, and how often it was started.
type shared struct {
	*recording
	target *target
	starts int
}

// start is one start of a shared recording.
type start struct {
	*shared
	owner *coreBroadcaster
	sink  *coreSink
	once  sync.Once
}

var _ watch.Interface = (*start)(nil)

// Stop ends the recording if no other start of it is left.
func (s *start) Stop() { s.once.Do(func() { s.owner.stopped(s) }) }

func (b *coreBroadcaster) stopped(s *start) {
	b.mu.Lock()
	s.starts--
	last := s.starts == 0
	if last {
		maps.DeleteFunc(b.servers, func(_ any, other *shared) bool { return other == s.shared })
	}
	b.mu.Unlock()
	if last {
		s.recording.Stop()
		return
	}
	s.target.remove(s.sink)
}
