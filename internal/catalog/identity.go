package catalog

import "github.com/event-gen/event-gen/internal/diag"

// Identity holds the stored reason, action and type of an event, or of one of its variants.
// Defaults are applied; a value that comes from a default is not Set.
type Identity struct {
	Event *Event
	// Pos is the position of the declaration: the event or the variant.
	Pos        diag.Pos
	Reason     Scalar
	Action     Scalar
	Type       Scalar
	Controller Scalar
	Message    *Message
}

// Identities gives the wire identities of an event in the order of the file, other last.
func (c *Catalog) Identities(e *Event) []Identity {
	base := Identity{
		Event:      e,
		Pos:        e.Pos,
		Reason:     e.Reason,
		Action:     e.Action,
		Type:       first(e.Type, c.Defaults.Type, Scalar{Value: "Normal"}),
		Controller: first(e.ReportingController, c.ReportingController),
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

// with is the identity as a variant changes it.
func (id Identity) with(v *Variant) Identity {
	id.Pos = v.Pos
	id.Reason = first(v.Reason, v.Name)
	id.Action = first(v.Action, id.Action)
	id.Type = first(v.Type, id.Type)
	if v.Message != nil {
		id.Message = v.Message
	}
	return id.withAction()
}

// withAction gives an identity without action its reason for one: events.k8s.io rejects an empty action.
func (id Identity) withAction() Identity {
	if !id.Action.Set() {
		id.Action = Scalar{Value: id.Reason.Value}
	}
	return id
}

// first returns the first scalar that is present, or the last one.
func first(scalars ...Scalar) Scalar {
	for _, s := range scalars {
		if s.Set() {
			return s
		}
	}
	return scalars[len(scalars)-1]
}

// About returns what an event is about, by default the catalog's default.
func (c *Catalog) About(e *Event) *Regarding {
	if e.Regarding != nil {
		return e.Regarding
	}
	return c.Defaults.Regarding
}

// Policy returns the correlation policy of an event: each key is the event's own or else the catalog's default.
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
	p.Note = first(p.Note, defaults.Note)
	p.Limit = first(p.Limit, defaults.Limit)
	p.Interval = first(p.Interval, defaults.Interval)
	p.Window = first(p.Window, defaults.Window)
	p.Threshold = first(p.Threshold, defaults.Threshold)
	p.Burst = first(p.Burst, defaults.Burst)
	p.Every = first(p.Every, defaults.Every)
	p.Aggregate = first(p.Aggregate, defaults.Aggregate)
	return p
}

// Declaration completes a param of an event from the entry of its name in spec.params. The event's own options win.
func (c *Catalog) Declaration(p Param) Param {
	if p.Type.Set() {
		return p
	}
	for _, known := range c.Params {
		if known.Name.Value == p.Name.Value {
			return p.over(known)
		}
	}
	return p
}

func (p Param) over(known Param) Param {
	p.Type = known.Type
	p.MaxBytes = first(p.MaxBytes, known.MaxBytes)
	p.Optional = first(p.Optional, known.Optional)
	p.Prefix = first(p.Prefix, known.Prefix)
	p.Quote = first(p.Quote, known.Quote)
	p.Precision = first(p.Precision, known.Precision)
	p.Round = first(p.Round, known.Round)
	p.Unit = first(p.Unit, known.Unit)
	p.Layout = first(p.Layout, known.Layout)
	p.GoName = first(p.GoName, known.GoName)
	p.Separator = first(p.Separator, known.Separator)
	p.Sensitive = first(p.Sensitive, known.Sensitive)
	if len(p.Values) == 0 {
		p.Values = known.Values
	}
	return p
}
