package sink

import "github.com/event-gen/event-gen/runtime/sink/internal/store"

// Store is what a Memory keeps its events in.
func (m *Memory) Store() *store.Store { return m.store }
