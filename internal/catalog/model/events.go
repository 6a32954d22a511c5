package model

import (
	"cmp"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// inputs holds the results of earlier steps that are needed to resolve an entry of spec.events.
type inputs struct {
	cat     *catalog.Catalog
	types   typeNames
	facts   facts
	objects map[string]*Object // nil for an object with a finding
	limits  map[string]*Limit
	names   *names
}

// eventStep resolves one entry of spec.events.
type eventStep struct {
	diag.Findings
	*inputs
	e *Event
}

// event resolves one entry of spec.events. It returns nil if a finding leaves nothing to generate.
func (in *inputs) event(src *catalog.Event) (*Event, diag.Findings) {
	s := &eventStep{inputs: in, e: &Event{
		Source: src, Name: cmp.Or(src.Name.Value, src.Reason.Value),
		Summary: src.Doc.Summary.Value, Runbook: src.Doc.Runbook.Value, Since: src.Lifecycle.Since.Value,
	}}
	if d := src.Lifecycle.Deprecated; d != nil {
		s.e.Deprecated = &Deprecated{ReplacedBy: d.ReplacedBy.Value, Reason: d.Reason.Value, RemoveAfter: d.RemoveAfter.Value}
	}
	if !s.resolve() {
		return nil, s.Findings
	}
	return s.e, s.Findings
}

// resolve resolves the entry, and reports whether the event can be generated.
func (s *eventStep) resolve() bool {
	e := s.e
	if e.Name == "" {
		if !e.Source.Reason.Set() { // lint reports an empty reason
			s.Errorf(e.Source.Pos, diag.Syntax, "the event has neither name nor reason; give its reason")
		}
		return false
	}
	if !exported(e.Name) {
		name, or := upperCamel(capitalised(e.Name)), ""
		if !e.Source.Name.Set() {
			or = ", or keep the reason and give name: " + name
		}
		s.Errorf(namePos(e.Source), diag.GoName, "%q can't be the name of a Go method; write %s%s", e.Name, name, or)
		return false
	}
	s.params()
	if !s.transition() || !s.related() || !s.regarding() || !s.alsoOn() || !s.selection() {
		return false
	}
	if s.types.pkg.ArgsStruct && len(e.Params) > 0 {
		e.ArgsType = argsTypeName(e.Name)
		s.names.scope.declare(&s.Findings, e.ArgsType, "the params of event "+e.Name, e.Source.Pos)
		first := map[string]*Param{}
		for _, p := range e.Params {
			if other := first[p.Field]; other != nil {
				s.Errorf(p.Pos, diag.GoName, "params %s and %s are both field %s of %s; rename one", other.Name, p.Name, p.Field, e.ArgsType)
			}
			first[p.Field] = p
		}
	}
	s.methods()
	return true
}

func namePos(src *catalog.Event) diag.Pos { return cmp.Or(src.Name.Pos, src.Reason.Pos, src.Pos) }

// annotations returns the event's annotations for the run time.
func (s *eventStep) annotations() []eventrt.AnnotationDefinition {
	var out []eventrt.AnnotationDefinition
	for i := range s.e.Source.Annotations {
		a := &s.e.Source.Annotations[i]
		if problems := validation.IsQualifiedName(a.Key.Value); len(problems) > 0 {
			s.Errorf(a.Key.Pos, diag.Syntax, "%q is no annotation key: %s", a.Key.Value, problems[0])
		}
		out = append(out, eventrt.AnnotationDefinition{Key: a.Key.Value, Value: s.template(&a.Value)})
	}
	return out
}
