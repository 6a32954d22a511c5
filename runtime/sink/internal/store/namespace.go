package store

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/internal/form"
)

// SetNamespace puts a namespace into a phase; empty: it does not exist. A namespace that was never
// set is active if its name is valid. Events in it stay where they are.
func (s *Store) SetNamespace(name string, phase corev1.NamespacePhase) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.namespaces[name] = phase
}

// admit answers as the server's NamespaceLifecycle admission does, which looks at new objects
// before they are validated (apiserver pkg/admission/plugin/namespace/lifecycle).
func (s *Store) admit(e *corev1.Event, f form.Form) error {
	switch s.phaseOf(e.Namespace) {
	case "":
		return apierrors.NewNotFound(corev1.Resource("namespaces"), e.Namespace)
	case corev1.NamespaceTerminating:
		return terminating(e, f)
	}
	return nil
}

func (s *Store) phaseOf(namespace string) corev1.NamespacePhase {
	if len(validation.ValidateNamespaceName(namespace, false)) > 0 {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if phase, ok := s.namespaces[namespace]; ok {
		return phase
	}
	return corev1.NamespaceActive
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
