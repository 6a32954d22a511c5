package sink

import "context"

// DryRunner is a Sink that can ask its server what it would answer to a write, while the server
// stores nothing. It is optional: broadcaster.Broadcaster.Check needs it.
type DryRunner interface {
	Sink
	// DryRun sends a write as Write does, and by the same path, but marked so that nothing is
	// stored.
	DryRun(ctx context.Context, w *Write) Answer
}
