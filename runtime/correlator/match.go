package correlator

import "github.com/event-gen/event-gen/runtime"

// Identities are compared field by field: joined keys would take "Ab"+"c" for "A"+"bc". Resource versions and annotations
// are no part.

// sameObject goes by the UID, which tells the group and version that an object is seen in from the object. Those who make
// references themselves give one UID to several objects, which are told apart all the same.
func (c *Correlator) sameObject(o *object, e *runtime.ObjectRef) bool {
	s := c.scopeOf(o)
	return string(o.name()) == heldName(e.Name) && s.namespace == e.Namespace && s.kind.Kind == e.Kind && o.sameUID(e.UID) &&
		(e.UID != "" || s.kind.APIVersion == e.APIVersion || runtime.GroupOf(s.kind.APIVersion) == runtime.GroupOf(e.APIVersion))
}

func sameReference(a, b *runtime.ObjectRef) bool {
	if !a.Present() || !b.Present() {
		return a.Present() == b.Present()
	}
	return a.FieldPath == b.FieldPath && a.UID == b.UID && a.Name == b.Name && a.Namespace == b.Namespace && a.Kind == b.Kind &&
		(a.UID != "" || runtime.GroupOf(a.APIVersion) == runtime.GroupOf(b.APIVersion))
}

func sameDefinition(a, b *runtime.Definition) bool {
	if a == b {
		return true
	}
	return a.Forwarded && b.Forwarded && a.Reason == b.Reason && a.Action == b.Action && a.Type == b.Type &&
		a.ReportingController == b.ReportingController
}

// sameGroup reports whether events of one object share limits and aggregate.
func sameGroup(a, b *runtime.Definition) bool {
	return a == b || (a.Reason == b.Reason && a.Type == b.Type && a.ReportingController == b.ReportingController)
}

// matches reports whether the event at hand, which is e, is an occurrence of the identity, whose object and definition are
// known to be the event's.
func (c *Correlator) matches(i *identity, e *runtime.Event) bool {
	if merged := i.def.Correlation.Merged; merged == 0 && i.args != string(c.packed) ||
		merged != 0 && !runtime.SamePackedArgs(i.args, e.Args(), merged) {
		return false
	}
	m := i.rest()
	if m.folded != nil || m.fieldPath != e.Regarding().FieldPath || !sameReference(&m.related, e.Related()) {
		return false
	}
	return i.def.ReportingController != "" || m.controller == e.ReportingController()
}
