package broadcaster

import (
	"context"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// DefaultTraceKey is the key of the annotation that carries a trace id.
const DefaultTraceKey = "event-gen.github.io/trace-id"

// TraceAnnotation puts the id of a trace on events. With OpenTelemetry:
//
//	Value: func(ctx context.Context) string {
//		if sc := trace.SpanContextFromContext(ctx); sc.HasTraceID() {
//			return sc.TraceID().String()
//		}
//		return ""
//	}
type TraceAnnotation struct {
	// Key is the annotation's key, a qualified name; empty: DefaultTraceKey.
	Key string
	// Value returns a context's trace id; empty: none. It is called once for each Recorder.WithContext, in the caller's
	// goroutine, and must be safe for concurrent use. A panic means no trace id, and the first is logged. Nil: events get no trace id.
	Value func(context.Context) string
}

func (t *TraceAnnotation) validate() error {
	if problems := validation.IsQualifiedName(strings.ToLower(t.Key)); len(problems) > 0 {
		return fmt.Errorf("option TraceAnnotation.Key: %q is no qualified name such as %s: %s", t.Key, DefaultTraceKey, strings.Join(problems, "; "))
	}
	return nil
}

// ContextAnnotation implements runtime.ContextAnnotator.
func (b *Broadcaster) ContextAnnotation(ctx context.Context) (key, value string) {
	t := &b.opts.TraceAnnotation
	if t.Value == nil {
		return "", ""
	}
	defer func() {
		if p := recover(); p != nil {
			b.say.once(&b.say.tracePanicked, "TraceAnnotation.Value panicked; the events go without a trace id", p)
			key, value = "", ""
		}
	}()
	return t.Key, t.Value(ctx)
}
