package e2e

import (
	"context"
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/event-gen/event-gen/examples/operator/api/v1alpha1"
	"github.com/event-gen/event-gen/examples/operator/internal/controller"
	"github.com/event-gen/event-gen/examples/operator/internal/events/widgetevents"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink/kube"
)

// stage is a namespace with a widget that asks for no copies, a client, and a recorder.
type stage struct {
	client.WithWatch
	namespace string
	events    widgetevents.Recorder
	recording *broadcaster.Broadcaster
}

func newStage(t *testing.T) *stage {
	t.Helper()
	scheme := k8sruntime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	c, err := client.NewWithWatch(server.RESTConfig(), client.Options{Scheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	b, err := broadcaster.New(broadcaster.Options{Sink: kube.Auto(server.RESTConfig())})
	if err != nil {
		t.Fatal(err)
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "transitions-"}}
	if err := c.Create(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	s := &stage{WithWatch: c, namespace: namespace.Name, recording: b, events: widgetevents.NewRecorder(eventrt.NewRecorder(b))}
	if err := c.Create(t.Context(), &v1alpha1.Widget{ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: "web"}}); err != nil {
		t.Fatal(err)
	}
	return s
}

// read reads the widget.
func (s *stage) read(t *testing.T) *v1alpha1.Widget {
	t.Helper()
	var w v1alpha1.Widget
	if err := s.Get(t.Context(), client.ObjectKey{Namespace: s.namespace, Name: "web"}, &w); err != nil {
		t.Fatal(err)
	}
	return &w
}

// touch changes the widget, like another client.
func (s *stage) touch(t *testing.T) {
	t.Helper()
	w := s.read(t)
	metav1.SetMetaDataAnnotation(&w.ObjectMeta, "example.com/touched", time.Now().String())
	if err := s.Update(t.Context(), w); err != nil {
		t.Fatal(err)
	}
}

// reconcile runs the operator's reconciler once, with a client that funcs intercept.
func (s *stage) reconcile(t *testing.T, funcs interceptor.Funcs) error {
	t.Helper()
	r := controller.Reconciler{Client: interceptor.NewClient(s.WithWatch, funcs), Events: s.events}
	_, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKey{Namespace: s.namespace, Name: "web"}})
	return err
}

// expect shuts down the recorder, and compares the stored occurrences of Ready and NotReady.
func (s *stage) expect(t *testing.T, ready, notReady int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.recording.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	if got, _ := said(t, s.namespace); got["Ready"] != ready || got["NotReady"] != notReady {
		t.Errorf("stored %v, want Ready %d, NotReady %d", got, ready, notReady)
	}
}

// TestAConflictRecordsNothing lets the update of the status conflict three times. The fourth
// reconcile records the only event.
func TestAConflictRecordsNothing(t *testing.T) {
	s := newStage(t)
	conflicts := 0
	rival := interceptor.Funcs{SubResourceUpdate: func(ctx context.Context, c client.Client, name string, o client.Object, opts ...client.SubResourceUpdateOption) error {
		if conflicts < 3 {
			conflicts++
			s.touch(t)
		}
		return s.SubResource(name).Update(ctx, o, opts...)
	}}
	for n := range 6 {
		err := s.reconcile(t, rival)
		if (n < 3) != apierrors.IsConflict(err) || n >= 3 && err != nil {
			t.Errorf("reconcile %d: %v", n, err)
		}
	}
	s.expect(t, 1, 0)
}

func condition(status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: "Ready", Status: status, Reason: reason, Message: message}
}

// TestServerSideApply patches the status three times with the same server-side apply, which needs
// no resource version.
func TestServerSideApply(t *testing.T) {
	s := newStage(t)
	for range 3 {
		transitions := s.events.WidgetTransitions(s.read(t))
		apply := &v1alpha1.Widget{
			TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Widget"},
			ObjectMeta: metav1.ObjectMeta{Namespace: s.namespace, Name: "web"},
		}
		c := condition(metav1.ConditionFalse, "CopyFailed", "exceeded quota")
		c.LastTransitionTime = metav1.Now()
		apply.Status.Conditions = []metav1.Condition{c}
		//lint:ignore SA1019 the typed way needs generated apply configurations, which this API does not have
		if err := s.Status().Patch(t.Context(), apply, client.Apply, client.FieldOwner("test"), client.ForceOwnership); err != nil {
			t.Fatal(err)
		}
		transitions.Record(apply) // as the server returned it
	}
	s.expect(t, 0, 1)
}

// TestChangesInPlace changes the conditions of the object that it has read, back and forth, with
// merge patches.
func TestChangesInPlace(t *testing.T) {
	s := newStage(t)
	for _, c := range []metav1.Condition{
		condition(metav1.ConditionTrue, "CopiesMade", "0 copies are there"),
		condition(metav1.ConditionTrue, "CopiesMade", "still"),
		condition(metav1.ConditionFalse, "CopyFailed", "exceeded quota"),
		condition(metav1.ConditionFalse, "CopyFailed", "exceeded quota"),
		condition(metav1.ConditionFalse, "Paused", "no event stands for this"),
		condition(metav1.ConditionTrue, "CopiesMade", "0 copies are there"),
	} {
		w := s.read(t)
		patch := client.MergeFrom(w.DeepCopy())
		transitions := s.events.WidgetTransitions(w)
		meta.SetStatusCondition(&w.Status.Conditions, c)
		if err := s.Status().Patch(t.Context(), w, patch); err != nil {
			t.Fatal(err)
		}
		transitions.Record(w)
		transitions.Record(w)
	}
	s.expect(t, 2, 1)
}

// TestAStaleCache reconciles from an old widget whose status has not changed since, and from one
// whose status is older than the stored one.
func TestAStaleCache(t *testing.T) {
	s := newStage(t)
	unready := s.read(t)
	if err := s.reconcile(t, interceptor.Funcs{}); err != nil {
		t.Fatal(err)
	}
	ready := s.read(t)
	s.touch(t)
	from := func(stale *v1alpha1.Widget) interceptor.Funcs {
		return interceptor.Funcs{Get: func(ctx context.Context, c client.WithWatch, key client.ObjectKey, o client.Object, opts ...client.GetOption) error {
			*o.(*v1alpha1.Widget) = *stale.DeepCopy()
			return nil
		}}
	}
	for range 3 {
		if err := s.reconcile(t, from(ready)); err != nil {
			t.Errorf("nothing to do: %v", err)
		}
		if err := s.reconcile(t, from(unready)); !apierrors.IsConflict(err) {
			t.Errorf("a status to write that is older than the stored one: %v", err)
		}
	}
	s.expect(t, 1, 0)
}
