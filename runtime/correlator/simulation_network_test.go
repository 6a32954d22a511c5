package correlator

import (
	"slices"
	"strings"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// request is a write on its way to the server, through an API group and in the shape of a form.
type request struct {
	write      sink.Write
	via, shape form.Form
	at         time.Duration
}

// mostUnderWay is the longest time that a request is on its way.
const mostUnderWay = 5 * time.Minute

// answer returns the answer of the server, or of a network in between.
func (h *history) answer(w *sink.Write) sink.Answer {
	roll := h.rng.IntN(100)
	switch p := h.profile; {
	case h.outage || roll < p.retries:
		return h.fail(w)
	case roll < p.retries+p.refusals:
		return h.refuse(w)
	case p.several != nil:
		return h.answerAmongOthers(w, roll)
	case roll == 99 && !h.c.d.Draining():
		h.server.expire(w.Name)
	case roll == 97 && h.server.find(w.Name) != nil:
		h.server.annotate(h.server.find(w.Name), "yes")
	case roll == 98 && h.canBeForeign(w):
		h.server.takeAway(h.forms[0], *w)
		h.event(w.Name).of.name = ""
	}
	return h.deliver(w)
}

// canBeForeign reports whether another process can have used the name of a write.
func (h *history) canBeForeign(w *sink.Write) bool {
	isLate := slices.ContainsFunc(h.late, func(q request) bool { return q.write.Name == w.Name })
	return w.Operation == sink.Create && h.server.stored[w.Name] == nil && !isLate && (h.event(w.Name).told.mark == 0 || h.event(w.Name).told.unsure)
}

// send gives a write to the process's sink, which sends it as the sinks of package kube do.
func (h *history) send(w *sink.Write, send apiserver.Sender) sink.Answer {
	if h.groups != nil {
		return h.groups.Write(w, send)
	}
	a := send(h.forms[0], h.forms[0], w)
	if a.Stored == nil {
		a.Mark = apiserver.MarkOf(h.forms[0])
	}
	return a
}

// deliver has the server take a write.
func (h *history) deliver(w *sink.Write) sink.Answer {
	return h.send(w, func(via, shape form.Form, w *sink.Write) sink.Answer {
		return h.take(request{write: *w, via: via, shape: shape})
	})
}

// take has the server take a request, after admission.
func (h *history) take(q request) sink.Answer {
	if p := h.profile.several; p != nil && p.strips {
		q.write.Annotations = slices.DeleteFunc(slices.Clone(q.write.Annotations), func(a eventrt.Annotation) bool {
			return strings.HasPrefix(a.Key, sink.WriterAnnotation)
		})
	}
	a := h.server.take(q.via, q.shape, &q.write)
	switch {
	case a.Outcome == sink.Forbidden:
		h.reach("missing right", apiserver.MarkOf(q.via))
	case len(h.forms) > 1 && q.via == form.CoreV1 && q.write.Operation == sink.Create && a.Outcome == sink.Done:
		h.reach("fell back", apiserver.MarkOf(q.via))
	}
	return a
}

// refuse returns the answer of an admission or an authorizer.
func (h *history) refuse(w *sink.Write) sink.Answer {
	if h.profile.several == nil {
		outcomes := []sink.Outcome{sink.Refused, sink.Forbidden, sink.RefusedQuietly}
		return sink.Answer{Outcome: outcomes[h.rng.IntN(len(outcomes))]}
	}
	if w.Operation == sink.Read {
		return h.deliver(w)
	}
	h.reach("invalid", 0)
	return sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeWrite}
}

// fail returns the answer for a write without a reply: the write did not arrive, its reply was
// lost, or it is still on its way.
func (h *history) fail(w *sink.Write) sink.Answer {
	return h.send(w, func(via, shape form.Form, w *sink.Write) sink.Answer {
		mark := apiserver.MarkOf(shape)
		h.reach("retry", mark)
		a := sink.Answer{Outcome: sink.Retry}
		if h.rng.IntN(4) == 0 {
			a.RetryAfter = time.Duration(h.rng.IntN(60)) * time.Second
		}
		if h.rng.IntN(2) == 0 || w.Operation == sink.Read {
			return a
		}
		a.MaybeStored = true
		q := request{write: kept(w), via: via, shape: shape, at: h.now.Mono}
		switch h.rng.IntN(3) {
		case 0:
			h.reach("reply lost", mark)
			h.take(q)
		case 1:
			h.late = append(h.late, q)
		}
		return a
	})
}

// kept is a write that stays as it is after its call.
func kept(w *sink.Write) sink.Write {
	k := *w
	k.Annotations, k.Dropped, k.Labels = slices.Clone(w.Annotations), slices.Clone(w.Dropped), slices.Clone(w.Labels)
	return k
}

// arrive lets one given-up request arrive.
func (h *history) arrive() {
	if len(h.late) == 0 {
		return
	}
	n := h.rng.IntN(len(h.late))
	q := h.late[n]
	h.late = slices.Delete(h.late, n, n+1)
	// no request is under way for as long as an event lives
	isOver := h.server.stored[q.write.Name] != nil && h.server.find(q.write.Name) == nil
	if q.write.Operation == sink.Create && isOver || h.now.Mono-q.at > mostUnderWay {
		return
	}
	a := h.take(q)
	switch {
	case a.Outcome == sink.Exists:
		h.reach("late create", apiserver.MarkOf(q.shape))
	case a.Conflict:
		h.reach("late update", apiserver.MarkOf(q.shape))
	}
	h.note("late: %s: %v", describe(&q.write), a.Outcome)
}
