package ctrlevents

import (
	"net/http"

	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventdebug"
)

// debugPath is the path of package eventdebug's page on a manager's metrics server.
const debugPath = "/debug/events"

// snapshot returns the state of all broadcasters of the manager.
func (p *pipeline) snapshot(most int) broadcaster.Snapshot {
	var all []broadcaster.Snapshot
	for _, s := range p.broadcasters() {
		if b := s.running.Load(); b != nil {
			all = append(all, b.Snapshot(most))
		}
	}
	sum := broadcaster.JoinSnapshots(most, all...)
	sum.Stats = p.stats()
	if len(all) == 0 { // no event was recorded yet
		sum.Time = p.clock().Now().Wall
	}
	return sum
}

// serveDebug puts the page on a manager's metrics server. It refuses if the server does not
// authenticate its clients.
func (p *pipeline) serveDebug(m manager.Manager, authenticated bool) error {
	if p.opts.NoDebug {
		return nil
	}
	page := http.Handler(http.HandlerFunc(refuseDebug))
	if authenticated || p.opts.DebugUnauthenticated {
		page = eventdebug.Handler(p.snapshot)
	}
	return m.AddMetricsServerExtraHandler(debugPath, page)
}

func refuseDebug(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "The page of events is refused: this server does not ask who you are, or it is not known that it does. "+
		"Set manager.Options.Metrics.FilterProvider, such as filters.WithAuthenticationAndAuthorization, and use ctrlevents.NewManager; "+
		"or set ctrlevents.Options.DebugUnauthenticated.", http.StatusForbidden)
}
