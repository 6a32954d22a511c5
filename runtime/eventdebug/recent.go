package eventdebug

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/problems"
	"github.com/event-gen/event-gen/runtime/sink"
)

// maxRecent bounds the number of remembered refusals, and of rejections.
const maxRecent = 32

// maxText is the number of bytes that are kept of an answer, and of each text of an event, which
// may have been rejected because it is too large.
const maxText = 1024

// recent holds the last of what happened; equal ones are joined. It is safe for concurrent use.
type recent struct {
	mu      sync.Mutex
	last    []refusal // the latest last
	minutes [10]struct{ minute, count int }
}

// add adds x, or joins it with one that is there.
func (r *recent) add(x refusal) {
	for _, text := range []*string{&x.Error, &x.Type, &x.Reason, &x.Object.APIVersion, &x.Object.Kind, &x.Object.Namespace, &x.Object.Name} {
		if len(*text) > maxText {
			*text = strings.ToValidUTF8((*text)[:maxText], "") + "…"
		}
		*text = strings.Clone(*text)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	minute := int(time.Now().Unix() / 60)
	m := &r.minutes[minute%len(r.minutes)]
	if m.minute != minute {
		m.minute, m.count = minute, 0
	}
	m.count++
	if i := slices.IndexFunc(r.last, x.sameCause); i >= 0 {
		x.Times += r.last[i].Times
		r.last = slices.Delete(r.last, i, i+1)
	}
	if len(r.last) == maxRecent {
		r.last = slices.Delete(r.last, 0, 1)
	}
	r.last = append(r.last, x)
}

// lately returns how many things have happened in the last ten minutes, the current one included.
func (r *recent) lately(now time.Time) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.minutes {
		if m.minute > int(now.Unix()/60)-len(r.minutes) {
			n += m.count
		}
	}
	return n
}

// list returns the latest first, as many as are shown.
func (r *recent) list() []refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := append([]refusal{}, r.last...)
	slices.Reverse(list)
	return list[:min(len(list), rows)]
}

// sameCause reports whether an earlier refusal has the same cause. For a missing right, these are
// all refusals of the namespace in the API group.
func (r *refusal) sameCause(before refusal) bool {
	if r.Rule != nil && before.Rule != nil {
		return r.missing == before.missing
	}
	return r.Outcome == before.Outcome && r.Type == before.Type && r.Reason == before.Reason && r.Error == before.Error &&
		r.Object.Kind == before.Object.Kind && r.Object.Namespace == before.Object.Namespace
}

// written remembers an answer that refused a write, or forbade it for now.
func (p *Page) written(w *sink.Write, a sink.Answer, _ time.Duration) {
	if a.Outcome != sink.Refused && a.Outcome != sink.Forbidden {
		return
	}
	about, cause := eventrt.ReferenceOf(&w.Regarding), eventrt.Error(a.Err)
	r := refusal{Time: time.Now().UTC(), Times: 1, Outcome: a.Outcome.String(), Type: w.Type, Reason: w.Reason,
		Object: objectOf(&about), Error: cause.Text()}
	if m := a.Missing; m != nil {
		r.missing = *m
		r.Rule = &rule{
			User: m.User, Namespace: m.Namespace,
			APIGroups: []string{m.Group}, Resources: []string{m.Resource}, Verbs: apiserver.RoleVerbs(m),
		}
	}
	p.refusals.add(r)
}

// rejected remembers a rejected event. An absent regarding object has the kind that the definition
// knows. A value that an enum does not have may be what picks among variants: type and reason are
// then those of a variant that nobody chose, so the event's name is shown instead.
func (p *Page) rejected(e eventrt.Event, problem string) {
	r := refusal{Time: e.Time().UTC(), Times: 1, Outcome: "rejected", Type: e.Type(), Reason: e.Reason(), Object: objectOf(e.Regarding()), Error: problem}
	def := e.Definition()
	if def != nil && !e.Regarding().Present() {
		r.Object.APIVersion, r.Object.Kind = def.Regarding.APIVersion, def.Regarding.Kind
	}
	if e.Problem() == problems.UnknownValue {
		r.Type, r.Reason = "", cmp.Or(def.Name, r.Reason)
	}
	p.rejections.add(r)
}
