package clientgo

import (
	"reflect"
	"strings"
	"sync"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// internals are the parts of package eventrt that users do not see.
var internals = eventrt.Inside(inside.Key{})

// maxDefinitions bounds how many definitions a broadcaster keeps. What is beyond gets a definition
// of its own for each event, which costs an allocation: the correlator compares forwarded
// definitions by content.
const maxDefinitions = 1024

// definitionKey is all that a definition of ours says.
type definitionKey struct{ eventType, reason, action, controller string }

// definitions makes a definition for each {type, reason, action, source}. It is safe for concurrent
// use.
type definitions struct {
	// merged says that the message is no part of an event's identity, as in tools/events.
	merged bool

	mu    sync.RWMutex
	made  map[definitionKey]*eventrt.Definition
	bytes int64
}

var (
	messageParam   = []eventrt.Param{{Name: "message"}}
	messageSegment = []eventrt.Segment{{Value: eventrt.ParamValue}}
)

func (s *definitions) get(k definitionKey) *eventrt.Definition {
	s.mu.RLock()
	def := s.made[k]
	s.mu.RUnlock()
	if def != nil {
		return def
	}
	return s.keep(s.make(k))
}

// make copies the texts, which may be pieces of something large.
func (s *definitions) make(k definitionKey) *eventrt.Definition {
	def := internals.MakeVerbatim(&eventrt.Definition{
		Subject:   eventrt.Subject{ReportingController: strings.Clone(k.controller)},
		Reason:    strings.Clone(k.reason),
		Action:    strings.Clone(k.action),
		Type:      strings.Clone(k.eventType),
		Params:    messageParam,
		Message:   messageSegment,
		Forwarded: true,
	})
	if s.merged {
		def.Correlation.Merged = 1
	}
	return def
}

// keep returns the definition that is kept for the same content.
func (s *definitions) keep(def *eventrt.Definition) *eventrt.Definition {
	k := definitionKey{eventType: def.Type, reason: def.Reason, action: def.Action, controller: def.ReportingController}
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept := s.made[k]; kept != nil {
		return kept
	}
	if s.made == nil {
		s.made = map[definitionKey]*eventrt.Definition{}
	}
	if len(s.made) < maxDefinitions {
		internals.MakeShared(def)
		s.made[k] = def
		s.bytes += definitionBytes + int64(len(def.Reason)+len(def.Action)+len(def.Type)+len(def.ReportingController))
	}
	return def
}

// definitionBytes is about what a definition that is kept takes up apart from its texts: itself,
// and its place in the map.
var definitionBytes = int64(reflect.TypeFor[eventrt.Definition]().Size()) + 15*wordBytes

// held is about how many bytes the definitions take up. No correlator counts them
// (internals.MakeShared).
func (s *definitions) held() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.bytes
}
