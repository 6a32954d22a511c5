package docs

import (
	"slices"

	"github.com/event-gen/event-gen/internal/model"
)

// Controllers are the reporting controllers of a set, sorted.
func Controllers(set *model.Set) []string { return newPage(set).Controllers }

// Keep leaves in a set the events that one of some controllers reports, and those for which the host says who does.
func Keep(set *model.Set, controllers []string) {
	for _, p := range set.Packages {
		p.Events = slices.DeleteFunc(p.Events, func(e *model.Event) bool {
			controller := e.ReportingController()
			return controller != "" && !slices.Contains(controllers, controller)
		})
	}
	set.Packages = slices.DeleteFunc(set.Packages, func(p *model.Package) bool { return len(p.Events) == 0 })
}
