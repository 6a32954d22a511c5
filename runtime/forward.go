package runtime

import "sync"

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

func forwardedSpec(eventType, reason, action string) *Spec {
	key := forwardedKey{eventType: eventType, reason: reason, action: action}
	forwarded.RLock()
	spec := forwarded.specs[key]
	forwarded.RUnlock()
	if spec != nil {
		return spec
	}
	spec = newForwardedSpec(key)
	forwarded.Lock()
	defer forwarded.Unlock()
	if len(forwarded.specs) < maxForwardedSpecs {
		forwarded.specs[key] = spec
	}
	return spec
}

func newForwardedSpec(key forwardedKey) *Spec {
	reason := Clean(key.reason, MaxReasonBytes)
	action := Clean(key.action, MaxReasonBytes)
	if action == "" {
		action = reason
	}
	eventType := Normal
	if key.eventType == Warning {
		eventType = Warning
	}
	return &Spec{
		Name:      reason,
		Reason:    reason,
		Action:    action,
		Type:      eventType,
		Params:    forwardedParams,
		Message:   forwardedMessage,
		Forwarded: true,
	}
}
