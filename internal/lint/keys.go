package lint

import "github.com/event-gen/event-gen/internal/catalog"

// keyOf is the correlation key that holds for an event; nothing where all params are the key.
func keyOf(c *catalog.Catalog, e *catalog.Event) []catalog.Scalar {
	key, _ := explicitKey(c, e)
	return key
}

// explicitKey is the key, and whether there is one: it can be empty.
func explicitKey(c *catalog.Catalog, e *catalog.Event) (key []catalog.Scalar, explicit bool) {
	for _, correlation := range []*catalog.Correlation{e.Correlation, c.Defaults.Correlation} {
		if correlation != nil && correlation.KeyPos.Line > 0 {
			return correlation.Key, true
		}
	}
	return nil, false
}

// inheritedKey is the key that an event takes from the defaults of its catalog, and whether it does: an event's own key is
// what its author wants.
func inheritedKey(c *catalog.Catalog, e *catalog.Event) (key []catalog.Scalar, inherited bool) {
	if e.Correlation != nil && e.Correlation.KeyPos.Line > 0 {
		return nil, false
	}
	return explicitKey(c, e)
}

// paramOf is the declaration of an event's param of a name.
func paramOf(c *catalog.Catalog, e *catalog.Event, name string) (catalog.Param, bool) {
	for _, param := range e.Params {
		if param.Name.Value == name {
			return c.Declaration(param), true
		}
	}
	return catalog.Param{}, false
}
