package controller

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/event-gen/event-gen/examples/operator/api/v1alpha1"
	"github.com/event-gen/event-gen/examples/operator/internal/events/widgetevents"
	"github.com/event-gen/event-gen/examples/operator/internal/events/widgetevents/widgeteventstest"
)

func widget(copies int32) *v1alpha1.Widget {
	return &v1alpha1.Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "7f9c"}, Spec: v1alpha1.WidgetSpec{Copies: copies}}
}

// reconcile runs the reconciler once, with an in-memory API server.
func reconcile(t *testing.T, ctx context.Context, w *v1alpha1.Widget, funcs interceptor.Funcs, there ...client.Object) (*widgeteventstest.Fake, error) {
	t.Helper()
	scheme := k8sruntime.NewScheme()
	if err := errors.Join(corev1.AddToScheme(scheme), v1alpha1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	c := fake.NewClientBuilder().WithScheme(scheme).WithObjects(w).WithObjects(there...).WithStatusSubresource(w).WithInterceptorFuncs(funcs).Build()
	events := widgeteventstest.New(t)
	r := Reconciler{Client: c, Events: events.Recorder()}
	_, err := r.Reconcile(ctx, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(w)})
	return events, err
}

func TestCopiesAreMade(t *testing.T) {
	w := widget(2)
	events, err := reconcile(t, t.Context(), w, interceptor.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	events.ExpectExactly(widgetevents.NewCopyCreated(w, copyOf(w, 0), 0), widgetevents.NewCopyCreated(w, copyOf(w, 1), 1),
		widgetevents.NewReady(w, "2 copies are there"))
}

func TestSurplusGoes(t *testing.T) {
	w := widget(1)
	events, err := reconcile(t, t.Context(), w, interceptor.Funcs{}, copyOf(w, 0), copyOf(w, 1))
	if err != nil {
		t.Fatal(err)
	}
	events.ExpectExactly(widgetevents.NewCopyDeleted(w, copyOf(w, 1), 1), widgetevents.NewReady(w, "1 copies are there"))
}

func TestARefusedCopyIsAWarning(t *testing.T) {
	refused := errors.New("exceeded quota")
	w := widget(1)
	events, err := reconcile(t, t.Context(), w, interceptor.Funcs{
		Create: func(context.Context, client.WithWatch, client.Object, ...client.CreateOption) error { return refused },
	})
	if !errors.Is(err, refused) {
		t.Errorf("error %v", err)
	}
	events.ExpectExactly(widgetevents.NewCopyFailed(w, 0, refused), widgetevents.NewNotReady(w, "exceeded quota"))
}

// TestATransitionIsSaidOnceStored checks that a conflict, which stores nothing, records no event of
// the transition.
func TestATransitionIsSaidOnceStored(t *testing.T) {
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "widgets"}, "web", errors.New("it has changed"))
	w := widget(0)
	events, err := reconcile(t, t.Context(), w, interceptor.Funcs{
		SubResourceUpdate: func(context.Context, client.Client, string, client.Object, ...client.SubResourceUpdateOption) error {
			return conflict
		},
	})
	if !apierrors.IsConflict(err) {
		t.Errorf("error %v", err)
	}
	events.ExpectNone()
}

func TestAnEndIsSaid(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w := widget(5)
	events, err := reconcile(t, ctx, w, interceptor.Funcs{
		Create: func(ctx context.Context, c client.WithWatch, o client.Object, opts ...client.CreateOption) error {
			defer stop()
			return c.Create(ctx, o, opts...)
		},
	})
	if err != nil {
		t.Errorf("error %v", err)
	}
	events.ExpectExactly(widgetevents.NewCopyCreated(w, copyOf(w, 0), 0), widgetevents.NewInterrupted(w, 4))
}
