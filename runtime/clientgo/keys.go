package clientgo

import (
	"hash/maphash"
	"strings"
	"sync"

	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/event-gen/event-gen/runtime"
)

// key names a group or a budget: what the caller's function returned, or else the fields of which client-go joins its key
// (getSpamKey and EventAggregatorByReasonFunc in tools/record/events_cache.go).
type key struct {
	custom, controller                     string
	kind, apiVersion, namespace, name, uid string
	eventType, reason                      string
}

// keys tells which group and which budget an event belongs to.
type keys struct {
	group  record.EventAggregatorKeyFunc
	budget record.EventSpamKeyFunc
	events bool // of events.k8s.io
	logger klog.Logger
	said   sync.Once
}

var seed = maphash.MakeSeed()

// groupOf is the group of an event, and what tells it from the others in there. ok is false if the caller's function
// panicked.
func (k *keys) groupOf(e *runtime.Event) (group key, distinct uint64, ok bool) {
	if k.group == nil {
		return keyOf(e), k.distinctOf(e), true
	}
	defer k.recovered("KeyFunc")
	aggregate, local := k.group(coreEvent(e))
	return key{custom: aggregate}, maphash.String(seed, local), true
}

// distinctOf hashes what tells an event from the others of its group: in the core group the message, as in client-go; in
// events.k8s.io what is part of an event's identity.
func (k *keys) distinctOf(e *runtime.Event) uint64 {
	note := ""
	if e.Definition().Correlation.Merged == 0 {
		note = messageOf(e)
	}
	if !k.events {
		return maphash.String(seed, note)
	}
	o := e.Related()
	return maphash.Comparable(seed, [...]string{note, e.Action(), e.Regarding().FieldPath, o.UID, o.Kind, o.Namespace, o.Name, o.FieldPath})
}

// budgetOf is the budget that a new event is taken from.
func (k *keys) budgetOf(e *runtime.Event) (budget key, ok bool) {
	if k.budget == nil {
		return keyOf(e), true
	}
	defer k.recovered("SpamKeyFunc")
	return key{custom: k.budget(coreEvent(e))}, true
}

// recovered must be deferred: the caller's function runs under the correlator's lock, which a panic would leave locked.
func (k *keys) recovered(function string) {
	if p := recover(); p != nil {
		k.said.Do(func() {
			k.logger.Error(nil, "A key function panicked; the event is taken to be within threshold and budget", "function", function, "panic", p)
		})
	}
}

func keyOf(e *runtime.Event) key {
	o, def := e.Regarding(), e.Definition()
	return key{
		controller: def.ReportingController,
		kind:       o.Kind, apiVersion: o.APIVersion, namespace: o.Namespace, name: o.Name, uid: o.UID,
		eventType: def.Type, reason: def.Reason,
	}
}

// clone copies the texts, which may be pieces of something large.
func (k key) clone() key {
	return key{
		custom: strings.Clone(k.custom), controller: k.controller,
		kind: strings.Clone(k.kind), apiVersion: strings.Clone(k.apiVersion), namespace: strings.Clone(k.namespace),
		name: strings.Clone(k.name), uid: strings.Clone(k.uid),
		eventType: k.eventType, reason: k.reason, // of a definition, as the controller is
	}
}
