package store

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/uuid"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink/internal/rules"
)

var errChanged = errors.New("the object has been modified; please apply your changes to the latest version and try again")

// Create stores a new event that came in through the form's group, and returns its resource
// version. The store keeps e, which must not be changed afterwards. The checks come in the server's
// order: namespace, event, name.
func (s *Store) Create(e *corev1.Event, f form.Form) (uint64, error) {
	if err := s.admit(e, f); err != nil {
		return 0, err
	}
	if errs := rules.Create(e, f); len(errs) > 0 {
		return 0, apierrors.NewInvalid(kind(f), e.Name, errs)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	k := key{e.Namespace, e.Name}
	if s.find(k) != nil {
		return 0, apierrors.NewAlreadyExists(resource(f), e.Name)
	}
	e.UID = uuid.NewUUID()
	e.CreationTimestamp = metav1.Time{Time: s.opts.Now()}.Rfc3339Copy()
	s.created++
	s.put(k, e, s.created)
	return s.version, nil
}

// Update changes a stored event through the form's group, and returns its resource version.
// Version, unless 0, is the one that the event must have. The change is made to a copy; if it
// changes nothing, the event keeps its version and its time to live, as on the server.
func (s *Store) Update(name types.NamespacedName, version uint64, f form.Form, change func(*corev1.Event)) (uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := key{name.Namespace, name.Name}
	stored := s.find(k)
	if stored == nil {
		return 0, apierrors.NewNotFound(resource(f), name.Name)
	}
	if version != 0 && apiserver.FormatVersion(version) != stored.event.ResourceVersion {
		return 0, apierrors.NewConflict(resource(f), name.Name, errChanged)
	}
	changed := stored.event.DeepCopy()
	change(changed)
	if errs := rules.Update(changed, stored.event, f); len(errs) > 0 {
		return 0, apierrors.NewInvalid(kind(f), name.Name, errs)
	}
	if equality.Semantic.DeepEqual(changed, stored.event) {
		return apiserver.ParseVersion(stored.event.ResourceVersion), nil
	}
	s.put(k, changed, stored.order)
	return s.version, nil
}

// Get returns a copy of a stored event.
func (s *Store) Get(name types.NamespacedName, f form.Form) (*corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stored := s.find(key{name.Namespace, name.Name})
	if stored == nil {
		return nil, apierrors.NewNotFound(resource(f), name.Name)
	}
	return stored.event.DeepCopy(), nil
}

func resource(f form.Form) schema.GroupResource {
	return f.GroupVersion().WithResource("events").GroupResource()
}

func kind(f form.Form) schema.GroupKind { return f.GroupVersion().WithKind("Event").GroupKind() }
