package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/event-gen/event-gen/examples/operator/api/v1alpha1"
	"github.com/event-gen/event-gen/examples/operator/internal/controller"
	"github.com/event-gen/event-gen/examples/operator/internal/events/widgetevents"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
)

// TestReconcilerOnTheServer runs the reconciler in a manager of this process, on the real API server: a widget grows and shrinks, and each
// step has its event.
func TestReconcilerOnTheServer(t *testing.T) {
	ns, err := clients.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "widgets-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	scheme := k8sruntime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	m, err := ctrlevents.NewManager(server.RESTConfig(), manager.Options{
		Scheme: scheme, Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"},
		Cache: cache.Options{DefaultNamespaces: map[string]cache.Config{ns.Name: {}}},
	}, ctrlevents.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := controller.Reconciler{Client: m.GetClient(), Events: widgetevents.NewRecorder(m.Events())}
	if err := r.SetupWithManager(m); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()

	w := &v1alpha1.Widget{ObjectMeta: metav1.ObjectMeta{Namespace: ns.Name, Name: "web"}, Spec: v1alpha1.WidgetSpec{Copies: 3}}
	if err := m.GetClient().Create(ctx, w); err != nil {
		t.Fatal(err)
	}
	awaitStatus(ctx, t, m.GetAPIReader(), w, 3)
	w.Spec.Copies = 1
	if err := m.GetClient().Update(ctx, w); err != nil {
		t.Fatal(err)
	}
	awaitStatus(ctx, t, m.GetAPIReader(), w, 1)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	reasons, byCopy := said(t, ns.Name)
	if reasons["CopyCreated"] != 3 || len(byCopy) != 3 || reasons["CopyDeleted"] != 2 || len(reasons) != 2 {
		t.Errorf("stored %v, want 3 CopyCreated and 2 CopyDeleted", reasons)
	}
	if s := m.Stats(); s.Written != 5 || s.Recorded != 5 {
		t.Errorf("account %+v", s)
	}
}

// awaitStatus reads the widget until it has so many copies.
func awaitStatus(ctx context.Context, t *testing.T, from client.Reader, w *v1alpha1.Widget, copies int32) {
	t.Helper()
	err := wait.PollUntilContextCancel(ctx, 20*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		err := from.Get(ctx, client.ObjectKeyFromObject(w), w)
		return w.Status.Copies == copies, err
	})
	if err != nil {
		t.Fatal(err)
	}
}
