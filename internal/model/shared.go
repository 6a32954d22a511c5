package model

import (
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// nameShared names what the definitions of the package have in common, so that the file says it once: subjects, kinds, and what the
// variants or kinds of one event share.
func (b *builder) nameShared() {
	named := map[metav1.TypeMeta]bool{{}: true}
	for _, e := range b.pkg.Events {
		definitions := e.Definitions()
		for _, d := range definitions {
			b.nameSubject(d.Runtime.Subject)
			b.nameKinds(named, d.Runtime.Related)
			b.nameKinds(named, d.Runtime.AnyOf...)
		}
		if len(definitions) > 1 {
			b.nameCommon(e, definitions)
		}
	}
}

func (b *builder) nameKinds(named map[metav1.TypeMeta]bool, kinds ...metav1.TypeMeta) {
	for _, k := range kinds {
		if named[k] {
			continue
		}
		named[k] = true
		name := b.scope.unique(kindVar(k.Kind), "a kind", b.cat.Go.Package.Pos)
		b.pkg.Kinds = append(b.pkg.Kinds, KindVar{Name: name, Kind: k})
	}
}

func (b *builder) nameSubject(s eventrt.Subject) {
	if s == (eventrt.Subject{}) || slices.ContainsFunc(b.pkg.Subjects, func(v SubjectVar) bool { return v.Subject == s }) {
		return
	}
	name := b.scope.unique(subjectVar(s.Regarding.Kind), "a subject", b.cat.Go.Package.Pos)
	b.pkg.Subjects = append(b.pkg.Subjects, SubjectVar{Name: name, Subject: s})
}

func (b *builder) nameCommon(e *Event, definitions []*Definition) {
	name := func(free string, part func(*eventrt.Definition) any, set bool) string {
		first := part(&definitions[0].Runtime)
		for _, d := range definitions[1:] {
			if !reflect.DeepEqual(first, part(&d.Runtime)) {
				return ""
			}
		}
		if !set {
			return ""
		}
		return b.scope.unique(free, "event "+e.Name, e.Source.Pos)
	}
	first := &definitions[0].Runtime
	e.Shared = Shared{
		Params:      name(paramsVar(e.Name), func(d *eventrt.Definition) any { return d.Params }, len(first.Params) > 0),
		Message:     name(messageVar(e.Name), func(d *eventrt.Definition) any { return d.Message }, len(first.Message) > 0),
		Annotations: name(annotationsVar(e.Name), func(d *eventrt.Definition) any { return d.Annotations }, len(first.Annotations) > 0),
	}
}
