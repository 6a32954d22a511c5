package kube

import (
	"context"
	"fmt"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/internal/form"
)

// markOf is the mark of an event that was written in a form; 0 means that none was.
func markOf(f form.Form) uint8 { return uint8(f) + 1 }

// choose returns the group that an event was written through, else the one that is preferred now.
func (s *Sink) choose(w *runtime.Write) *group {
	for i := range s.groups {
		if w.Mark == markOf(s.groups[i].form) {
			return &s.groups[i]
		}
	}
	if s.fellBack.Load() {
		return &s.groups[1]
	}
	return &s.groups[0]
}

// other returns the group that g is not.
func (s *Sink) other(g *group) *group {
	if g == &s.groups[0] {
		return &s.groups[1]
	}
	return &s.groups[0]
}

// fallBack creates the event through the other group, after the first one forbade it. The preference changes only once
// and only if the other group lets the event in: where both forbid it, the rule that is added first shall work, and where
// rights differ between namespaces, both groups go on being tried.
func (s *Sink) fallBack(ctx context.Context, first *group, forbidden runtime.Answer, w *runtime.Write) runtime.Answer {
	second := s.other(first)
	a := s.send(ctx, second, w)
	switch {
	case a.Outcome == runtime.Forbidden:
		a.Mark = forbidden.Mark
		a.Err = bothForbidden(w.Namespace, forbidden.Err, a.Err)
	case isAnswer(a.Outcome) && second == &s.groups[1] && s.fellBack.CompareAndSwap(false, true) && s.onFallback != nil:
		s.onFallback(forbidden.Err)
	}
	return a
}

// isAnswer reports whether a create got past the server's authorization.
func isAnswer(o runtime.Outcome) bool { return o == runtime.Done || o == runtime.Exists }

// forbiddenError names the rule that is missing.
type forbiddenError struct {
	text   string
	causes []error
}

func (e *forbiddenError) Error() string   { return e.text }
func (e *forbiddenError) Unwrap() []error { return e.causes }

func oneForbidden(namespace string, f form.Form, cause error) error {
	return &forbiddenError{
		text:   fmt.Sprintf("no right to write events in namespace %q; add this rule: %s", namespace, rule(f)),
		causes: []error{cause},
	}
}

func bothForbidden(namespace string, causes ...error) error {
	return &forbiddenError{
		text: fmt.Sprintf("no right to write events in namespace %q; add one of these rules: %s; or %s",
			namespace, rule(form.EventsV1), rule(form.CoreV1)),
		causes: causes,
	}
}

// rule is the entry of a Role or ClusterRole that lets a form be written.
func rule(f form.Form) string {
	return fmt.Sprintf(`apiGroups: [%q], resources: ["events"], verbs: ["create", "patch"]`, f.GroupVersion().Group)
}
