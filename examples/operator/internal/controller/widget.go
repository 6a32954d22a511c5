// Package controller creates the copies that widgets ask for.
package controller

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/event-gen/event-gen/examples/operator/api/v1alpha1"
	"github.com/event-gen/event-gen/examples/operator/internal/events/widgetevents"
)

// Reconciler creates the copies of widgets. All of its fields must be set.
type Reconciler struct {
	client.Client
	Events widgetevents.Recorder
}

// createTimeout bounds a request that outlives the reconciler's context. It must be well below the
// manager's GracefulShutdownTimeout.
const createTimeout = 5 * time.Second

// errInterrupted is the error of a reconcile whose context has ended.
var errInterrupted = errors.New("interrupted")

const widgetLabel = "widgets.example.com/widget"

// SetupWithManager registers the reconciler with a manager.
func (r *Reconciler) SetupWithManager(m ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(m).For(&v1alpha1.Widget{}).Owns(&corev1.ConfigMap{}).Complete(r)
}

// Reconcile creates missing copies and deletes superfluous ones, with an event for each. It also
// records that the widget has become ready, or no longer is. When ctx ends, it records how many
// copies are missing.
func (r *Reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var widget v1alpha1.Widget
	if err := r.Get(ctx, request.NamespacedName, &widget); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if ctx.Err() != nil || !widget.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	events := r.Events.WithContext(ctx)
	transitions := events.WidgetTransitions(&widget) // before anything is changed
	var copies corev1.ConfigMapList
	if err := r.List(ctx, &copies, client.InNamespace(widget.Namespace), client.MatchingLabels{widgetLabel: widget.Name}); err != nil {
		return ctrl.Result{}, err
	}
	there := map[string]bool{}
	for i := range copies.Items {
		there[copies.Items[i].Name] = true
	}
	if err := r.deleteSurplus(ctx, events, &widget, copies.Items); err != nil {
		return ctrl.Result{}, err
	}
	failure := r.createMissing(ctx, events, &widget, there)
	if errors.Is(failure, errInterrupted) {
		return ctrl.Result{}, nil // the next leader continues
	}
	return ctrl.Result{}, errors.Join(failure, r.updateStatus(ctx, &widget, transitions, failure))
}

// updateStatus stores whether the widget is ready. It records the events of a transition only after
// the transition is stored. After a conflict, the widget is reconciled again.
func (r *Reconciler) updateStatus(ctx context.Context, widget *v1alpha1.Widget, transitions widgetevents.WidgetTransitions, failure error) error {
	ready := metav1.Condition{Type: "Ready", Status: metav1.ConditionTrue, Reason: "CopiesMade", Message: fmt.Sprintf("%d copies are there", widget.Spec.Copies)}
	copies := widget.Spec.Copies
	if failure != nil {
		ready.Status, ready.Reason, ready.Message = metav1.ConditionFalse, "CopyFailed", failure.Error()
		copies = widget.Status.Copies
	}
	changed := meta.SetStatusCondition(&widget.Status.Conditions, ready)
	if !changed && widget.Status.Copies == copies {
		return nil
	}
	widget.Status.Copies = copies
	if err := r.Status().Update(ctx, widget); err != nil {
		return err
	}
	transitions.Record(widget) // as the server returned it
	return nil
}

func (r *Reconciler) createMissing(ctx context.Context, events widgetevents.Recorder, widget *v1alpha1.Widget, there map[string]bool) error {
	for n := range int(widget.Spec.Copies) {
		if ctx.Err() != nil {
			// recorded after cancellation, and still written
			events.Interrupted(widget, int(widget.Spec.Copies)-n)
			return errInterrupted
		}
		c := copyOf(widget, n)
		if there[c.Name] {
			continue
		}
		err := r.create(ctx, c)
		switch {
		case err == nil:
			events.CopyCreated(widget, c, n)
		case apierrors.IsAlreadyExists(err): // the cache is stale
		default:
			events.CopyFailed(widget, n, err)
			return err
		}
	}
	return nil
}

func (r *Reconciler) deleteSurplus(ctx context.Context, events widgetevents.Recorder, widget *v1alpha1.Widget, copies []corev1.ConfigMap) error {
	for i := range copies {
		c := &copies[i]
		n, err := strconv.Atoi(c.Annotations[widgetLabel])
		if err != nil || n < int(widget.Spec.Copies) {
			continue
		}
		switch err := r.Delete(ctx, c); {
		case err == nil:
			events.CopyDeleted(widget, c, int(widget.Spec.Copies))
		case !apierrors.IsNotFound(err):
			return err
		}
	}
	return nil
}

// create creates a copy even if ctx ends meanwhile. The server may have handled a cancelled
// request, and no event would report it.
func (r *Reconciler) create(ctx context.Context, c *corev1.ConfigMap) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), createTimeout)
	defer cancel()
	return r.Create(ctx, c)
}

// copyOf returns the n-th copy of a widget.
func copyOf(w *v1alpha1.Widget, n int) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: w.Namespace, Name: fmt.Sprintf("%s-%d", w.Name, n),
			Labels: map[string]string{widgetLabel: w.Name}, Annotations: map[string]string{widgetLabel: strconv.Itoa(n)},
			OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(w, v1alpha1.GroupVersion.WithKind("Widget"))},
		},
		Data: map[string]string{"text": w.Spec.Text},
	}
}
