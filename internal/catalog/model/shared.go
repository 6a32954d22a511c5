package model

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/event-gen/event-gen/internal/catalog"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// nameShared names the parts that definitions of the package have in common: subjects, and the
// parts that the variants or kinds of one event share. The file then declares each part once.
func nameShared(pkg *Package, s *scope) {
	n := sharedNames{pkg, s}
	n.subjects()
	n.labels()
	n.declarations()
	for _, e := range pkg.Events {
		if definitions := e.Definitions(); len(definitions) > 1 {
			n.parts(e, definitions)
		}
	}
}

type sharedNames struct {
	pkg   *Package
	scope *scope
}

// subjects names the subjects. They are in the order of spec.objects, the catalog's controller
// before others, so that a new event moves none of them.
func (n *sharedNames) subjects() {
	var found []eventrt.Subject
	for _, e := range n.pkg.Events {
		for _, d := range e.Definitions() {
			if s := d.Runtime.Subject; s != (eventrt.Subject{}) && !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	object := func(s eventrt.Subject) int {
		return slices.IndexFunc(n.pkg.Objects, func(o *Object) bool { return o.Kind == s.Regarding })
	}
	foreign := func(s eventrt.Subject) int {
		if s.ReportingController == n.pkg.Controller {
			return 0
		}
		return 1
	}
	slices.SortFunc(found, func(a, b eventrt.Subject) int {
		return cmp.Or(cmp.Compare(object(a), object(b)), cmp.Compare(foreign(a), foreign(b)), cmp.Compare(a.ReportingController, b.ReportingController))
	})
	for _, s := range found {
		name := n.scope.unique(subjectVar(s.Regarding.Kind), "a subject", n.pkg.Catalog.Go.Package.Pos)
		n.pkg.Subjects = append(n.pkg.Subjects, SubjectVar{Name: name, Subject: s})
	}
}

// labels names the labels of the events. Entries without labels of their own share those of the
// defaults, so that a new event moves none of the names.
func (n *sharedNames) labels() {
	defaults := ""
	for _, e := range n.pkg.Events {
		definitions := e.Definitions()
		if len(definitions) == 0 || len(definitions[0].Runtime.Labels) == 0 {
			continue
		}
		own := len(e.Source.Labels)+len(e.Source.CopyLabels) > 0
		if e.LabelsVar = defaults; own || defaults == "" {
			name := "labels"
			if own {
				name = lowerCamel(e.Name) + "Labels"
			}
			e.LabelsVar = n.scope.unique(name, "labels", e.Source.Pos)
			n.pkg.Labels = append(n.pkg.Labels, LabelsVar{e.LabelsVar, definitions[0].Runtime.Labels})
		}
		if !own {
			defaults = e.LabelsVar
		}
	}
}

// declarations assigns reasons, enums and functions to the first events that need them.
func (n *sharedNames) declarations() {
	given := map[any]bool{}
	first := func(declaration any) bool {
		was := given[declaration]
		given[declaration] = true
		return !was
	}
	for _, e := range n.pkg.Events {
		for _, d := range e.Definitions() {
			if reason := (Constant{d.ReasonConst, d.Runtime.Reason}); reason.Name != "" && first(reason) {
				e.Declares.Reasons = append(e.Declares.Reasons, reason)
			}
		}
		for _, p := range e.Params {
			if p.Enum != nil && !p.Enum.Vocabulary && first(p.Enum) {
				e.Declares.Enums = append(e.Declares.Enums, p.Enum)
			}
		}
		if k := e.Methods[0].KindFunc; k != nil && first(k) {
			e.Declares.KindFunc = k
		}
	}
	vocabulary := func(e *Enum) int {
		if !e.Vocabulary {
			return len(n.pkg.Catalog.Params)
		}
		return slices.IndexFunc(n.pkg.Catalog.Params, func(p catalog.Param) bool { return p.Name.Value == e.Param })
	}
	slices.SortStableFunc(n.pkg.Enums, func(a, b *Enum) int { return cmp.Compare(vocabulary(a), vocabulary(b)) })
}

// parts names the params, message and annotations that all definitions of an event have in common.
func (n *sharedNames) parts(e *Event, definitions []*Definition) {
	name := func(free string, part func(*eventrt.Definition) any, set bool) string {
		first := part(&definitions[0].Runtime)
		differs := func(d *Definition) bool { return !reflect.DeepEqual(first, part(&d.Runtime)) }
		if !set || slices.ContainsFunc(definitions[1:], differs) {
			return ""
		}
		return n.scope.unique(free, "event "+e.Name, e.Source.Pos)
	}
	first := &definitions[0].Runtime
	e.Shared = Shared{
		Params:      name(paramsVar(e.Name), func(d *eventrt.Definition) any { return d.Params }, len(first.Params) > 0),
		Message:     name(messageVar(e.Name), func(d *eventrt.Definition) any { return d.Message }, len(first.Message) > 0),
		Annotations: name(annotationsVar(e.Name), func(d *eventrt.Definition) any { return d.Annotations }, len(first.Annotations) > 0),
	}
}
