// Package both records one event through both APIs.
package both

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

type r struct {
	old   record.EventRecorder
	fresh events.EventRecorder
	new   bool
}

func (r *r) emit(pod *corev1.Pod, reason, message string) {
	if r.new {
		r.fresh.Eventf(pod, nil, "Normal", reason, "Finalize", "%s", message)
		return
	}
	r.old.Event(pod, "Normal", reason, message)
}

func (r *r) finalize(pod *corev1.Pod) {
	r.emit(pod, "Finalized", "done with "+pod.Spec.NodeName)
	r.old.Event(pod, "Normal", "Empty", "")
	r.fresh.Eventf(pod, nil, "Normal", "EmptyToo", "Empty", "")
}
