package correlator

import (
	"hash/maphash"
	"math/bits"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator/internal/store"
)

// Identities are found by hash and compared field by field: joined keys would take "Ab"+"c" for "A"+"bc". Resource versions and
// annotations are left out.

var seed = maphash.MakeSeed()

// ObjectHash returns a hash of the object that an event is about. It is the same for all events about the object while the process lives. The
// broadcaster chooses a shard by it and passes it to Observe.
func ObjectHash(e *runtime.Event) uint64 {
	return referenceHash(e.Regarding())
}

// referenceHash covers the fields that sameObject and sameReference compare, except the field path.
func referenceHash(o *runtime.ObjectRef) uint64 {
	which := o.UID
	if which == "" {
		which = runtime.GroupOf(o.APIVersion)
	}
	return mix(pairHash(o.Name, which), pairHash(o.Namespace, o.Kind))
}

// keys are secrets of the process, so that an attacker can't make texts with equal hashes.
var keys = [...]uint64{maphash.String(seed, "a"), maphash.String(seed, "b")}

// pairHash is a hash of two texts that are mostly short. It is cheaper than maphash.
func pairHash(a, b string) uint64 {
	return product(word(a)^keys[0], word(b)^keys[1]) ^ uint64(len(a))<<32 ^ uint64(len(b))
}

func product(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// word holds the bytes of a text of up to 8 bytes, without its length; for a longer text it is a hash.
func word(s string) uint64 {
	n := len(s)
	switch {
	case n > 64: // mutate: all branches hash what they are given
		return maphash.String(seed, s)
	case n > 16: // mutate: the same
		h := keys[0]
		for rest := s; len(rest) > 16; rest = rest[16:] { // mutate: what follows covers the last 16
			h = product(eight(rest)^keys[1], eight(rest[8:])^h)
		}
		return product(eight(s[n-16:])^keys[1], eight(s[n-8:])^h)
	case n > 8: // mutate: the same
		return product(eight(s)^keys[1], eight(s[n-8:])^keys[0])
	case n >= 4:
		return uint64(four(s)) | uint64(four(s[n-4:]))<<32
	case n > 0:
		return uint64(s[0]) | uint64(s[n/2])<<8 | uint64(s[n-1])<<16
	}
	return 0
}

func eight(s string) uint64 { return uint64(four(s)) | uint64(four(s[4:]))<<32 }

func four(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// mix folds a second hash into the first. The order matters.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, v^0xbf58476d1ce4e5b9)
	return hi ^ lo ^ bits.RotateLeft64(h, 23)
}

// argsHash covers arguments, but for those whose bit is set in except. Absent ones count for nothing, since equal events may have more of them.
// It reads them where they are: a hash of bytes that were put together a moment ago waits for them.
func argsHash(args []runtime.Arg, except uint8) uint64 {
	h := keys[0]
	for n := range args {
		text, number, kind := args[n].Raw()
		if except&(1<<n) != 0 || kind == 0 && text == "" {
			continue
		}
		h = mix(h^kind^uint64(n)<<40^uint64(len(text))<<43, number^word(text))
	}
	return h
}

// identityHash covers the fields that find compares. args is the hash of the arguments that are part of the identity.
func identityHash(objectHash uint64, e *runtime.Event, args uint64) uint64 {
	def := e.Definition()
	h := mix(mix(objectHash, definitionHash(def)), args)
	if path := e.Regarding().FieldPath; path != "" {
		h = mix(h, maphash.String(seed, path))
	}
	if r := e.Related(); r.Present() {
		h = mix(h, referenceHash(r))
		if r.FieldPath != "" {
			h = mix(h, maphash.String(seed, r.FieldPath))
		}
	}
	if def.ReportingController == "" {
		if controller := e.ReportingController(); controller != "" {
			h = mix(h, maphash.String(seed, controller))
		}
	}
	return h
}

func definitionHash(def *runtime.Definition) uint64 {
	if !def.Forwarded {
		return store.Address(def)
	}
	return mix(maphash.String(seed, def.Reason), maphash.String(seed, def.Action)) ^ pairHash(def.Type, def.ReportingController)
}

// lookUp makes an event the current one, and finds its existing records.
func (c *Correlator) lookUp(objectHash uint64, e *runtime.Event) (o *store.Object, i *store.Identity, hash uint32) {
	c.argsHash = argsHash(e.Args(), e.Definition().Correlation.Merged)
	hash = uint32(identityHash(objectHash, e, c.argsHash) & c.hashMask)
	o, i = c.find(uint32(objectHash), hash, e)
	return o, i, hash
}

// find returns the object of an event and its identity, nil if there is none. It prefetches: with many objects all records are far apart in
// memory, so it touches both index slots before comparing, and their cache misses overlap.
func (c *Correlator) find(objectHash, hash uint32, e *runtime.Event) (o *store.Object, i *store.Identity) {
	at, i := c.held.FirstIdentity(hash)
	place, o := c.held.FirstObject(objectHash)
	owner, def := c.said(i)
	for o != nil && !c.sameObject(o, e.Regarding()) {
		place, o = c.held.NextObject(objectHash, place)
	}
	for i != nil && (owner != o || !sameDefinition(def, e.Definition()) || !c.matches(i, e)) {
		at, i = c.held.NextIdentity(hash, at)
		owner, def = c.said(i)
	}
	return o, i
}

// said holds what an identity knows of its object and definition.
func (c *Correlator) said(i *store.Identity) (*store.Object, *runtime.Definition) {
	if i == nil {
		return nil, nil
	}
	return c.held.Object(i), i.Definition
}

// sameObject ignores the API version if there is a UID, because one object can be seen in several groups and versions. It also compares
// namespace, kind and name, because callers that make references themselves may give one UID to several objects.
func (c *Correlator) sameObject(o *store.Object, e *runtime.ObjectRef) bool {
	s := c.held.Scope(o)
	return o.SameName(e.Name) && s.Namespace == e.Namespace && s.Kind.Kind == e.Kind && o.SameUID(e.UID) &&
		(e.UID != "" || s.Kind.APIVersion == e.APIVersion || runtime.GroupOf(s.Kind.APIVersion) == runtime.GroupOf(e.APIVersion))
}

func sameReference(a, b *runtime.ObjectRef) bool {
	if a.Present() != b.Present() {
		return false
	}
	if !a.Present() {
		return true
	}
	return a.FieldPath == b.FieldPath && a.UID == b.UID && a.Name == b.Name && a.Namespace == b.Namespace && a.Kind == b.Kind &&
		(a.UID != "" || a.APIVersion == b.APIVersion || runtime.GroupOf(a.APIVersion) == runtime.GroupOf(b.APIVersion))
}

func sameDefinition(a, b *runtime.Definition) bool {
	if a == b {
		return true
	}
	return a.Forwarded && b.Forwarded && a.Reason == b.Reason && a.Action == b.Action && a.Type == b.Type &&
		a.ReportingController == b.ReportingController
}

// matches reports whether e, the current event, is an occurrence of the identity. The caller has checked that object and definition
// are equal.
func (c *Correlator) matches(i *store.Identity, e *runtime.Event) bool {
	if !runtime.SamePackedArgs(i.Args, e.Args(), i.Definition.Correlation.Merged) {
		return false
	}
	m := i.More()
	if m.Folded != nil || m.FieldPath != e.Regarding().FieldPath || !sameReference(&m.Related, e.Related()) {
		return false
	}
	return i.Definition.ReportingController != "" || m.Controller == e.ReportingController()
}

// detail returns the part of e, the current event, that is held.
func (c *Correlator) detail(e *runtime.Event) store.Detail {
	controller := ""
	if e.Definition().ReportingController == "" {
		controller = e.ReportingController()
	}
	if controller == "" && e.Regarding().FieldPath == "" && !e.Related().Present() && len(e.Annotations()) == 0 {
		return c.held.NewDetail(e.Args(), c.argsHash, nil)
	}
	return c.held.NewDetail(e.Args(), c.argsHash, &store.More{Related: *e.Related(), FieldPath: e.Regarding().FieldPath, Controller: controller, Annotations: e.Annotations()})
}
