package runtime

import (
	"context"
	"slices"
	"strings"
)

// ContextAnnotator is a Publisher that makes an annotation of a context, such as one that holds a trace id. Recorders ask
// it once for each WithContext, not with every event.
type ContextAnnotator interface {
	// ContextAnnotation returns the key, a qualified name, and the value; an empty key or value means none. It must not
	// panic, and must be safe for concurrent use.
	ContextAnnotation(ctx context.Context) (key, value string)
}

func contextAnnotation(p Publisher, ctx context.Context) Annotation {
	c, ok := p.(ContextAnnotator)
	if !ok || ctx == nil {
		return Annotation{}
	}
	key, value := c.ContextAnnotation(ctx)
	if key == "" || value == "" {
		return Annotation{}
	}
	return Annotation{Key: key, Value: Clean(value, MaxNoteBytes)}
}

// join makes one list of what the caller gave and what the context says; the caller's wins.
func (a *attached) join() {
	joined := slices.Clone(a.given)
	hasKey := func(other Annotation) bool { return other.Key == a.traced.Key }
	if a.traced.Key != "" && !slices.ContainsFunc(joined, hasKey) {
		joined = append(joined, a.traced)
	}
	slices.SortFunc(joined, func(x, y Annotation) int { return strings.Compare(x.Key, y.Key) })
	a.annotations = joined
	a.badAnnotation = !annotationsValid(joined)
}
