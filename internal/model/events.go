package model

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/internal/catalog"
	"github.com/event-gen/event-gen/internal/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// event resolves one entry of spec.events; nil after a finding that leaves nothing to generate.
func (b *builder) event(src *catalog.Event) *Event {
	e := &Event{Source: src, Name: src.Name.Value}
	if e.Name == "" {
		e.Name = src.Reason.Value
	}
	if !b.validEventName(e) {
		return nil
	}
	b.describe(e)
	b.params(src, e)
	b.related(e)
	if src.Related != nil && e.Related == nil {
		return nil
	}
	if !b.regarding(e) || !b.alsoOn(e) || !b.message(e) || !b.selection(e) {
		return nil
	}
	if b.pkg.ArgsStruct && len(e.Params) > 0 {
		e.ArgsType = argsTypeName(e.Name)
		b.scope.declare(b.fs, e.ArgsType, "the params of event "+e.Name, src.Pos)
		b.distinctFields(e)
	}
	b.methods(e)
	return e
}

func (b *builder) validEventName(e *Event) bool {
	switch pos := namePos(e.Source); {
	case e.Name == "":
		if !b.incomplete(e) && !e.Source.Reason.Set() { // an empty reason is EV101, of lint
			b.fs.Errorf(e.Source.Pos, "EV001", "the event has neither name nor reason; give its reason")
		}
		return false
	case !exported(e.Name):
		b.fs.Errorf(pos, "EV105", "%q can't be the name of a Go method; give name: %s", e.Name, upperCamel(capitalised(e.Name)))
		return false
	}
	return true
}

func namePos(src *catalog.Event) diag.Pos {
	switch {
	case src.Name.Set():
		return src.Name.Pos
	case src.Reason.Set():
		return src.Reason.Pos
	}
	return src.Pos
}

func (b *builder) describe(e *Event) {
	src := e.Source
	e.Summary, e.Runbook, e.Since = src.Doc.Summary.Value, src.Doc.Runbook.Value, src.Lifecycle.Since.Value
	if d := src.Lifecycle.Deprecated; d != nil {
		e.Deprecated = &Deprecated{ReplacedBy: d.ReplacedBy.Value, Reason: d.Reason.Value, RemoveAfter: d.RemoveAfter.Value}
	}
}

func (b *builder) message(e *Event) bool {
	if slices.ContainsFunc(b.cat.Identities(e.Source), func(id catalog.Identity) bool { return id.Message == nil }) {
		if !b.incomplete(e) {
			b.fs.Errorf(e.Source.Pos, "EV001", "event %s has no message", e.Name)
		}
		return false
	}
	return true
}

func (b *builder) distinctFields(e *Event) {
	first := map[string]*Param{}
	for _, p := range e.Params {
		if other := first[p.Field]; other != nil {
			b.fs.Errorf(p.Pos, "EV105", "params %s and %s are both field %s of %s; rename one", other.Name, p.Name, p.Field, e.ArgsType)
		}
		first[p.Field] = p
	}
}

// annotations compiles the annotations that the catalog puts on the event.
func (b *builder) annotations(e *Event) []eventrt.AnnotationDefinition {
	var out []eventrt.AnnotationDefinition
	seen := map[string]diag.Pos{}
	for i := range e.Source.Annotations {
		a := &e.Source.Annotations[i]
		if problems := validation.IsQualifiedName(a.Key.Value); len(problems) > 0 {
			b.fs.Errorf(a.Key.Pos, "EV001", "%q is no annotation key: %s", a.Key.Value, problems[0])
		}
		if first, twice := seen[a.Key.Value]; twice {
			b.fs.Errorf(a.Key.Pos, "EV001", "annotation %s is given twice; first at %s", a.Key.Value, first)
		}
		seen[a.Key.Value] = a.Key.Pos
		out = append(out, eventrt.AnnotationDefinition{Key: a.Key.Value, Value: b.template(e, &a.Value)})
	}
	return out
}
