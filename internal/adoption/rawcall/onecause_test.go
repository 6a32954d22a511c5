package rawcall

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oneCause has wrappers that fix a faulty value, and callers that do.
const oneCause = `func (r *reconciler) swap(pod *corev1.Pod, action, reason string) {
	r.events.Eventf(pod, nil, "Normal", reason, action, "%s", pod.Name)
}

func (r *reconciler) mute(pod *corev1.Pod, reason, message string) {
	r.events.Eventf(pod, nil, "Normal", reason, "", "%s", message)
}

func (r *reconciler) repeat(pod *corev1.Pod, reason, message string) {
	r.events.Eventf(pod, nil, "normal", reason, message, "%s", message)
}

func (r *reconciler) f(pod *corev1.Pod, err error) {
	r.swap(pod, "Scale", "Scaling up rack")
	r.swap(pod, "Create", "Created pod "+pod.Name)
	r.swap(pod, "Fail", err.Error())
	r.mute(pod, "Muted", "a")
	r.mute(pod, "Quiet", "b")
	r.repeat(pod, "Repeated", "a b") SUPPRESSED
	r.repeat(pod, "Again", "b c") SUPPRESSED
}
`

// TestOneCause holds that a wrapper which fixes or swaps a faulty value has one finding, with its
// callers, and that a suppression at each of the callers still counts.
func TestOneCause(t *testing.T) {
	want := []string{
		"2:38 14,15,16: each of the 3 calls that lead here gives text for the reason, and a name in UpperCamelCase for action: they are swapped [EV511]",
		"6:46 17,18: the action is empty, which the events API refuses; name the action in UpperCamelCase, or repeat the reason [EV516]",
		`10:28 19,20: the type is Normal or Warning, not "normal": the recorder drops the event [EV527]`,
		"10:46 19,20: the action is the message, which changes; name the action in UpperCamelCase [EV517]",
	}
	for suppressed, want := range map[string][]string{"": want, "//event-gen:ignore EV517,EV527 the callers know": want[:2]} {
		program := read(t, strings.ReplaceAll(oneCause, "SUPPRESSED", suppressed))
		var got []string
		for _, f := range findings(program, nil) {
			var callers []string
			for _, at := range f.Callers {
				line, _, _ := strings.Cut(where(program, at), ":")
				callers = append(callers, line)
			}
			got = append(got, fmt.Sprintf("%s %s: %s [%s]", where(program, f.Pos), strings.Join(callers, ","), f.Message, f.Rule.ID))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", suppressed, diff)
		}
	}
}

// TestUnreadStandsAtTheRecording holds that a reason which is not known is reported at the call
// that is given it, and not at an assignment or a call that only leads there.
func TestUnreadStandsAtTheRecording(t *testing.T) {
	const code = `type rack struct{ name string }

func (r *reconciler) plan(names []string) (racks []*rack) {
	for _, n := range names {
		next := &rack{}
		next.name = n
		racks = append(racks, next)
	}
	return racks
}

func (r *reconciler) scale(pod *corev1.Pod, k *rack, force bool) {
	r.recorder.Event(pod, "Normal", fmt.Sprintf("Scaling rack %s force=%t", k.name, force), "x")
	r.recorder.Event(pod, "Normal", k.name, "x")
}

func (r *reconciler) f(pod *corev1.Pod, names []string) {
	for _, k := range r.plan(names) {
		r.scale(pod, k, true)
	}
}
`
	var got []string
	for _, found := range judge(t, code, nil) {
		if at, _, _ := strings.Cut(found, ":"); strings.HasSuffix(found, "[EV529]") {
			got = append(got, at)
		}
	}
	if diff := cmp.Diff([]string{"13", "14"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
