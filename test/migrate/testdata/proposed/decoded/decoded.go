// Package decoded passes reasons that its callers have decoded to a helper of another package.
package decoded

import (
	"encoding/json"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"

	"example.com/widgets/m/decoded/emit"
)

type state struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

type policy struct {
	States []state `json:"states"`
}

func (p *policy) add(kind, message string) {
	p.States = append(p.States, state{Type: kind, Message: message})
}

func start(p *policy) { p.add("Started", "It runs") }

func all(r events.EventRecorder, pod *corev1.Pod) error {
	var policies []policy
	if err := json.Unmarshal([]byte(pod.Annotations["policies"]), &policies); err != nil {
		return err
	}
	for _, p := range policies {
		one(r, pod, p)
	}
	return nil
}

func one(r events.EventRecorder, pod *corev1.Pod, p policy) {
	for _, s := range p.States {
		emit.Event(r, pod, s.Type, s.Message) // left
	}
}
