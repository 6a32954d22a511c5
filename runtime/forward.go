package eventrt

import (
	"cmp"
	"strings"
	"sync"
)

// maxForwardedDefinitions bounds how many distinct {type, reason, action} are kept for reuse.
// Beyond it a definition is made anew for each event; the correlator compares forwarded definitions
// by content, so this costs only an allocation.
const maxForwardedDefinitions = 1024

type forwardedKey struct{ eventType, reason, action string }

var forwarded = struct {
	sync.RWMutex
	defs map[forwardedKey]*Definition
}{defs: map[forwardedKey]*Definition{}}

var (
	forwardedParams  = []Param{{Name: "message"}}
	forwardedMessage = []Segment{{Value: ParamValue}}
)

// forwardedDefinition returns the definition of a forwarded event. Its key is the cleaned text, so
// that texts which are equal after cleaning share one definition, and no large text is held.
func forwardedDefinition(eventType, reason, action string) *Definition {
	key := forwardedKey{eventType: eventType, reason: Clean(reason, MaxReasonBytes), action: Clean(action, MaxReasonBytes)}
	key.action = cmp.Or(key.action, key.reason)
	if !isEventType(eventType) {
		key.eventType = Clean(eventType, MaxReasonBytes)
		return newForwardedDefinition(key) // its events are rejected
	}
	forwarded.RLock()
	def := forwarded.defs[key]
	forwarded.RUnlock()
	if def != nil {
		return def
	}
	return keepForwarded(newForwardedDefinition(key))
}

func newForwardedDefinition(key forwardedKey) *Definition {
	return &Definition{
		Reason:    strings.Clone(key.reason), // it may be a piece of something large
		Action:    strings.Clone(key.action),
		Type:      strings.Clone(key.eventType),
		Params:    forwardedParams,
		Message:   forwardedMessage,
		Forwarded: true,
	}
}

// keepForwarded keeps a definition for reuse, if there is room, and returns the kept definition.
func keepForwarded(def *Definition) *Definition {
	key := forwardedKey{eventType: def.Type, reason: def.Reason, action: def.Action}
	forwarded.Lock()
	defer forwarded.Unlock()
	if kept := forwarded.defs[key]; kept != nil {
		return kept
	}
	if len(forwarded.defs) < maxForwardedDefinitions {
		def.shared = true
		forwarded.defs[key] = def
	}
	return def
}
