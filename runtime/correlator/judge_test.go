package correlator

import (
	"fmt"
	"time"

	"github.com/event-gen/event-gen/runtime/sink"
)

// judge judges every call again, from nothing but the calls and answers so far.
type judge struct {
	most   int // calls at once
	open   map[uint64]*judgedCall
	lanes  map[laneName]*judgedLane
	until  map[string]time.Duration // by name: a write that exceeded a rate does not go before
	row    int                      // failures in a row, anywhere
	said   bool                     // the last of them had the server's scope
	broken time.Duration            // when a proven lane last failed
	probed time.Duration            // in doubt: when a call of an unproven lane last began
	pause  time.Duration            // until the next such call: 20 ms, doubled with each failure
}

type judgedCall struct {
	lane  *judgedLane
	began time.Duration
	slow  bool // it has counted as a failure
}

// laneName is a namespace, and 0 for creates, else 1 or 2 by API group.
type laneName struct {
	namespace string
	route     uint8
}

// The constants of the gate, for the judge.
const (
	slowAfter   = time.Second
	slowFactor  = 4
	doubtAfter  = 16
	leastPause  = 20 * ms
	noiseWithin = 400 * ms
	idleLanes   = 256
	probePause  = time.Second
	probeDenied = 30 * time.Second
	goneFor     = time.Second
	limitRaise  = 10 * time.Second
)

// judgedLane is the server's last answer about a lane.
type judgedLane struct {
	failed, denied bool
	served         time.Duration
}

func newJudge(most int) *judge {
	return &judge{most: most, open: map[uint64]*judgedCall{}, lanes: map[laneName]*judgedLane{}, until: map[string]time.Duration{}, probed: -time.Hour}
}

// drains lets the next calls go at once.
func (j *judge) drains() {
	j.probed, j.until = -time.Hour, nil
}

func (j *judge) lane(w *sink.Write) *judgedLane {
	key := laneName{w.Namespace, 0}
	if w.Operation != sink.Create {
		key.route = 1 + w.Mark&1
	}
	if j.lanes[key] == nil {
		j.lanes[key] = &judgedLane{served: -time.Hour}
	}
	return j.lanes[key]
}

// begins judges a call that begins.
func (j *judge) begins(w *sink.Write, now time.Duration) error {
	j.markSlow(now)
	l := j.lane(w)
	quick, ofLane := 0, 0
	for _, c := range j.open {
		switch {
		case c.slow:
		case c.lane == l:
			ofLane++
			fallthrough
		default:
			quick++
		}
	}
	probe := j.row >= doubtAfter && l.served < j.broken
	j.open[w.Ticket] = &judgedCall{lane: l, began: now}
	switch {
	case now < j.until[w.Name]:
		return fmt.Errorf("%s exceeded a rate, and goes again after %v", w.Name, now-j.until[w.Name]+time.Second)
	case quick >= j.most, len(j.open) > slowFactor*j.most:
		return fmt.Errorf("%d calls are in flight, of which %d are not slow", len(j.open), quick+1)
	case ofLane >= max(1, j.most/2):
		return fmt.Errorf("%d calls of its lane are in flight that are not slow", ofLane+1)
	case ofLane > 0 && (l.failed || l.denied):
		return fmt.Errorf("%d calls are in flight of a lane that fails or is denied", ofLane+1)
	}
	if !probe || len(j.lanes) > idleLanes { // some of these are forgotten
		return nil
	}
	last, pause := j.probed, j.pause
	j.probed, j.pause = now, probePause
	if n := j.row - doubtAfter; n < 6 {
		j.pause = 20 * ms << n
	}
	if now-last < pause {
		return fmt.Errorf("it begins %v after another, in doubt", now-last)
	}
	return nil
}

func (j *judge) markSlow(now time.Duration) {
	for _, c := range j.open {
		if !c.slow && now-c.began >= slowAfter {
			c.slow = true
			j.fails(c, c.began+slowAfter)
			j.said = false
		}
	}
}

func (j *judge) fails(c *judgedCall, now time.Duration) {
	if j.row++; c.lane.served >= j.broken {
		j.broken = max(now, c.lane.served+1)
	}
	if j.row == doubtAfter {
		j.pause = 0
	}
	c.lane.failed = c.lane.failed || now-c.lane.served >= noiseWithin
}

// ends notes the answer to a call.
func (j *judge) ends(w *sink.Write, a *sink.Answer, now time.Duration) {
	j.markSlow(now)
	c := j.open[w.Ticket]
	delete(j.open, w.Ticket)
	l := c.lane
	if j.until != nil && a.Limited {
		j.until[w.Name] = now + time.Second
	}
	switch {
	case a.Outcome == sink.Forbidden:
		l.denied, l.failed = true, false
	case a.Outcome == sink.RefusedQuietly:
		l.denied, l.failed, j.row = true, false, 0
	case a.Outcome != sink.Retry || a.Conflict:
		*l = judgedLane{served: now}
		j.row = 0
	case a.Scope == sink.ScopeWrite:
	case a.Scope == sink.ScopeObject:
		l.denied = false
		if j.said && j.row > 0 {
			l.failed = l.failed || now-l.served >= noiseWithin
		} else {
			l.failed, j.row = false, 0
		}
	case a.Scope == sink.ScopeNamespace:
		l.denied, j.row = false, 0
		l.failed = l.failed || a.Limited || now-l.served >= noiseWithin
	case !c.slow:
		l.denied = false
		j.fails(c, now)
		j.said = a.Scope == sink.ScopeServer
	default:
		l.denied = false
	}
}
