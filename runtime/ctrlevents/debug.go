package ctrlevents

import (
	"net/http"

	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/event-gen/event-gen/runtime/eventdebug"
)

// debugPath is the path of package eventdebug's page on a manager's metrics server.
const debugPath = "/debug/events"

// serveDebug puts the page on a manager's metrics server. It refuses if the server does not
// authenticate its clients.
func (p *pipeline) serveDebug(m manager.Manager, authenticated bool) error {
	if p.opts.NoDebug {
		return nil
	}
	page := http.Handler(http.HandlerFunc(refuseDebug))
	if authenticated || p.opts.DebugUnauthenticated {
		p.page = eventdebug.New()
		page = p.page
	}
	return m.AddMetricsServerExtraHandler(debugPath, page)
}

func refuseDebug(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "The page of events is refused: this server does not ask who you are, or it is not known that it does. "+
		"Set manager.Options.Metrics.FilterProvider, such as filters.WithAuthenticationAndAuthorization, and use ctrlevents.NewManager; "+
		"or set ctrlevents.Options.DebugUnauthenticated.", http.StatusForbidden)
}
