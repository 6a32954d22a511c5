package carriers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

// entry carries an event. A filter copies it, which leads back to the filter's own literal.
type entry struct{ kind, reason, message string }

type log interface {
	add(pod *corev1.Pod, e entry)
}

type store struct{ recorder record.EventRecorder }

func (s *store) add(pod *corev1.Pod, e entry) {
	s.recorder.Event(pod, e.kind, e.reason, e.message) //: in-wrapper ?e.kind ?e.reason dynamic "%s"
}

type filter struct{ log }

func (f *filter) add(pod *corev1.Pod, e entry) {
	if e.reason != "Noise" {
		f.log.add(pod, entry{kind: e.kind, reason: e.reason, message: e.message}) //: in-wrapper ?e.kind ?e.reason dynamic "%s"
	}
}

func copied(l log, pod *corev1.Pod) {
	l.add(pod, entry{"Normal", "Copied", "copied"}) //: through-wrapper Normal Copied literal "copied" *v1.Pod
	l.add(pod, entry{"Warning", "Dropped", "x"})    //: through-wrapper Warning Dropped literal "x" *v1.Pod
}

// run is an API object, whose phase may be decoded.
type run struct {
	Status runStatus `json:"status"`
}

type runStatus struct {
	Phase   string `json:"phase"`
	Message string `json:"message"`
}

// phased records a phase, which is set right before.
func phased(r record.EventRecorder, pod *corev1.Pod, run *run) {
	r.Event(pod, "Warning", "Run"+run.Status.Phase, "text") //: in-wrapper Warning Run?run.Status.Phase dynamic "text"
}

func setPhase(r record.EventRecorder, pod *corev1.Pod, given run) {
	run := &given
	if pod.Name == "" {
		run.Status.Phase = "Failed"
		run.Status.Message = "no name"
		phased(r, pod, run) //: through-wrapper Warning RunFailed concat "text" *v1.Pod
		return
	}
	run.Status.Phase = "Lost"
	change(run)
	phased(r, pod, run)
}

func change(run *run) { run.Status.Phase = "" }
