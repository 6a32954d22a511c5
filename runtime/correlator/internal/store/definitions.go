package store

import (
	"unsafe"

	"github.com/event-gen/event-gen/runtime"
)

// The store holds a definition that was made for one event once for all equal definitions, and counts its memory. A catalog's definition, and
// one that its maker keeps, costs nothing.

type definitionKey struct {
	reason, action, eventType, controller string
	merged                                uint8
	message                               *runtime.Segment // the first: definitions of one maker share it
}

type heldDefinition struct {
	*runtime.Definition
	uses int
}

// definitionBytes estimates the cost of a definition apart from its texts: the definition and its place in the map, which is half full.
var definitionBytes = allocated(int(unsafe.Sizeof(runtime.Definition{}))) + allocated(int(unsafe.Sizeof(heldDefinition{}))) + int64(unsafe.Sizeof(definitionKey{}))*3/2 + 16

// single reports whether a definition was made for one event.
func single(d *runtime.Definition) bool { return d.Forwarded && !d.Shared }

// hold returns the definition that is held for d.
func (s *Store) hold(d *runtime.Definition) *runtime.Definition {
	if !single(d) {
		return d
	}
	h := s.definitions[keyOf(d)]
	if h == nil {
		h = &heldDefinition{Definition: d}
		s.definitions[keyOf(d)] = h
		s.bytes += definitionCost(d)
	}
	h.uses++
	return h.Definition
}

// drop is called once for each definition that hold returned.
func (s *Store) drop(d *runtime.Definition) {
	if !single(d) {
		return
	}
	k := keyOf(d)
	h := s.definitions[k]
	if h.uses--; h.uses == 0 {
		delete(s.definitions, k)
		s.bytes -= definitionCost(d)
	}
}

func keyOf(d *runtime.Definition) definitionKey {
	k := definitionKey{reason: d.Reason, action: d.Action, eventType: d.Type, controller: d.ReportingController, merged: d.Correlation.Merged}
	if len(d.Message) > 0 {
		k.message = &d.Message[0]
	}
	return k
}

func definitionCost(d *runtime.Definition) int64 {
	return definitionBytes + allocated(len(d.Reason)) + allocated(len(d.Action)) + allocated(len(d.ReportingController))
}
