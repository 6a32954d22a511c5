package lint

import (
	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

var duplicateEvent = &Rule{
	ID:       diag.DuplicateEvent,
	Name:     "duplicate-event",
	Doc:      "Two events of one controller that are equal in regarding, action, reason, type and message can't be told apart.",
	Severity: diag.Error,
	Across:   true,
	Run: func(p *Pass) {
		first := map[wireKey]diag.Pos{}
		for c, id := range p.Identities() {
			if p.unplaced[c] {
				continue
			}
			for _, object := range objectsOf(c, id.Event) {
				p.checkDuplicate(c, first, wireKey{
					reporterOf(c, id), object, id.Action.Value, id.Reason.Value, id.Type.Value, id.Message.Text,
				}, id)
			}
		}
	},
}

// wireKey is the stored form of an event without its arguments.
type wireKey struct {
	reporter                              reporter
	object, action, reason, kind, message string
}

func (p *Pass) checkDuplicate(c *catalog.Catalog, first map[wireKey]diag.Pos, key wireKey, id catalog.Identity) {
	before, found := first[key]
	if !found {
		first[key] = id.Pos
		return
	}
	if before != id.Pos {
		p.Reportf(c, id.Event, id.Pos, "the event at %s has the same regarding, action, reason, type and message", before)
	}
}

// objectsOf returns names of the objects that an event can be about. Catalogs of one set have the
// same names for the same objects.
func objectsOf(c *catalog.Catalog, e *catalog.Event) []string {
	about := c.About(e)
	if about == nil {
		return nil
	}
	var names []string
	for _, alias := range about.Objects {
		names = append(names, objectName(c, alias.Value)+" "+about.Container.Value)
	}
	for _, alias := range e.AlsoOn {
		names = append(names, objectName(c, alias.Value)+" ")
	}
	return names
}

func objectName(c *catalog.Catalog, alias string) string {
	switch o := objectOf(c, alias); {
	case o.Version.Set():
		return o.Version.Value + " " + alias
	case o.Type.Set():
		return o.Type.Value
	}
	return alias
}
