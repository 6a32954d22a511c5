package eventrt

import (
	"context"
	"slices"
	"strings"
	"time"

	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/runtime/internal/inside"
)

// maxAnnotationsBytes leaves half of the API server's 256 KiB to the annotations that the catalog
// and the correlator add.
const maxAnnotationsBytes = 128 << 10

// Publisher takes events from recorders. Publish must not block on I/O, must not panic, and must be
// safe for concurrent use; it may keep the event, which is a value. Broadcasters and the back ends
// of runtime/clientgo are publishers.
type Publisher interface {
	Publish(Event)
}

// Recorder hands events to a Publisher, with the additions of its With methods. Generated recorders
// wrap a Recorder. A nil Recorder is a silent no-op. A Recorder never changes, and is safe for
// concurrent use.
type Recorder struct {
	publisher Publisher
	plain     plain // in place of a publisher
	attached  *attached
	at        time.Time
}

// NewRecorder returns a recorder that sends to p.
func NewRecorder(p Publisher) *Recorder { return &Recorder{publisher: p} }

// Emit records events, in their order, with the current time unless At has set another. It does not
// block, and it never panics. The publisher counts events that can't be recorded
// (Stats.Lost.Rejected), and logs the first of each kind of problem.
func (r *Recorder) Emit(events ...Event) {
	if r == nil || r.publisher == nil && !r.plain.is() {
		return
	}
	for _, e := range events {
		if r.attached != nil {
			e.attached = r.attached
		}
		if !r.at.IsZero() {
			e.at = r.at
		}
		if r.plain.is() {
			r.plain.record(&e, nil, nil)
			continue
		}
		r.publisher.Publish(e)
	}
}

// EmitNew makes an event as NewEvent does, and emits it. Generated methods call it.
func (r *Recorder) EmitNew(def *Definition, regarding, related ObjectRef, args ...Arg) {
	if r == nil || r.publisher == nil && !r.plain.is() {
		return
	}
	e := NewEvent(def, regarding, related, args...)
	e.attached, e.at = r.attached, r.at
	if r.plain.is() {
		r.plain.record(&e, regarding.source, related.source)
		return
	}
	r.publisher.Publish(e)
}

// EmitOf is EmitNew for objects whose kinds the definition knows. A nil object is an absent one.
func (r *Recorder) EmitOf(def *Definition, regarding, related ClientObject, args ...Arg) {
	r.EmitNew(def, clientObject(regarding), clientObject(related), args...)
}

// Forward records an event that no catalog declares, for code that passes on events from elsewhere.
// The message is text, never a format. An empty action becomes the reason. An event whose type is
// neither Normal nor Warning is rejected. The analyzer reports the call (EV501).
func (r *Recorder) Forward(object k8sruntime.Object, eventType, reason, action, message string) {
	if r == nil {
		return
	}
	if !isEventType(eventType) {
		eventType = r.redact(eventType) // the problem quotes it
	}
	def := forwardedDefinition(eventType, r.redact(reason), r.redact(action))
	r.EmitNew(def, AnyObject(object), ObjectRef{}, String(message))
}

// WithContext returns a recorder whose events carry ctx, in which subscribers look for a logger.
// They also carry the annotation that the publisher makes from ctx, such as a
// trace id. The end of ctx has no effect on recording.
func (r *Recorder) WithContext(ctx context.Context) *Recorder {
	return r.with(func(a *attached) {
		a.ctx = ctx
		a.traced = contextAnnotation(r.publisher, ctx)
		a.join()
	})
}

// WithReportingController returns a recorder that names the reporting controller of events whose
// catalog names none. The name must be a qualified name; otherwise every event is rejected. On a
// recorder of FromEvents or FromRecord it has no effect.
func (r *Recorder) WithReportingController(controller string) *Recorder {
	return r.with(func(a *attached) {
		if a.named {
			return
		}
		a.controller = controller
		a.badReportingController = len(validation.IsQualifiedName(controller)) > 0
	})
}

// WithAnnotations returns a recorder whose events also carry the annotations. It copies the map,
// and cuts values to 1024 bytes. If a key is not a qualified name, or all annotations exceed 128
// KiB, the recorder's events are rejected. Annotations are not part of an event's identity: the
// first write's annotations stay.
func (r *Recorder) WithAnnotations(annotations map[string]string) *Recorder {
	return r.with(func(a *attached) {
		merged := slices.Clone(a.given)
		for k, v := range annotations {
			merged = slices.DeleteFunc(merged, func(old Annotation) bool { return old.Key == k })
			merged = append(merged, Annotation{Key: k, Value: r.annotationValue(v)})
		}
		a.given = merged
		a.join()
	})
}

// annotationValue returns the part of a value that a recorder keeps; a plain recorder passes the
// whole value on.
func (r *Recorder) annotationValue(v string) string {
	if r.plain.is() {
		return v
	}
	return Clean(r.redact(v), MaxNoteBytes)
}

// annotationsValid applies the API server's rules (apimachinery pkg/api/validation/objectmeta.go).
func annotationsValid(annotations []Annotation) bool {
	size := 0
	for _, a := range annotations {
		size += len(a.Key) + len(a.Value)
		if len(validation.IsQualifiedName(strings.ToLower(a.Key))) > 0 {
			return false
		}
	}
	return size <= maxAnnotationsBytes
}

// At returns a recorder for something that happened earlier: its events carry t. The zero time
// means now.
func (r *Recorder) At(t time.Time) *Recorder {
	if r == nil {
		return nil
	}
	c := *r
	c.at = t
	return &c
}

func (r *Recorder) with(change func(*attached)) *Recorder {
	if r == nil {
		return nil
	}
	c := *r
	a := attached{}
	if r.attached != nil {
		a = *r.attached
	}
	change(&a)
	c.attached = &a
	return &c
}

// contextAnnotation asks a Publisher for an annotation of a context, such as a trace id: once for
// each WithContext, not for every event.
func contextAnnotation(p Publisher, ctx context.Context) Annotation {
	c, ok := p.(inside.Publisher)
	if !ok || ctx == nil {
		return Annotation{}
	}
	key, value := c.Inside(inside.Key{}).ContextAnnotation(ctx)
	if key == "" || value == "" {
		return Annotation{}
	}
	return Annotation{Key: key, Value: Clean(value, MaxNoteBytes)}
}

// join makes one list of the caller's annotations and the context's. The caller's wins.
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
