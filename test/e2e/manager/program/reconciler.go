package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// reconciler has recorders as reconcilers have them: of both groups, one with a name that is no
// qualified one.
type reconciler struct {
	events         recorder.EventRecorder
	legacy, freely record.EventRecorder
	left           atomic.Int64 // recordings that were not made
}

// recordings are what is recorded about a Pod, by the Pod's name.
var recordings = map[string]func(*reconciler, *corev1.Pod){
	"legacy": func(r *reconciler, pod *corev1.Pod) {
		r.freely.Event(pod, corev1.EventTypeNormal, "Pulled", "half of it")
		r.freely.Eventf(pod, corev1.EventTypeWarning, "Failed", "%d of %s", 3, "five")
		r.freely.AnnotatedEventf(pod, map[string]string{"example.com/revision": "7"}, corev1.EventTypeNormal, "Noted", "with an annotation")
	},
	"legacy-repeated": func(r *reconciler, pod *corev1.Pod) {
		for range 20 {
			r.legacy.Event(pod, corev1.EventTypeNormal, "Again", "and again")
		}
	},
	"legacy-aggregated": func(r *reconciler, pod *corev1.Pod) {
		for n := range 14 {
			r.legacy.Eventf(pod, corev1.EventTypeNormal, "Varies", "number %d", n)
		}
	},
	"events": func(r *reconciler, pod *corev1.Pod) {
		other := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: "other", UID: "o"}}
		r.events.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d", 5)
		r.events.Eventf(pod, other, corev1.EventTypeWarning, "Failed", "Scale", "100%%")
		r.events.AnnotatedEventf(pod, nil, map[string]string{"example.com/revision": "7"}, corev1.EventTypeNormal, "Noted", "Note", "with an annotation")
	},
	"events-repeated": func(r *reconciler, pod *corev1.Pod) {
		for range 2 {
			r.events.Eventf(pod, nil, corev1.EventTypeNormal, "Again", "Try", "and again")
		}
	},
	"events-notes": func(r *reconciler, pod *corev1.Pod) {
		for n := range 2 {
			r.events.Eventf(pod, nil, corev1.EventTypeNormal, "Varies", "Try", "note %d", n)
		}
	},
	"events-without-action": func(r *reconciler, pod *corev1.Pod) {
		r.events.Eventf(pod, nil, corev1.EventTypeNormal, "Idle", "", "nothing to do")
	},
	"events-long-note": func(r *reconciler, pod *corev1.Pod) {
		r.events.Eventf(pod, nil, corev1.EventTypeNormal, "Long", "Try", "%s", strings.Repeat("x", 2000))
	},
}

// setUp adds the controller, with a request for each recording.
func setUp(m manager.Manager, namespace string) error {
	r := &reconciler{
		events: m.GetEventRecorder("example.com/widgets"),
		legacy: m.GetEventRecorderFor("example.com/widgets"), freely: m.GetEventRecorderFor("Widget Controller"),
	}
	r.left.Store(int64(len(recordings)))
	all := source.Func(func(_ context.Context, q workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		for name := range recordings {
			q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}})
		}
		return nil
	})
	return ctrl.NewControllerManagedBy(m).Named("program").WatchesRawSource(all).Complete(r)
}

// Reconcile makes the recording of a Pod. After the last one it prints a line.
func (r *reconciler) Reconcile(_ context.Context, request reconcile.Request) (reconcile.Result, error) {
	recordings[request.Name](r, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: request.Namespace, Name: request.Name, UID: "u"}})
	if r.left.Add(-1) == 0 {
		fmt.Println("recorded")
	}
	return reconcile.Result{}, nil
}
