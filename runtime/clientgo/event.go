package clientgo

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/record/util"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Events travel through the pipeline as verbatim events whose one argument is the message, or as
// typed ones. Watchers and key functions see them as client-go's recorders make them (makeEvent in
// tools/record/event.go and tools/events/event_recorder.go).

func messageOf(e *eventrt.Event) string {
	if internals.IsVerbatim(e.Definition()) {
		return e.Args()[0].Text()
	}
	return e.Message()
}

// coreEvent is an occurrence as the core group has it.
func coreEvent(e *eventrt.Event) *corev1.Event {
	from := sourceOf(e.ReportingController())
	at := metav1.Time{Time: e.Time()}
	return &corev1.Event{
		ObjectMeta:          metaOf(e),
		InvolvedObject:      e.Regarding().Reference(),
		Reason:              e.Reason(),
		Message:             messageOf(e),
		Source:              corev1.EventSource{Component: from.component, Host: from.host},
		FirstTimestamp:      at,
		LastTimestamp:       at,
		Count:               1,
		Type:                e.Type(),
		Action:              e.Action(),
		Related:             relatedOf(e),
		ReportingController: from.component,
		ReportingInstance:   from.host,
	}
}

// eventsEvent is an occurrence as events.k8s.io/v1 has it.
func eventsEvent(e *eventrt.Event) *eventsv1.Event {
	from := sourceOf(e.ReportingController())
	return &eventsv1.Event{
		ObjectMeta:          metaOf(e),
		EventTime:           metav1.MicroTime{Time: e.Time()},
		ReportingController: from.component,
		ReportingInstance:   from.host,
		Action:              e.Action(),
		Reason:              e.Reason(),
		Regarding:           e.Regarding().Reference(),
		Related:             relatedOf(e),
		Note:                messageOf(e),
		Type:                e.Type(),
	}
}

func metaOf(e *eventrt.Event) metav1.ObjectMeta {
	o := e.Regarding()
	return metav1.ObjectMeta{
		Name:        util.GenerateEventName(o.Name, e.Time().UnixNano()),
		Namespace:   cmp.Or(o.Namespace, metav1.NamespaceDefault),
		Annotations: e.AnnotationMap(),
	}
}

func relatedOf(e *eventrt.Event) *corev1.ObjectReference {
	if !e.Related().Present() {
		return nil
	}
	ref := e.Related().Reference()
	return &ref
}

// annotationList lists the caller's annotations, cleaned and sorted. Whoever holds an event for
// longer copies their texts.
func annotationList(m map[string]string, redact func(string) string) []eventrt.Annotation {
	if len(m) == 0 {
		return nil
	}
	list := make([]eventrt.Annotation, 0, len(m))
	for k, v := range m {
		list = append(list, eventrt.Annotation{Key: k, Value: redact(v)})
	}
	slices.SortFunc(list, func(a, b eventrt.Annotation) int { return cmp.Compare(a.Key, b.Key) })
	return list
}
