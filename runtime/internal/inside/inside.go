// Package inside keeps what the packages of the run time do with each other's values out of the
// API that users see. A method or a function that takes a Key can't be called from elsewhere.
package inside

import "context"

// Key is asked for by eventrt.Inside, and by the methods of that name. Its field keeps a plain
// struct{}{} from being one.
type Key struct{ _ bool }

// Publisher is an eventrt.Publisher that has a part in the texts of recorders, as broadcasters do.
type Publisher interface {
	Inside(Key) Texts
}

// Texts is what a publisher does with texts before there is an event.
type Texts interface {
	// Redact returns a text as the publisher cleans it. It must not panic, and must be safe for
	// concurrent use.
	Redact(text string) string
	// ContextAnnotation returns the key, a qualified name, and the value of the annotation that
	// events get from a context; an empty key or value means none. It must not panic, and must be
	// safe for concurrent use.
	ContextAnnotation(ctx context.Context) (key, value string)
}
