package kube

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Sink writes events to an API server. It is safe for concurrent use, holds no goroutine, and need
// not be closed.
type Sink struct {
	groups  []*group          // one of each form, or one
	choice  *apiserver.Groups // nil with one group
	limiter flowcontrol.RateLimiter
	timeout time.Duration
	err     error
}

// Err returns why the sink is not usable: a rest.Config that contradicts itself, a file
// that can't be read. It never changes. The sink refuses every write with this error. It is nil for
// a usable sink, also while the server is away.
func (s *Sink) Err() error { return s.err }

// Write sends one request to the server; one more, if Auto tries the other group.
// It returns within the timeout of the options, and when ctx ends.
func (s *Sink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	if s.err != nil {
		return unaskable(w, s.err)
	}
	if err := form.Check(w); err != nil {
		return unaskable(w, err)
	}
	if s.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.timeout)
		defer cancel()
	}
	if s.choice != nil {
		return s.choice.Write(w, func(via, shape form.Form, w *sink.Write) sink.Answer {
			return s.send(ctx, s.group(via), shape, placed(shape, w))
		})
	}
	g := s.groups[0]
	shape := g.form
	if w.Operation != sink.Create && w.Mark == apiserver.MarkOf(apiserver.Other(g.form)) {
		shape = apiserver.Other(g.form)
	}
	a := s.send(ctx, g, shape, w)
	if a.Stored != nil && !g.form.Changes(form.Of(a.Stored)) {
		a = apiserver.OtherForm()
	}
	if a.Stored == nil {
		a.Mark = a.Mark&apiserver.Renamed | apiserver.MarkOf(shape)
	}
	return a
}

// placed returns a write whose namespace the server takes in a form: an event about a
// cluster-scoped object may be in kube-system in the form of events.k8s.io only (kubernetes
// pkg/apis/core/validation/events.go).
func placed(shape form.Form, w *sink.Write) *sink.Write {
	if shape != form.CoreV1 || w.Regarding.Namespace != "" || w.Namespace != metav1.NamespaceSystem {
		return w
	}
	moved := *w
	moved.Namespace = metav1.NamespaceDefault
	return &moved
}

type dryRunKey struct{}

func isDryRun(ctx context.Context) bool { return ctx.Value(dryRunKey{}) != nil }

// DryRun is Write with dryRun=All: the server authorizes and validates the request, asks admission,
// and stores nothing.
func (s *Sink) DryRun(ctx context.Context, w *sink.Write) sink.Answer {
	return s.Write(context.WithValue(ctx, dryRunKey{}, true), w)
}

func unaskable(w *sink.Write, err error) sink.Answer {
	a := apiserver.Unaskable(err)
	a.Mark = w.Mark
	return a
}

// group is the one of a form. A sink with a choice has both.
func (s *Sink) group(f form.Form) *group {
	if s.groups[0].form == f {
		return s.groups[0]
	}
	return s.groups[1]
}

// send writes through one group, in the shape of a form.
func (s *Sink) send(ctx context.Context, g *group, shape form.Form, w *sink.Write) sink.Answer {
	if w.Operation == sink.Update && !g.form.Changes(shape) {
		return apiserver.OtherForm()
	}
	if w.Operation == sink.Update && w.Mark&apiserver.Renamed != 0 {
		return apiserver.OtherName()
	}
	if err := s.wait(ctx); err != nil {
		return apiserver.NotSent(err)
	}
	return g.write(ctx, shape, w)
}

// wait takes a request from the budget. Nothing was sent if that fails.
func (s *Sink) wait(ctx context.Context) error {
	if s.limiter == nil {
		return ctx.Err()
	}
	return s.limiter.Wait(ctx)
}
