package ctrlevents

import (
	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink"
)

// recorders makes the recorders of one cluster.
type recorders struct {
	scheme *k8sruntime.Scheme
	logger logr.Logger
	auto   *lazy // typed events, and those of GetEventRecorder
	core   *lazy // events of GetEventRecorderFor
}

// newRecorders checks the options, and starts nothing. Core stores the events of
// GetEventRecorderFor.
func (p *pipeline) newRecorders(opts broadcaster.Options, core sink.Sink) (r *recorders, err error) {
	r = &recorders{scheme: opts.Scheme, logger: p.logger}
	if r.auto, err = p.newLazy(opts); err != nil {
		return nil, err
	}
	r.core, err = p.newLazy(coreOptions(core, &opts))
	return r, err
}

func (r *recorders) broadcasters() []*lazy { return []*lazy{r.auto, r.core} }

// eventRecorder returns a recorder whose events name a reporting controller. It has the methods of
// all versions of controller-runtime and client-go.
func (r *recorders) eventRecorder(name string) any {
	r.auto.made(name)
	return clientgo.EventsRecorderOn(r.auto, r.scheme, name, r.logger)
}

// GetEventRecorderFor returns a recorder of the core group, whose events name a component.
func (r *recorders) GetEventRecorderFor(name string) record.EventRecorder {
	r.core.made(name)
	return clientgo.RecorderOn(r.core, r.scheme, corev1.EventSource{Component: name}, r.logger)
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
