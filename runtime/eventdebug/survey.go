package eventdebug

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/event-gen/event-gen/runtime/correlator"
)

// rows is the largest number of reasons, objects and waiting events shown.
const rows = 20

// survey gathers what broadcasters hold.
type survey struct {
	reasons map[reasonKey]*reasonNoise
	objects map[corev1.ObjectReference]*objectNoise
	waiting []waiting // the longest first
}

type reasonKey struct{ eventType, reason, apiVersion, kind string }

// maxReasons bounds the number of {reason, kind} that are told apart, because forwarded reasons can
// be anything.
const maxReasons = 1 << 14

// add counts an event for its {reason, kind} and its object, and lists it if it waits.
func (v *survey) add(s *correlator.View) {
	k := reasonKey{s.Definition.Type, s.Definition.Reason, s.Regarding.APIVersion, s.Regarding.Kind}
	n := v.reasons[k]
	if n == nil && len(v.reasons) < maxReasons {
		n = &reasonNoise{Type: k.eventType, Reason: k.reason, APIVersion: k.apiVersion, Kind: k.kind}
		v.reasons[k] = n
	}
	if n != nil {
		n.Occurrences += uint64(s.Count)
		n.Events++
	}
	o := v.objects[s.Regarding.Reference()]
	if o == nil {
		o = &objectNoise{Object: objectOf(&s.Regarding)}
		v.objects[s.Regarding.Reference()] = o
	}
	o.Occurrences += uint64(s.Count)
	o.Events++
	if s.Pending > 0 {
		v.waiting = insert(v.waiting, waitingOf(s), func(a, b *waiting) int { return cmp.Compare(b.Seconds, a.Seconds) })
	}
}

func waitingOf(s *correlator.View) waiting {
	state := "waiting"
	switch {
	case s.InFlight:
		state = "being written"
	case s.Failing:
		state = "failing"
	}
	return waiting{
		Type: s.Definition.Type, Reason: s.Definition.Reason, Name: s.Name, Object: objectOf(&s.Regarding), Aggregate: s.Aggregate,
		Pending: s.Pending, Seconds: seconds(s.Waited), Attempts: int(s.Attempts), State: state,
	}
}

func (v *survey) noisiestReasons() []reasonNoise {
	list := []reasonNoise{}
	for _, n := range v.reasons {
		list = insert(list, *n, func(a, b *reasonNoise) int {
			return cmp.Or(cmp.Compare(b.Occurrences, a.Occurrences), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Kind, b.Kind))
		})
	}
	return list
}

func (v *survey) noisiestObjects() []objectNoise {
	list := []objectNoise{}
	for _, o := range v.objects {
		list = insert(list, *o, func(a, b *objectNoise) int { return cmp.Compare(b.Occurrences, a.Occurrences) })
	}
	return list
}

// insert inserts x into a sorted list, and keeps as many entries as are shown.
func insert[T any](list []T, x T, compare func(a, b *T) int) []T {
	if len(list) == rows && compare(&x, &list[rows-1]) >= 0 {
		return list
	}
	at, _ := slices.BinarySearchFunc(list, x, func(a, b T) int { return cmp.Or(compare(&a, &b), -1) })
	list = slices.Insert(list, at, x)
	return list[:min(len(list), rows)]
}
