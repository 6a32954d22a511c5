package e2e

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// pace writes an event of its own again and again, past all recorders, while a test measures how
// long something takes. A machine or a server that is slow for all is slow for these calls too, so
// that it does not decide whether a test passes.
type pace struct {
	slowest time.Duration // of the calls; read it when they have ended
	cancel  context.CancelFunc
	calls   sync.WaitGroup
}

func startPace(t *testing.T, c *cluster.Cluster) *pace {
	t.Helper()
	clients := newClientset(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	p := &pace{cancel: cancel}
	p.calls.Go(func() {
		for ctx.Err() == nil {
			begun := time.Now()
			_ = probeEvent(ctx, clients, "default", "pace")
			p.slowest = max(p.slowest, time.Since(begun)) // also of the call that the end finds
			time.Sleep(100 * time.Millisecond)
		}
	})
	return p
}

// allow ends the calls. It returns how long may take what takes d at most where nothing is slow:
// ten times the slowest call longer.
func (p *pace) allow(d time.Duration) time.Duration {
	p.cancel()
	p.calls.Wait()
	return d + 10*p.slowest
}
