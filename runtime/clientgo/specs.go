package clientgo

import (
	"strings"
	"sync"

	"github.com/event-gen/event-gen/runtime"
)

// maxSpecs bounds how many specs a broadcaster keeps. What is beyond gets a spec of its own for each event, which costs an
// allocation: the correlator compares forwarded specs by content.
const maxSpecs = 1024

// specKey is all that a spec of ours says.
type specKey struct{ eventType, reason, action, controller string }

// specs makes a spec for each {type, reason, action, source}. It is safe for concurrent use.
type specs struct {
	// merged says that the message is no part of an event's identity, as in tools/events.
	merged bool

	mu   sync.RWMutex
	made map[specKey]*runtime.Spec
}

var (
	messageParam   = []runtime.Param{{Name: "message"}}
	messageSegment = []runtime.Segment{{Value: runtime.ParamValue}}
)

func (s *specs) get(k specKey) *runtime.Spec {
	s.mu.RLock()
	spec := s.made[k]
	s.mu.RUnlock()
	if spec != nil {
		return spec
	}
	return s.keep(s.make(k))
}

// make copies the texts, which may be pieces of something large.
func (s *specs) make(k specKey) *runtime.Spec {
	reason := strings.Clone(k.reason)
	spec := &runtime.Spec{
		Name:       reason,
		Reason:     reason,
		Action:     strings.Clone(k.action),
		Type:       strings.Clone(k.eventType),
		Controller: strings.Clone(k.controller),
		Params:     messageParam,
		Message:    messageSegment,
		Forwarded:  true,
		Verbatim:   true,
	}
	if s.merged {
		spec.Correlation.Merged = 1
	}
	return spec
}

// keep returns the spec that is kept for the same content.
func (s *specs) keep(spec *runtime.Spec) *runtime.Spec {
	k := specKey{eventType: spec.Type, reason: spec.Reason, action: spec.Action, controller: spec.Controller}
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept := s.made[k]; kept != nil {
		return kept
	}
	if s.made == nil {
		s.made = map[specKey]*runtime.Spec{}
	}
	if len(s.made) < maxSpecs {
		s.made[k] = spec
	}
	return spec
}
