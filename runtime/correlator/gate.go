package correlator

import (
	"time"

	"github.com/event-gen/event-gen/runtime"
)

// gateFailures is how many answers in a row must say that the server is away before the gate closes: one write that the
// server can't take must not hold up the others.
const gateFailures = 3

// Gate keeps writes back while the server is away, and lets one probe at a time try. All shards of a broadcaster share
// one. Like the correlator it is a state machine without I/O or clock, and not safe for concurrent use. The zero Gate is
// open; its delays are those of Options.RetryDelay and MaxRetryDelay, or their defaults.
type Gate struct {
	// Delay is waited before the first probe; it doubles up to MaxDelay. A server that asks for more patience is given up to
	// DefaultMaxInterval.
	Delay    time.Duration
	MaxDelay time.Duration

	failures int // in a row
	closed   bool
	probing  bool
	probes   uint8
	probeAt  time.Duration
}

// Pass says whether a write may be tried now, and whether it is the probe. A write that passed must be reported.
func (g *Gate) Pass(now time.Duration) (probe, ok bool) {
	if !g.closed {
		return false, true
	}
	if g.probing || now < g.probeAt {
		return false, false
	}
	g.probing = true
	return true, true
}

// Wake is when a probe may be tried; ok is false while the gate is open or a probe is out.
func (g *Gate) Wake() (at time.Duration, ok bool) {
	return g.probeAt, g.closed && !g.probing
}

// Closed reports whether the server is taken to be away.
func (g *Gate) Closed() bool { return g.closed }

// Unused takes back a Pass for which nothing was there to be written.
func (g *Gate) Unused(probe bool) {
	if probe {
		g.probing = false
	}
}

// Report takes up the answer to a write that passed.
func (g *Gate) Report(probe bool, a runtime.Answer, now time.Duration) {
	if !away(a) {
		*g = Gate{Delay: g.Delay, MaxDelay: g.MaxDelay}
		return
	}
	g.failures++
	switch {
	case probe, !g.closed && (g.failures >= gateFailures || a.RetryAfter > 0):
		g.close(a.RetryAfter, now)
	}
}

func away(a runtime.Answer) bool { return a.Outcome == runtime.Retry && !a.Conflict }

func (g *Gate) close(retryAfter, now time.Duration) {
	setDefault(&g.Delay, DefaultRetryDelay)
	setDefault(&g.MaxDelay, DefaultMaxRetryDelay)
	delay := backoff(g.Delay, g.MaxDelay, g.probes)
	g.probes = saturating(g.probes)
	g.closed, g.probing = true, false
	g.probeAt = now + max(delay, min(retryAfter, DefaultMaxInterval))
}
