// Package empty records events without a note, and one whose text is a sum.
package empty

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

type reporter struct {
	rec events.EventRecorder
	old record.EventRecorder
}

func (r *reporter) stop(pod *corev1.Pod, node string) {
	r.rec.Eventf(pod, nil, "Normal", "Stopping", "Stop", "")
	r.old.Event(pod, "Normal", "Stopped", "")
	msg := "failed to annotate " + node
	fmt.Println(msg)
	r.rec.Eventf(pod, nil, "Warning", "AnnotateFailed", "Annotate", "%s", msg)
	r.rec.Eventf(pod, nil, "Normal", fmt.Sprintf("Scaling up rack %s", node), "Scale", "") // left
}
