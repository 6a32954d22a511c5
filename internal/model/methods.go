package model

import (
	"github.com/event-gen/event-gen/internal/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// methods gives an event its method, or one for each kind of a list.
func (b *builder) methods(e *Event) {
	annotations := b.annotations(e)
	correlation := b.correlation(e)
	distinct := true
	build := func(m *Method) {
		distinct = b.declareMethod(e, m) && distinct
		m.Wire = b.wire(e, subject{name: m.Name, object: m.Regarding, kinds: m.KindFunc, container: e.Regarding.Container}, annotations, correlation)
		e.Methods = append(e.Methods, m)
	}
	objects := e.Regarding.Objects
	switch {
	case e.Regarding.AnyOf:
		build(&Method{Name: methodName(e.Name), KindFunc: b.kindFunc(objects, e.Source.Pos)})
	case len(objects) == 1:
		build(&Method{Name: methodName(e.Name), Regarding: objects[0]})
	default:
		for _, o := range objects {
			build(&Method{Name: methodOnKind(e.Name, o.Alias), Regarding: o})
		}
	}
	for _, a := range e.Also {
		a.Wire = b.wire(e, subject{name: methodOnKind(e.Name, a.Object.Alias), object: a.Object}, annotations, correlation)
	}
	b.nameOnce(e, distinct)
}

// declareMethod reports whether no other method has its name.
func (b *builder) declareMethod(e *Event, m *Method) bool {
	m.Constructor = constructorName(m.Name)
	pos, what := namePos(e.Source), "event "+e.Name
	if !b.recorder.declare(b.fs, m.Name, what, pos) {
		return false
	}
	b.scope.declare(b.fs, m.Constructor, what, pos)
	return true
}

// nameOnce rejects the name of another event, which is no clash of methods where one of them has a list of kinds. By its
// name an event is found in everything that is said of it.
func (b *builder) nameOnce(e *Event, distinct bool) {
	pos := namePos(e.Source)
	first, taken := b.events[e.Name]
	switch {
	case !taken:
		b.events[e.Name] = pos
	case distinct:
		b.fs.Errorf(pos, "EV105", "the event at %s is called %s as well; choose another name", first, e.Name)
	}
}

// kindFunc is the function for a closed set of kinds, shared by the events that have the same.
func (b *builder) kindFunc(objects []*Object, pos diag.Pos) *KindFunc {
	name := kindFuncName(objects)
	if f := b.kindFuncs[name]; f != nil {
		return f
	}
	f := &KindFunc{Name: b.scope.unique(name, "a set of kinds", pos), Objects: objects}
	b.kindFuncs[name] = f
	b.pkg.KindFuncs = append(b.pkg.KindFuncs, f)
	return f
}

// subject is what definitions are about: an object or a closed set of kinds, with the param that names its container. The name is the
// one from which those of variables are made.
type subject struct {
	name      string
	object    *Object // nil for a closed set
	kinds     *KindFunc
	container *Param
}

// wire makes the wire identities of an event about a subject.
func (b *builder) wire(e *Event, on subject, annotations []eventrt.AnnotationDefinition, correlation eventrt.Correlation) (w Wire) {
	ids := b.identities(e)
	pos := e.Source.Pos
	if len(ids) > 1 {
		w.DefinitionFunc = b.scope.unique(definitionFunc(on.name), "event "+e.Name, pos)
	}
	w.Var = b.scope.unique(definitionVar(on.name, len(ids)), "event "+e.Name, pos)
	for _, id := range ids {
		s := &Definition{
			Variant: id.variant,
			Summary: id.doc.Summary.Value,
			Runbook: id.doc.Runbook.Value,
			Message: id.Message.Text,
			Runtime: b.runtimeDefinition(e, on, id),
		}
		s.ReasonConst = b.reason(id)
		s.Runtime.Annotations = annotations
		s.Runtime.Correlation = correlation
		b.prove(e, s, id.Message)
		w.Definitions = append(w.Definitions, s)
	}
	return w
}

func (b *builder) runtimeDefinition(e *Event, on subject, id identity) eventrt.Definition {
	s := eventrt.Definition{
		Name:    e.Name,
		Reason:  id.Reason.Value,
		Action:  id.Action.Value,
		Type:    id.Type.Value,
		Message: b.template(e, id.Message),
	}
	s.ReportingController = id.Controller.Value
	for _, p := range e.Params {
		s.Params = append(s.Params, p.runtime())
	}
	regardingDefinition(e, on, &s)
	relatedDefinition(e, &s)
	return s
}

// runtime is what the run time knows of the param, before the byte proof bounds the one that takes the rest.
func (p *Param) runtime() eventrt.Param {
	out := p.Definition
	if (p.text || p.Convert == floatConvert && p.literal.MaxBytes.Set()) && !out.Sensitive {
		out.MaxBytes = p.MaxBytes
	}
	return out
}

func regardingDefinition(e *Event, on subject, s *eventrt.Definition) {
	if on.object != nil {
		s.Regarding = on.object.Kind
	} else {
		for _, o := range on.kinds.Objects {
			s.AnyOf = append(s.AnyOf, o.Kind)
		}
	}
	if on.container != nil {
		s.FieldPath = containersPath
		s.FieldPathParam = e.paramIndex(on.container.Name)
	}
}

func relatedDefinition(e *Event, s *eventrt.Definition) {
	if e.Related == nil {
		return
	}
	s.HasRelated = true
	s.Related = e.Related.Object.Kind
	s.RelatedOptional = e.Related.Optional
	s.RelatedPrefix = e.Related.Prefix
}

// reason declares the constant of a reason, once for all events that share it.
func (b *builder) reason(id identity) string {
	reason := id.Reason.Value
	if name, known := b.reasons[reason]; known || reason == "" {
		return name
	}
	name := reasonConst(reason)
	if b.scope.declare(b.fs, name, "reason "+reason, id.Reason.Pos) {
		b.pkg.Reasons = append(b.pkg.Reasons, Constant{Name: name, Value: reason})
	}
	b.reasons[reason] = name
	return name
}
