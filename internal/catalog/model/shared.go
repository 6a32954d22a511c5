package model

import (
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// nameShared names the parts that definitions of the package have in common, so that the file declares each once: subjects, kinds, and
// the parts that the variants or kinds of one event share.
func nameShared(pkg *Package, s *scope) {
	n := sharedNames{pkg, s, map[metav1.TypeMeta]bool{{}: true}}
	for _, e := range pkg.Events {
		definitions := e.Definitions()
		for _, d := range definitions {
			n.subject(d.Runtime.Subject)
			n.kinds(d.Runtime.Related)
			n.kinds(d.Runtime.AnyOf...)
		}
		if len(definitions) > 1 {
			n.parts(e, definitions)
		}
	}
}

type sharedNames struct {
	pkg   *Package
	scope *scope
	named map[metav1.TypeMeta]bool
}

func (n *sharedNames) kinds(kinds ...metav1.TypeMeta) {
	for _, k := range kinds {
		if !n.named[k] {
			n.named[k] = true
			name := n.scope.unique(kindVar(k.Kind), "a kind", n.pkg.Catalog.Go.Package.Pos)
			n.pkg.Kinds = append(n.pkg.Kinds, KindVar{Name: name, Kind: k})
		}
	}
}

func (n *sharedNames) subject(s eventrt.Subject) {
	if s == (eventrt.Subject{}) || slices.ContainsFunc(n.pkg.Subjects, func(v SubjectVar) bool { return v.Subject == s }) {
		return
	}
	name := n.scope.unique(subjectVar(s.Regarding.Kind), "a subject", n.pkg.Catalog.Go.Package.Pos)
	n.pkg.Subjects = append(n.pkg.Subjects, SubjectVar{Name: name, Subject: s})
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
