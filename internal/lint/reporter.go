package lint

import "github.com/event-gen/event-gen/internal/catalog"

// reporter is who reports an event: a controller; or, where the host says it, whoever uses the catalog.
type reporter struct {
	controller string
	catalog    *catalog.Catalog
}

func reporterOf(c *catalog.Catalog, id catalog.Identity) reporter {
	if id.Controller.Value != "" {
		return reporter{controller: id.Controller.Value}
	}
	return reporter{catalog: c}
}
