package store

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/internal/form"
)

// Namespace is the state of a namespace.
type Namespace uint8

// A namespace that was never set is active if its name is valid.
const (
	Active Namespace = iota
	Terminating
	Missing
)

// SetNamespace puts a namespace into a state. Events in it stay where they are.
func (s *Store) SetNamespace(name string, state Namespace) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.namespaces[name] = state
}

// admit answers as the server's NamespaceLifecycle admission does, which looks at new objects
// before they are validated (apiserver pkg/admission/plugin/namespace/lifecycle).
func (s *Store) admit(e *corev1.Event, f form.Form) error {
	switch s.stateOf(e.Namespace) {
	case Missing:
		return apierrors.NewNotFound(corev1.Resource("namespaces"), e.Namespace)
	case Terminating:
		return terminating(e, f)
	}
	return nil
}

func (s *Store) stateOf(namespace string) Namespace {
	if len(validation.ValidateNamespaceName(namespace, false)) > 0 {
		return Missing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.namespaces[namespace]
}

func terminating(e *corev1.Event, f form.Form) error {
	err := apierrors.NewForbidden(resource(f), e.Name,
		fmt.Errorf("unable to create new content in namespace %s because it is being terminated", e.Namespace))
	err.ErrStatus.Details.Causes = append(err.ErrStatus.Details.Causes, metav1.StatusCause{
		Type:    corev1.NamespaceTerminatingCause,
		Message: fmt.Sprintf("namespace %s is being terminated", e.Namespace),
		Field:   "metadata.namespace",
	})
	return err
}
