package clientgo

import (
	"hash/maphash"
	"sync/atomic"

	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// key names a group or a budget, by a hash of what the caller's function returned, or else of the
// fields of which client-go joins its key (getSpamKey and EventAggregatorByReasonFunc in
// tools/record/events_cache.go). Texts may be long: they are not kept. Two that meet in one hash,
// of which nobody can choose any, would share a threshold.
type key uint64

// keys tells which group and which budget an event belongs to.
type keys struct {
	group  record.EventAggregatorKeyFunc
	budget record.EventSpamKeyFunc
	events bool // of events.k8s.io
	log    klog.Logger
	said   atomic.Bool
}

var seed = maphash.MakeSeed()

// groupOf is the group of an event, and what tells it from the others in there. ok is false if the
// caller's function panicked.
func (k *keys) groupOf(e *eventrt.Event) (group key, distinct uint64, ok bool) {
	if k.group == nil {
		return keyOf(e), k.distinctOf(e), true
	}
	defer k.recovered("KeyFunc")
	aggregate, local := k.group(coreEvent(e))
	return key(maphash.String(seed, aggregate)), maphash.String(seed, local), true
}

// distinctOf hashes what tells an event from the others of its group: in the core group the
// message, as in client-go; in events.k8s.io what is part of an event's identity.
func (k *keys) distinctOf(e *eventrt.Event) uint64 {
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
func (k *keys) budgetOf(e *eventrt.Event) (budget key, ok bool) {
	if k.budget == nil {
		return keyOf(e), true
	}
	defer k.recovered("SpamKeyFunc")
	return key(maphash.String(seed, k.budget(coreEvent(e)))), true
}

// recovered must be deferred. It reports a panic of the caller's function.
func (k *keys) recovered(function string) {
	if p := recover(); p != nil && !k.said.Swap(true) {
		k.log.Error(nil, "A key function panicked; the event is taken to be within threshold and budget", "function", function, "panic", p)
	}
}

func keyOf(e *eventrt.Event) key {
	o, def := e.Regarding(), e.Definition()
	return key(maphash.Comparable(seed, [...]string{
		e.ReportingController(), o.Kind, o.APIVersion, o.Namespace, o.Name, o.UID, def.Type, def.Reason,
	}))
}
