package runtime

import (
	"strings"
	"sync"
)

// maxForwardedSpecs bounds how many distinct {type, reason, action} are kept for reuse. Beyond it a spec is made anew for
// each event; the correlator compares forwarded specs by content, so that nothing but an allocation is lost.
const maxForwardedSpecs = 1024

type forwardedKey struct{ eventType, reason, action string }

var forwarded = struct {
	sync.RWMutex
	specs map[forwardedKey]*Spec
}{specs: map[forwardedKey]*Spec{}}

var (
	forwardedParams  = []Param{{Name: "message"}}
	forwardedMessage = []Segment{{Value: ParamValue}}
)

// forwardedSpec is the spec of what is forwarded. It is looked up by what the spec will say, so that texts which come out
// alike share one, and no large text is held.
func forwardedSpec(eventType, reason, action string) *Spec {
	key := forwardedKey{eventType: Normal, reason: Clean(reason, MaxReasonBytes), action: Clean(action, MaxReasonBytes)}
	if eventType == Warning {
		key.eventType = Warning
	}
	if key.action == "" {
		key.action = key.reason
	}
	forwarded.RLock()
	spec := forwarded.specs[key]
	forwarded.RUnlock()
	if spec != nil {
		return spec
	}
	return keepForwarded(newForwardedSpec(key))
}

func newForwardedSpec(key forwardedKey) *Spec {
	reason := strings.Clone(key.reason) // it may be a piece of something large
	return &Spec{
		Name:      reason,
		Reason:    reason,
		Action:    strings.Clone(key.action),
		Type:      key.eventType,
		Params:    forwardedParams,
		Message:   forwardedMessage,
		Forwarded: true,
	}
}

// keepForwarded keeps a spec for reuse, if there is room, and returns the one that is kept.
func keepForwarded(spec *Spec) *Spec {
	key := forwardedKey{eventType: spec.Type, reason: spec.Reason, action: spec.Action}
	forwarded.Lock()
	defer forwarded.Unlock()
	if kept := forwarded.specs[key]; kept != nil {
		return kept
	}
	if len(forwarded.specs) < maxForwardedSpecs {
		forwarded.specs[key] = spec
	}
	return spec
}
