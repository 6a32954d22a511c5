package model

import eventrt "github.com/event-gen/event-gen/runtime"

// methods sets the event's method, or its methods for a list of kinds, and the definitions of its
// events on further objects.
func (s *eventStep) methods() {
	e := s.e
	shared := definitions{annotations: s.annotations(), labels: s.labels(), correlation: s.correlation(), identities: s.identities()}
	distinct := true
	build := func(m *Method) {
		distinct = s.names.method(e, m) && distinct
		m.Wire = s.wire(subject{name: m.Name, object: m.Regarding, kinds: m.KindFunc, container: e.Regarding.Container}, &shared)
		e.Methods = append(e.Methods, m)
	}
	objects := e.Regarding.Objects
	switch {
	case e.Regarding.AnyOf:
		build(&Method{Name: methodName(e.Name), KindFunc: s.names.kindFunc(objects, e.Source.Pos)})
	case len(objects) == 1:
		build(&Method{Name: methodName(e.Name), Regarding: objects[0]})
	default:
		for _, o := range objects {
			build(&Method{Name: methodOnKind(e.Name, o.Alias), Regarding: o})
		}
	}
	for _, a := range e.Also {
		a.Wire = s.wire(subject{name: methodOnKind(e.Name, a.Object.Alias), object: a.Object}, &shared)
	}
	s.names.event(e, distinct)
}

// definitions holds the parts of an event's definitions that do not depend on the object.
type definitions struct {
	annotations []eventrt.AnnotationDefinition
	labels      []eventrt.AnnotationDefinition
	correlation eventrt.Correlation
	identities  []identity
}

// subject is the subject of definitions: an object or a closed set of kinds, and the param that
// names its container. Names of variables begin with its name.
type subject struct {
	name      string
	object    *Object // nil for a closed set
	kinds     *KindFunc
	container *Param
}

// wire returns the wire identities of the event about a subject.
func (s *eventStep) wire(on subject, shared *definitions) (w Wire) {
	e := s.e
	if len(shared.identities) > 1 {
		w.DefinitionFunc = s.names.scope.unique(definitionFunc(on.name), "event "+e.Name, e.Source.Pos)
	}
	w.Var = s.names.scope.unique(definitionVar(on.name, len(shared.identities)), "event "+e.Name, e.Source.Pos)
	for _, id := range shared.identities {
		d := &Definition{
			ReasonConst: s.names.reason(id.Reason),
			Variant:     id.variant,
			Summary:     id.doc.Summary.Value,
			Runbook:     id.doc.Runbook.Value,
			Message:     id.Message.Text,
			Runtime:     e.definition(on, id),
		}
		d.Runtime.Annotations, d.Runtime.Labels, d.Runtime.Correlation = shared.annotations, shared.labels, shared.correlation
		s.Findings = append(s.Findings, prove(e, d, id.Message)...)
		w.Definitions = append(w.Definitions, d)
	}
	return w
}

func (e *Event) definition(on subject, id identity) eventrt.Definition {
	d := eventrt.Definition{Name: e.Name, Reason: id.Reason.Value, Action: id.Action.Value, Type: id.Type.Value, Message: id.template}
	d.ReportingController = id.Controller.Value
	for _, p := range e.Params {
		d.Params = append(d.Params, p.runtime())
	}
	if on.object != nil {
		d.Regarding = on.object.Kind
	} else {
		for _, o := range on.kinds.Objects {
			d.AnyOf = append(d.AnyOf, o.Kind)
		}
	}
	if on.container != nil {
		d.FieldPath, d.FieldPathParam = containersPath, e.paramIndex(on.container.Name)
	}
	if r := e.Related; r != nil {
		d.HasRelated, d.Related, d.RelatedOptional, d.RelatedPrefix = true, r.Object.Kind, r.Optional, r.Prefix
	}
	return d
}

// runtime returns the param's definition for the run time. The byte proof sets the bound of the
// param that takes the rest.
func (p *Param) runtime() eventrt.Param {
	out := p.Definition
	if (p.Text() || p.Convert == "Float" && p.literal.MaxBytes.Set()) && !out.Sensitive {
		out.MaxBytes = p.MaxBytes
	}
	return out
}
