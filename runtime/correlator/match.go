package correlator

import "github.com/event-gen/event-gen/runtime"

// Identities are compared field by field: joined keys would take "Ab"+"c" for "A"+"bc". Resource versions and annotations
// are no part.

// sameObject goes by the UID, which tells the group and version that an object is seen in from the object. Those who make
// references themselves give one UID to several objects, which are told apart all the same.
func (c *Correlator) sameObject(o *object, e *runtime.Object) bool {
	s := c.scopeOf(o)
	return string(o.name()) == heldName(e.Name) && s.namespace == e.Namespace && s.kind.Kind == e.Kind.Kind && o.sameUID(e.UID) &&
		(e.UID != "" || s.kind.APIVersion == e.Kind.APIVersion || s.kind.Group() == e.Kind.Group())
}

func sameReference(a, b *runtime.Object) bool {
	if !a.Present() || !b.Present() {
		return a.Present() == b.Present()
	}
	return a.FieldPath == b.FieldPath && a.UID == b.UID && a.Name == b.Name && a.Namespace == b.Namespace && a.Kind.Kind == b.Kind.Kind &&
		(a.UID != "" || a.Kind.Group() == b.Kind.Group())
}

func sameSpec(a, b *runtime.Spec) bool {
	if a == b {
		return true
	}
	return a.Forwarded && b.Forwarded && a.Reason == b.Reason && a.Action == b.Action && a.Type == b.Type &&
		a.Controller == b.Controller
}

// sameGroup reports whether events of one object share limits and aggregate.
func sameGroup(a, b *runtime.Spec) bool {
	return a == b || (a.Reason == b.Reason && a.Type == b.Type && a.Controller == b.Controller)
}

// matches reports whether the event at hand, which is e, is an occurrence of the identity, whose object and spec are
// known to be the event's.
func (c *Correlator) matches(i *identity, e *runtime.Event) bool {
	if merged := i.spec.Correlation.Merged; merged == 0 && i.args != string(c.packed) ||
		merged != 0 && !runtime.SamePackedArgs(i.args, e.Args(), merged) {
		return false
	}
	m := i.rest()
	if m.folded != nil || m.fieldPath != e.Regarding().FieldPath || !sameReference(&m.related, e.Related()) {
		return false
	}
	return i.spec.Controller != "" || m.controller == e.Controller()
}
