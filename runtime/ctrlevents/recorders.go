package ctrlevents

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/recorder"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// GetEventRecorder returns a recorder whose events name a reporting controller, which must be a qualified name: the API server
// refuses other names, and the logger gets an error. The events are written to events.k8s.io, or to the core group if rights demand it.
func (p *pipeline) GetEventRecorder(name string) recorder.EventRecorder {
	p.auto.made(name)
	return clientgo.EventsRecorderOn(p.auto, p.scheme, name, p.logger).(recorder.EventRecorder)
}

// GetEventRecorderFor returns a recorder of the core group, whose events name a component.
func (p *pipeline) GetEventRecorderFor(name string) record.EventRecorder {
	p.core.made(name)
	return clientgo.RecorderOn(p.core, p.scheme, corev1.EventSource{Component: name}, p.logger)
}
