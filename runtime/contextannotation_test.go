package eventrt_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/inside"
)

type traceKey struct{}

var noContext context.Context

// tracer is a Publisher that annotates events with the trace of their context.
type tracer struct {
	publishedEvents
	key string
}

func (t *tracer) Inside(inside.Key) inside.Texts { return t }

func (t *tracer) Redact(text string) string { return text }

func (t *tracer) ContextAnnotation(ctx context.Context) (string, string) {
	trace, _ := ctx.Value(traceKey{}).(string)
	return t.key, trace
}

func traced(id string) context.Context {
	return context.WithValue(context.Background(), traceKey{}, id)
}

func TestContextAnnotations(t *testing.T) {
	const key = "example.com/trace"
	tests := []struct {
		name string
		make func(*eventrt.Recorder) *eventrt.Recorder
		want []eventrt.Annotation
	}{
		{"no context", func(r *eventrt.Recorder) *eventrt.Recorder { return r }, nil},
		{"a context without a trace", func(r *eventrt.Recorder) *eventrt.Recorder { return r.WithContext(context.Background()) }, nil},
		{"a nil context", func(r *eventrt.Recorder) *eventrt.Recorder { return r.WithContext(noContext) }, nil},
		{"a trace", func(r *eventrt.Recorder) *eventrt.Recorder { return r.WithContext(traced("1")) },
			[]eventrt.Annotation{{Key: key, Value: "1"}}},
		{"the last context counts", func(r *eventrt.Recorder) *eventrt.Recorder {
			return r.WithContext(traced("1")).WithContext(traced("2"))
		}, []eventrt.Annotation{{Key: key, Value: "2"}}},
		{"the last context has none", func(r *eventrt.Recorder) *eventrt.Recorder {
			return r.WithContext(traced("1")).WithContext(context.Background())
		}, nil},
		{"beside others, sorted", func(r *eventrt.Recorder) *eventrt.Recorder {
			return r.WithAnnotations(map[string]string{"z": "z"}).WithContext(traced("1")).WithAnnotations(map[string]string{"a": "a"})
		}, []eventrt.Annotation{{Key: "a", Value: "a"}, {Key: key, Value: "1"}, {Key: "z", Value: "z"}}},
		{"the caller's wins", func(r *eventrt.Recorder) *eventrt.Recorder {
			return r.WithAnnotations(map[string]string{key: "mine"}).WithContext(traced("1"))
		}, []eventrt.Annotation{{Key: key, Value: "mine"}}},
		{"cleaned", func(r *eventrt.Recorder) *eventrt.Recorder { return r.WithContext(traced("a\nb")) },
			[]eventrt.Annotation{{Key: key, Value: "a b"}}},
	}
	for _, tt := range tests {
		p := &tracer{key: key}
		tt.make(eventrt.NewRecorder(p)).Emit(eventrt.NewEvent(plainDefinition(), eventrt.ObjectOf(pod()), eventrt.ObjectRef{}))
		e := p.last()
		if diff := cmp.Diff(tt.want, append([]eventrt.Annotation(nil), e.Annotations()...)); diff != "" {
			t.Errorf("%s (- expected, + found):\n%s", tt.name, diff)
		}
		if e.Problem() != eventrt.NoProblem {
			t.Errorf("%s: %v", tt.name, e.Problem())
		}
	}
}
