package clientgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// call is a call of a sink.
type call struct {
	verb, name string
	patch      string
}

// store is a sink that stores events as a server does: it applies patches, knows names, and gives
// versions, which patches can demand. A fault answers in its place, before or after the event is
// stored.
type store[E any, P interface {
	*E
	metav1.Object
}] struct {
	mu      sync.Mutex
	events  map[string]P
	order   []string
	calls   []call
	version int
	before  func(verb string, e P) error
	after   func(verb string, e P) error
}

func (s *store[E, P]) create(e P) (P, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call{verb: "create", name: e.GetName()})
	if s.before != nil {
		if err := s.before("create", e); err != nil {
			return nil, err
		}
	}
	if s.events[e.GetName()] != nil {
		return nil, apierrors.NewAlreadyExists(corev1.Resource("events"), e.GetName())
	}
	if e.GetResourceVersion() != "" {
		return nil, apierrors.NewBadRequest("resourceVersion should not be set on objects to be created")
	}
	s.order = append(s.order, e.GetName())
	return s.put("create", e)
}

func (s *store[E, P]) patch(e P, data []byte) (P, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call{verb: "patch", name: e.GetName(), patch: string(data)})
	if s.before != nil {
		if err := s.before("patch", e); err != nil {
			return nil, err
		}
	}
	old := s.events[e.GetName()]
	if old == nil {
		return nil, apierrors.NewNotFound(corev1.Resource("events"), e.GetName())
	}
	patched, err := patchedWith(old, data)
	if err != nil {
		return nil, err
	}
	if patched.GetResourceVersion() != old.GetResourceVersion() {
		return nil, apierrors.NewConflict(corev1.Resource("events"), e.GetName(), errors.New("the object has been modified"))
	}
	if string(data) == "{}" { // nothing is stored, as on a server
		copied := *old
		return &copied, nil
	}
	return s.put("patch", patched)
}

func patchedWith[E any, P *E](old P, data []byte) (P, error) {
	original, err := json.Marshal(old)
	if err != nil {
		return nil, err
	}
	merged, err := strategicpatch.StrategicMergePatch(original, data, *old)
	if err != nil {
		return nil, err
	}
	patched := P(new(E))
	return patched, json.Unmarshal(merged, patched)
}

// put stores what a server would have decoded from JSON.
func (s *store[E, P]) put(verb string, e P) (P, error) {
	data, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	stored := P(new(E))
	if err := json.Unmarshal(data, stored); err != nil {
		return nil, err
	}
	s.version++
	stored.SetResourceVersion(strconv.Itoa(s.version))
	if s.events == nil {
		s.events = map[string]P{}
	}
	s.events[e.GetName()] = stored
	if s.after != nil {
		if err := s.after(verb, e); err != nil {
			return nil, err
		}
	}
	copied := *stored
	return &copied, nil
}

// list is what is stored, in the order of creation.
func (s *store[E, P]) list() []E {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []E
	for _, name := range s.order {
		if e := s.events[name]; e != nil {
			list = append(list, *e)
		}
	}
	return list
}

func (s *store[E, P]) log() []call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// forget deletes all events, as their time to live does.
func (s *store[E, P]) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.events)
	s.order = nil
}

// coreStore is a record.EventSink.
type coreStore struct {
	store[corev1.Event, *corev1.Event]
}

func (s *coreStore) Create(e *corev1.Event) (*corev1.Event, error) { return s.create(e) }
func (s *coreStore) Update(e *corev1.Event) (*corev1.Event, error) { return s.put("update", e) }
func (s *coreStore) Patch(e *corev1.Event, data []byte) (*corev1.Event, error) {
	return s.patch(e, data)
}

// eventsStore is an events.EventSink.
type eventsStore struct {
	store[eventsv1.Event, *eventsv1.Event]
}

func (s *eventsStore) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.create(e)
}
func (s *eventsStore) Update(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	return s.put("update", e)
}
func (s *eventsStore) Patch(_ context.Context, e *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
	return s.patch(e, data)
}
