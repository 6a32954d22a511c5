package ctrlevents

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// eventRecorder returns a recorder whose events name a reporting controller. It has the methods of
// all versions of controller-runtime and client-go.
func (p *pipeline) eventRecorder(name string) any {
	p.auto.made(name)
	return clientgo.EventsRecorderOn(p.auto, p.scheme, name, p.logger)
}

// GetEventRecorderFor returns a recorder of the core group, whose events name a component.
func (p *pipeline) GetEventRecorderFor(name string) record.EventRecorder {
	p.core.made(name)
	return clientgo.RecorderOn(p.core, p.scheme, corev1.EventSource{Component: name}, p.logger)
}

// recording is a manager whose recorders are the pipeline's. E is the type of recorders that
// GetEventRecorder returns: client-go's events.EventRecorder up to v0.24 of controller-runtime, and
// its own recorder.EventRecorder from v0.25 on.
type recording[E any] struct {
	manager.Manager
	events *pipeline
}

// recordingManager returns inner with the pipeline's recorders. E is inferred from the method of
// inner.
func recordingManager[E any](inner manager.Manager, _ func(name string) E, p *pipeline) manager.Manager {
	return any(&recording[E]{inner, p}).(manager.Manager)
}

// GetEventRecorder returns a recorder whose events name a reporting controller, which must be a
// qualified name: the API server refuses other names, and the logger gets an error. The events are
// written to events.k8s.io, or to the core group if rights demand it.
func (m *recording[E]) GetEventRecorder(name string) E { return m.events.eventRecorder(name).(E) }

// GetEventRecorderFor returns a recorder of the core group, whose events name a component.
func (m *recording[E]) GetEventRecorderFor(name string) record.EventRecorder {
	return m.events.GetEventRecorderFor(name)
}

// election makes the recorders of leader election, which go to the server that has the lock.
type election[E any] struct{ events *pipeline }

// electionRecorders returns them. E is inferred from the method of controller-runtime's interface.
func electionRecorders[E any](_ func(p recorder.Provider, name string) E, p *pipeline) recorder.Provider {
	return any(election[E]{p}).(recorder.Provider)
}

func (e election[E]) GetEventRecorder(name string) E { return e.events.eventRecorder(name).(E) }

func (e election[E]) GetEventRecorderFor(name string) record.EventRecorder {
	return clientgo.RecorderOn(e.events.election, e.events.scheme, corev1.EventSource{Component: name}, e.events.logger)
}
