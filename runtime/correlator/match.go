package correlator

import "github.com/event-gen/event-gen/runtime"

// Identities are compared field by field: joined keys would take "Ab"+"c" for "A"+"bc". Resource versions and annotations
// are no part.

// sameObject goes by the UID, which tells the group and version that an object is seen in from the object. Those who make
// references themselves give one UID to several objects, which are told apart all the same.
func sameObject(o *object, e *runtime.Object) bool {
	kind := &o.scope.kind
	return o.name() == heldName(e.Name) && o.scope.namespace == e.Namespace && kind.Kind == e.Kind.Kind && o.sameUID(e.UID) &&
		(e.UID != "" || kind.APIVersion == e.Kind.APIVersion || kind.Group() == e.Kind.Group())
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

var (
	noObject = &runtime.Object{}
	noDetail = &detail{related: noObject}
)

func (i *identity) details() *detail {
	if i.detail == nil {
		return noDetail
	}
	return i.detail
}

// matches reports whether the event is an occurrence of the identity, whose object is known to be the event's.
func (i *identity) matches(e *runtime.Event) bool {
	if !sameSpec(i.spec, e.Spec()) {
		return false
	}
	d := i.details()
	if d.folded != nil || d.fieldPath != e.Regarding().FieldPath || !sameReference(d.related, e.Related()) {
		return false
	}
	if i.spec.Controller == "" && d.controller != e.Controller() {
		return false
	}
	return sameArgs(d.args, e.Args(), i.spec.Correlation.Merged)
}

// sameArgs compares the arguments that are part of the identity. An identity without detail has only absent ones.
func sameArgs(held, args []runtime.Arg, merged uint8) bool {
	for i := range args {
		if merged&(1<<i) != 0 {
			continue
		}
		var h runtime.Arg
		if i < len(held) {
			h = held[i]
		}
		if h != args[i] {
			return false
		}
	}
	return true
}
