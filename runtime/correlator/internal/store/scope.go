package store

import (
	"cmp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime"
)

// Scope is shared by many objects: their namespace and kind.
type Scope struct {
	Namespace string // of the objects; empty for those without one
	Kind      metav1.TypeMeta
	self      ref
	Home      *Namespace // where events about them live: for those without a namespace, default
	objects   int
}

type scopeKey struct {
	namespace string
	kind      metav1.TypeMeta
}

// Namespace is a namespace of events. It is held as long as any object has its events there.
type Namespace struct {
	Name      string
	slots     [Slots]chain // of Work that is due
	announced uint16       // a bit for each slot
	fresh     uint16       // slots that hold something and are not announced
	links                  // of the namespaces with such slots
	self      ref
	scopes    int
}

// Scope returns the scope of an object.
func (s *Store) Scope(o *Object) *Scope { return *s.scopes.at(o.scope) }

// enterScope finds or makes the scope of an object, and counts the object.
func (s *Store) enterScope(regarding *runtime.ObjectRef) ref {
	key := scopeKey{namespace: regarding.Namespace, kind: regarding.TypeMeta()}
	scope := s.lastScope
	if scope == nil || scope.key() != key {
		scope = s.byScope[key]
	}
	if scope == nil {
		scope = s.newScope(key)
	}
	scope.objects++
	s.lastScope = scope
	return scope.self
}

func (s *Store) newScope(key scopeKey) *Scope {
	scope := &Scope{
		Namespace: strings.Clone(key.namespace),
		Kind:      metav1.TypeMeta{APIVersion: strings.Clone(key.kind.APIVersion), Kind: strings.Clone(key.kind.Kind)},
		self:      s.scopes.alloc(),
	}
	*s.scopes.at(scope.self) = scope
	s.byScope[scope.key()] = scope
	s.bytes += scope.text()
	scope.Home = s.enterNamespace(cmp.Or(scope.Namespace, "default"))
	scope.Home.scopes++
	return scope
}

func (s *Store) enterNamespace(name string) *Namespace {
	if ns := s.byNamespace[name]; ns != nil {
		return ns
	}
	ns := &Namespace{Name: name, self: s.namespaces.alloc()}
	*s.namespaces.at(ns.self) = ns
	s.byNamespace[name] = ns
	return ns
}

// leaveScope forgets a scope with its last object, and a namespace with its last scope.
func (s *Store) leaveScope(r ref) {
	scope := *s.scopes.at(r)
	if scope.objects--; scope.objects > 0 {
		return
	}
	delete(s.byScope, scope.key())
	*s.scopes.at(r) = nil
	s.scopes.release(r)
	s.lastScope = nil
	s.bytes -= scope.text()
	ns := scope.Home
	if ns.scopes--; ns.scopes > 0 {
		return
	}
	delete(s.byNamespace, ns.Name)
	*s.namespaces.at(ns.self) = nil
	s.namespaces.release(ns.self)
}

func (c *Scope) key() scopeKey { return scopeKey{namespace: c.Namespace, kind: c.Kind} }

func (c *Scope) text() int64 {
	return int64(len(c.Namespace) + len(c.Kind.APIVersion) + len(c.Kind.Kind))
}
