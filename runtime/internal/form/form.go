// Package form says what a Write looks like in each of the two API groups that hold events: as an object to create, as a
// change to one that is stored, and as the merge patch that makes this change. The in-memory sink and the sinks of
// package kube both go by it.
package form

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Form is the shape in which an event is written.
type Form uint8

const (
	// EventsV1 is events.k8s.io/v1: an event time, and a series from the second occurrence on. The note never changes.
	EventsV1 Form = iota
	// CoreV1 is the form of the core group: a count, and the times of the first and the last occurrence.
	CoreV1
)

// GroupVersion is the API group and version of the form.
func (f Form) GroupVersion() schema.GroupVersion {
	if f == CoreV1 {
		return corev1.SchemeGroupVersion
	}
	return eventsv1.SchemeGroupVersion
}

// String is "core/v1" or "events.k8s.io/v1".
func (f Form) String() string {
	if f == CoreV1 {
		return "core/v1"
	}
	return "events.k8s.io/v1"
}
