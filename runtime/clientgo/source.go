package clientgo

import (
	"os"
	"strings"
	"sync"

	"github.com/event-gen/event-gen/runtime/internal/instance"
)

// source is the reporter: component and host in the core group, controller and instance in
// events.k8s.io. To the pipeline they are one text, the controller of a definition, since events of
// several sources are never one.
type source struct{ component, host string }

const sourceSeparator = "\x00"

func (s source) controller() string {
	component := strings.ReplaceAll(fit(s.component, maxSourceBytes), sourceSeparator, "\uFFFD")
	return component + sourceSeparator + fit(s.host, maxSourceBytes)
}

func sourceOf(controller string) source {
	component, host, _ := strings.Cut(controller, sourceSeparator)
	return source{component: component, host: host}
}

// hostname returns the name of the machine, or "" if the system can't tell it, as in client-go
// (tools/events/event_broadcaster.go).
var hostname = sync.OnceValue(func() string {
	name, _ := os.Hostname()
	return name
})

// controllerSource is the source of a reporting controller on this machine.
func controllerSource(reportingController string) source {
	return source{component: reportingController, host: instance.Name(reportingController, hostname())}
}
