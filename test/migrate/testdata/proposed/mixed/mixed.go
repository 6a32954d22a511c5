// Package mixed has a recorder with a method of each API. Its Event gives an action.
package mixed

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
)

type recorder struct{ rec events.EventRecorder }

func (r *recorder) Eventf(obj, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	r.rec.Eventf(obj, related, eventtype, reason, action, note, args...)
}

func (r *recorder) Event(obj runtime.Object, eventtype, reason, message string) {
	r.Eventf(obj, nil, eventtype, reason, "Reconcile", "%s", message)
}

type reconciler struct{ rec *recorder }

func (r *reconciler) stop(pod, other *corev1.Pod) {
	r.rec.Event(pod, "Normal", "Stopping", "Stopping")
	r.rec.Eventf(pod, other, "Normal", "Stopped", "Stop", "Stopped %s", other.Name)
}
