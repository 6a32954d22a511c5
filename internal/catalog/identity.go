package catalog

import (
	"reflect"
	"slices"

	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

// Identity holds the stored reason, action and type of an event, or of one of its variants.
// Defaults are applied; a value that comes from a default is not Set.
type Identity struct {
	Event *Event
	// Pos is the position of the declaration: the event or the variant.
	Pos        diag.Pos
	Reason     Scalar   `key:"reason"`
	Action     Scalar   `key:"action"`
	Type       Scalar   `key:"type"`
	Controller Scalar   `key:"reportingController"`
	Message    *Message `key:"message"`
}

// Identities returns the wire identities of an event in the order of the file, other last.
func (c *Catalog) Identities(e *Event) []Identity {
	base := Identity{
		Event:      e,
		Pos:        e.Pos,
		Reason:     e.Reason,
		Action:     e.Action,
		Type:       First(e.Type, c.Defaults.Type, Scalar{Value: "Normal"}),
		Controller: First(e.ReportingController, c.ReportingController),
		Message:    e.Message,
	}
	if len(e.Variants) == 0 {
		return []Identity{base.withAction()}
	}
	var ids []Identity
	for i := range e.Variants {
		ids = append(ids, base.with(&e.Variants[i]))
	}
	if e.Other != nil {
		ids = append(ids, base.with(e.Other))
	}
	return ids
}

// with returns the identity with the changes of a variant.
func (id Identity) with(v *Variant) Identity {
	id.Pos = v.Pos
	id.Reason = First(v.Reason, v.Name)
	id.Action = First(v.Action, id.Action)
	id.Type = First(v.Type, id.Type)
	if v.Message != nil {
		id.Message = v.Message
	}
	return id.withAction()
}

// withAction sets a missing action to the reason, because events.k8s.io rejects an empty action.
func (id Identity) withAction() Identity {
	if !id.Action.Set() {
		id.Action = Scalar{Value: id.Reason.Value}
	}
	return id
}

// First returns the first scalar that is set. If none is, it returns the last one.
func First(scalars ...Scalar) Scalar {
	i := slices.IndexFunc(scalars, Scalar.Set)
	if i < 0 {
		i = len(scalars) - 1
	}
	return scalars[i]
}

// About returns the regarding object of an event: its own, else the catalog's default.
func (c *Catalog) About(e *Event) *Regarding {
	if e.Regarding != nil {
		return e.Regarding
	}
	return c.Defaults.Regarding
}

// Policy returns the correlation policy of an event. Each key is the event's own, else the
// catalog's default.
func (c *Catalog) Policy(e *Event) Correlation {
	own, defaults := e.Correlation, c.Defaults.Correlation
	switch {
	case own == nil && defaults == nil:
		return Correlation{}
	case own == nil:
		return *defaults
	case defaults == nil:
		return *own
	}
	p := *own
	if p.KeyPos.Line == 0 {
		p.Key, p.KeyPos = defaults.Key, defaults.KeyPos
	}
	fill(&p, *defaults)
	return p
}

// fill sets the absent scalars of a part to their defaults.
func fill[T any](part *T, defaults T) {
	values := scalarsOf(reflect.ValueOf(&defaults).Elem())
	for key, s := range scalarsOf(reflect.ValueOf(part).Elem()) {
		*s = First(*s, *values[key])
	}
}

// Declaration completes a param of an event from the entry of the same name in spec.params. Options
// of the event win.
func (c *Catalog) Declaration(p Param) Param {
	if p.Type.Set() {
		return p
	}
	for _, known := range c.Params {
		if known.Name.Value == p.Name.Value {
			fill(&p, known)
			if len(p.Values) == 0 {
				p.Values = known.Values
			}
			return p
		}
	}
	return p
}
