package broadcaster_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// The events of histories that have policies of their own.
var (
	simLimit  = &eventrt.Limit{Name: "simulated", Every: 2 * time.Second, Burst: 3, Wait: 15 * time.Second}
	nominated = limitedReason("Nominated", eventrt.Normal)
	disrupted = limitedReason("Disrupted", eventrt.Warning)
	// blocked shows the number of its latest occurrence, at most once in its interval.
	blocked = &eventrt.Definition{Name: "Blocked", Reason: "Blocked", Action: "Block", Type: eventrt.Normal,
		Params: []eventrt.Param{{Name: "n"}}, Message: []eventrt.Segment{{Text: "number ", Value: eventrt.ParamValue}},
		Correlation: eventrt.Correlation{Merged: 1, LatestNote: true, Interval: 7 * time.Second}}
)

func limitedReason(reason, eventType string) *eventrt.Definition {
	return &eventrt.Definition{Name: reason, Reason: reason, Action: reason, Type: eventType,
		Message: []eventrt.Segment{{Text: "waits for a token"}}, Correlation: eventrt.Correlation{Limit: simLimit}}
}

// slack is the delay that a write may have after its token is there, because calls take time and
// workers are few.
const slack = 500 * time.Millisecond

// policies draws events with an interval, the latest note or a limit into a history, and holds
// their writes to these policies. A nil *policies draws none.
type policies struct {
	rng   *rand.Rand
	calm  bool // nothing is wrong with the server in this history
	ends  bool // Shutdown has begun
	begun map[string]time.Duration
	tried map[string]bool // the last answer was no Done: the next write is a retry
	paid  []time.Duration // start times of the writes that took a token

	reached []string
}

// policyRarely is the goal that one history in sixteen reaches.
const policyRarely = "a Warning went before"

// policyReached are the goals that some history must reach, because the checks would otherwise hold
// nothing.
var policyReached = []string{"calm", "a token was waited for", policyRarely, "lost to a limit", "lost to a limit beside trouble", "written twice in an interval's distance", "a later note", "lifted by Shutdown"}

func (p *policies) reach(what string, when bool) {
	if when && !slices.Contains(p.reached, what) {
		p.reached = append(p.reached, what)
	}
}

// withPolicies makes a history draw events with policies. Its troubles come from its seed, or there
// are none.
func (h *history) withPolicies(seed uint64) *history {
	p := &policies{rng: rand.New(rand.NewPCG(seed, seed^0x9011c)), begun: map[string]time.Duration{}, tried: map[string]bool{}}
	if p.calm = p.rng.IntN(3) == 0; p.calm {
		for n := range h.spaces {
			h.spaces[n] = fine
		}
		h.starting, h.outage, h.group, h.reason = 0, [2]time.Duration{}, 0, false
	}
	h.policies = p
	return h
}

// pick is an event with a policy, or nil.
func (p *policies) pick() *eventrt.Definition {
	if p == nil || p.rng.IntN(4) > 0 {
		return nil
	}
	return []*eventrt.Definition{nominated, nominated, disrupted, blocked}[p.rng.IntN(4)]
}

func isLimited(reason string) bool { return reason == nominated.Reason || reason == disrupted.Reason }

// intervalOf returns the least time between the writes of an event, if its definition sets one.
func intervalOf(reason string) time.Duration {
	if reason == blocked.Reason {
		return blocked.Correlation.Interval
	}
	return 0
}

// enters holds the start of a write to its policy. The history's lock is held.
func (p *policies) enters(w *sink.Write, at time.Duration) error {
	if p == nil || p.tried[w.Name] || p.ends {
		return nil
	}
	before, written := p.begun[w.Name]
	p.begun[w.Name] = at
	switch {
	case isLimited(w.Reason):
		p.paid = append(p.paid, at)
		if most := simLimit.Burst + int(at/simLimit.Every); len(p.paid) > most {
			return fmt.Errorf("%d writes have taken tokens by %v, of %d that there were", len(p.paid), at, most)
		}
	case written && w.Reason == blocked.Reason && at-before == intervalOf(w.Reason):
		p.reach("written twice in an interval's distance", true)
	case written && at-before < intervalOf(w.Reason):
		return fmt.Errorf("%s is written at %v and at %v, though its interval is %v", w.Name, before, at, intervalOf(w.Reason))
	}
	return nil
}

// leaves notes an answer, and checks the stored note. The history's lock is held.
func (p *policies) leaves(w *sink.Write, note string, a sink.Answer, e *occurrences, lossless bool) error {
	if p == nil {
		return nil
	}
	p.tried[w.Name] = a.Outcome != sink.Done
	if a.Outcome != sink.Done || w.Reason != blocked.Reason {
		return nil
	}
	p.reach("a later note", w.Operation == sink.Update)
	n := -1
	if _, err := fmt.Sscanf(strings.TrimPrefix(note, "number "), "%d", &n); err != nil || n+1 < int(w.Count) || n >= len(e.recorded) || lossless && n+1 != int(w.Count) {
		return fmt.Errorf("the note of %s is %q, its count %d; %d were recorded", w.Name, note, w.Count, len(e.recorded))
	}
	return nil
}

// limitedWrite is a write that needed a token: when it was due, and when it began.
type limitedWrite struct {
	warning    bool
	due, begun time.Duration
}

// goesBefore reports whether, in a calm history, a waiting write should have had the token of
// another one.
func (w limitedWrite) goesBefore(o limitedWrite) bool {
	if w.warning != o.warning {
		return w.warning
	}
	return w.due+slack < o.due
}

// checkLimits holds a calm history to its limit: tokens go to Warnings first and then to the
// longest wait, each token is used, and no write waits too long. The history's lock is held.
func (h *history) checkLimits(s eventrt.Stats, end time.Duration) error {
	if h.policies == nil || !h.policies.calm {
		return nil
	}
	var writes []limitedWrite
	late, any := 0, 0
	for _, e := range h.events {
		if !isLimited(e.reason) {
			continue
		}
		known := 0
		for n, at := range e.recorded {
			due, w := e.due(n, at)
			if w != nil {
				due = max(due, e.recorded[n+e.lostBefore(w)])
			}
			switch {
			case w == nil && due+simLimit.Wait+slack < end:
				late++
			case w == nil && at+simLimit.Wait <= end:
				any++
			case w != nil && known != int(w.count): // the first that the write stands for
				known = int(w.count)
				writes = append(writes, limitedWrite{e.reason == disrupted.Reason, due, w.begun})
			}
		}
	}
	h.policies.reach("calm", true)
	h.policies.reach("lost to a limit", late > 0)
	if lost := int(s.Lost.Limited); lost < late || lost > 0 && late+any == 0 {
		return fmt.Errorf("%d are lost to the limit, %d wait for longer than %v", lost, late, simLimit.Wait)
	}
	return h.policies.checkTokens(writes)
}

// lostBefore returns how many occurrences were lost to the limit before a write. The write stands
// for the occurrences after them.
func (e *occurrences) lostBefore(w *written) int {
	recorded := 0
	for _, at := range e.recorded {
		if at < w.begun {
			recorded++
		}
	}
	return max(recorded-int(w.count), 0)
}

func (p *policies) checkTokens(writes []limitedWrite) error {
	for i, from := range p.paid {
		for j, at := range p.paid[i:] {
			if most := simLimit.Burst + int((at-from+slack)/simLimit.Every); j+1 > most {
				return fmt.Errorf("%d tokens are taken from %v to %v, at most %d are there", j+1, from, at, most)
			}
		}
	}
	for _, w := range writes {
		p.reach("a token was waited for", w.begun > w.due+simLimit.Every)
		used := 0
		for _, at := range p.paid {
			if at > w.due && at < w.begun {
				used++
			}
		}
		if idle := int((w.begun - w.due - slack) / simLimit.Every); used < idle {
			return fmt.Errorf("a write that is due at %v begins at %v; %d tokens were used in between, at least %d were there", w.due, w.begun, used, idle)
		}
		for _, o := range writes {
			p.reach(policyRarely, w.warning && !o.warning && o.due+slack < w.due && o.begun > w.begun)
			if w.goesBefore(o) && w.due+slack < o.begun && w.begun > o.begun+slack {
				return fmt.Errorf("%+v waits for %+v", w, o)
			}
		}
	}
	return nil
}

// checkMissing compares the losses to limits with the missing occurrences of events with a limit.
// The history's lock is held.
func (h *history) checkMissing(s eventrt.Stats) error {
	if h.policies == nil {
		return nil
	}
	h.policies.reach("lost to a limit beside trouble", !h.policies.calm && s.Lost.Limited > 0)
	missing := 0
	for _, e := range h.events {
		if isLimited(e.reason) {
			missing += len(e.recorded) - int(e.stored())
		}
	}
	if missing != int(s.Lost.Limited) {
		return fmt.Errorf("%d events with a limit are missing, %d are lost to it", missing, s.Lost.Limited)
	}
	return nil
}

// stored returns how many occurrences were written.
func (e *occurrences) stored() (n int32) {
	for i, w := range e.written {
		if i+1 == len(e.written) || e.written[i+1].name != w.name {
			n += w.count
		}
	}
	return n
}

// last records events right before Shutdown, which waits for no token and no interval. They are
// recorded while all is well.
func (h *history) last(b *broadcaster.Broadcaster) {
	h.mu.Lock()
	p := h.policies
	if p != nil {
		p.ends = true
	}
	h.mu.Unlock()
	if p == nil || p.rng.IntN(2) == 0 {
		return
	}
	p.reach("lifted by Shutdown", true)
	for n := range 20 {
		h.publish(b, 0, fmt.Sprint("last-", n), []*eventrt.Definition{nominated, disrupted}[n%2])
		h.publish(b, 0, "o1", blocked)
	}
}
