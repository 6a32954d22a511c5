package server

import (
	"net/http"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Event is a stored event.
type Event struct {
	Reason string
	Type   string
	Note   string
	Count  int
	// CreatedAt is when the server took it.
	CreatedAt time.Time
}

type store struct {
	mu     sync.Mutex
	events map[string]*Event
}

func (s *store) create(name string, e Event) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.events == nil {
		s.events = map[string]*Event{}
	}
	if s.events[name] != nil {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: http.StatusConflict, Reason: metav1.StatusReasonAlreadyExists}}
	}
	e.CreatedAt = time.Now()
	s.events[name] = &e
	return nil
}

func (s *store) setCount(name string, count int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.events[name]
	if e == nil {
		return &apierrors.StatusError{ErrStatus: metav1.Status{Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound}}
	}
	e.Count = count
	return nil
}

// Events are copies of the kept events, in no order.
func (s *Server) Events() []Event {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	var all []Event
	for _, e := range s.store.events {
		all = append(all, *e)
	}
	return all
}

// Occurrences is how many occurrences of a type of event the kept events stand for.
func (s *Server) Occurrences(eventType string) int {
	n := 0
	for _, e := range s.Events() {
		if e.Type == eventType {
			n += e.Count
		}
	}
	return n
}
