package broadcaster

import (
	"slices"
	"sync"
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// Refusal is a write that the sink's answer refused, or forbade for now.
type Refusal struct {
	Time    time.Time // of the last
	Times   int       // the number of such answers in a row
	Outcome string    // refused or forbidden
	Type    string
	Reason  string
	// Regarding is the object of the last.
	Regarding runtime.ObjectRef
	// Err is the logged error; if a right is missing, it names the rule to add.
	Err string
	// Missing is the right that the authorizer found missing; nil if the cause is another, or the sink does not know it.
	Missing *runtime.Right
}

// maxRefusals bounds the number of remembered refusals.
const maxRefusals = 32

// refusals are the last answers of the sink that took nothing. It is safe for concurrent use.
type refusals struct {
	mu   sync.Mutex
	last []Refusal // the latest last
}

// note takes up an answer. It replaces a refusal that is equal except for object and time.
func (r *refusals) note(w *runtime.Write, a *runtime.Answer, at time.Time) {
	if a.Outcome != runtime.Refused && a.Outcome != runtime.Forbidden {
		return
	}
	n := Refusal{Time: at, Times: 1, Outcome: a.Outcome.String(), Type: w.Type, Reason: w.Reason, Regarding: runtime.ReferenceOf(&w.Regarding)}
	n.Err = textOf(a.Err)
	if a.Missing != nil {
		missing := *a.Missing
		n.Missing = &missing
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.last, n.same); i >= 0 {
		n.Times += r.last[i].Times
		r.last = slices.Delete(r.last, i, i+1)
	}
	r.last = append(r.last, n)
	if len(r.last) > maxRefusals {
		r.last = slices.Delete(r.last, 0, 1)
	}
}

// textOf returns the text of a sink's error, even if its Error method panics; empty for nil.
func textOf(err error) string {
	arg := runtime.Error(err)
	return arg.Text()
}

// same reports whether two refusals have one cause. For a missing right, these are all refusals of the namespace in the API group.
func (n *Refusal) same(o Refusal) bool {
	if n.Missing != nil && o.Missing != nil {
		return *n.Missing == *o.Missing
	}
	return n.Outcome == o.Outcome && n.Type == o.Type && n.Reason == o.Reason && n.Err == o.Err &&
		n.Regarding.Kind == o.Regarding.Kind && n.Regarding.Namespace == o.Regarding.Namespace
}

// list returns the latest first.
func (r *refusals) list(most int) []Refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := slices.Clone(r.last)
	slices.Reverse(list)
	return list[:min(len(list), most)]
}
