package correlator

import (
	"hash/maphash"
	"math/bits"

	"github.com/event-gen/event-gen/runtime"
)

var seed = maphash.MakeSeed()

// ObjectHash is a hash of the object an event is about, the same for all events about it while the process lives. The
// broadcaster chooses a shard by it and hands it to Observe.
func ObjectHash(e *runtime.Event) uint64 {
	o := e.Regarding()
	h := maphash.String(seed, o.Name)
	if o.UID != "" {
		return mix(h, maphash.String(seed, o.UID)) // with the name, as references made by hand share UIDs
	}
	h = mix(h, maphash.String(seed, o.Namespace))
	h = mix(h, maphash.String(seed, o.Kind))
	return mix(h, maphash.String(seed, runtime.GroupOf(o.APIVersion)))
}

// mix folds a second hash into the first, order mattering.
func mix(h, v uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, v^0xbf58476d1ce4e5b9)
	return hi ^ lo ^ bits.RotateLeft64(h, 23)
}

// identityHash covers what find compares. key are the packed arguments that are part of the identity.
func identityHash(objectHash uint64, e *runtime.Event, key []byte) uint64 {
	def := e.Definition()
	h := mix(objectHash, definitionHash(def))
	if len(key) > 0 {
		h = mix(h, maphash.Bytes(seed, key))
	}
	if path := e.Regarding().FieldPath; path != "" {
		h = mix(h, maphash.String(seed, path))
	}
	if r := e.Related(); r.Present() {
		h = mix(h, maphash.String(seed, r.UID))
		h = mix(h, maphash.String(seed, r.Name))
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
		return maphash.Comparable(seed, def)
	}
	h := maphash.String(seed, def.Reason)
	h = mix(h, maphash.String(seed, def.Action))
	h = mix(h, maphash.String(seed, def.ReportingController))
	return mix(h, maphash.String(seed, def.Type))
}
