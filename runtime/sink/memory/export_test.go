package memory

import "github.com/event-gen/event-gen/runtime/sink/internal/store"

// Store is what a Sink keeps its events in.
func (m *Sink) Store() *store.Store { return m.store }
