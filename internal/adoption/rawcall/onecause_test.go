package rawcall

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// oneCause has wrappers that fix a faulty value, and callers that fix one.
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
	r.outer(pod, "Outer", "c d") SUPPRESSED
}

func (r *reconciler) outer(pod *corev1.Pod, reason, message string) {
	r.mute(pod, reason, message)
	r.repeat(pod, reason, message)
}
`

// TestOneCause: a wrapper that fixes or swaps a faulty value has one finding, with its callers. A
// suppression at each of the callers still counts.
func TestOneCause(t *testing.T) {
	want := []string{
		"2:38 14,15,16: each of the 3 calls that lead here gives text for the reason, and a name in UpperCamelCase for action: they are swapped [EV511]",
		"6:46 17,18,21: the action is empty, which the events API refuses; name the action in UpperCamelCase, or repeat the reason [EV516]",
		`10:28 19,20,21: the type is Normal or Warning, not "normal": the recorder drops the event [EV527]`,
		"10:46 19,20,21: the action is the message, which changes; name the action in UpperCamelCase [EV517]",
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

// TestUnreadStandsAtTheRecording: an unknown reason is reported at the call that gets it, and not
// at an assignment or a call on the way there.
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

// TestNotSwapped: a wrapper swaps nothing unless each caller shows it.
func TestNotSwapped(t *testing.T) {
	const wrapper = `func (r *reconciler) swap(pod *corev1.Pod, action, reason string) {
	r.events.Eventf(pod, nil, "Normal", reason, action, "%s", pod.Name)
}

`
	const typed = `func (r *reconciler) swap(pod *corev1.Pod, eventtype, reason string) {
	r.events.Eventf(pod, nil, eventtype, reason, "Scale", "%s", pod.Name)
}

`
	const anything = `func (r *reconciler) swap(pod *corev1.Pod, action any, reason string) {
	r.events.Eventf(pod, nil, "Normal", reason, "Scale", "%s %v", pod.Name, action)
}

`
	const suffix = `func (r *reconciler) swap(pod *corev1.Pod, action, reason string) {
	r.events.Eventf(pod, nil, "Normal", reason+"Suffix", action, "%s", pod.Name)
}

`
	for name, code := range map[string]string{
		"one caller":  wrapper + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack") }`,
		"a reason":    wrapper + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack"); r.swap(pod, "Create", "Created") }`,
		"a name":      wrapper + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack"); r.swap(pod, "Create", pod.Name) }`,
		"no name":     wrapper + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack"); r.swap(pod, "create it", "Created the rack") }`,
		"no constant": wrapper + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack"); r.swap(pod, pod.Name, "Created the rack") }`,
		"one of several": wrapper + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack"); r.swap(three(pod)) }
func three(pod *corev1.Pod) (*corev1.Pod, string, string) { return pod, "Create", "Created the rack" }`,
		"types":              typed + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Normal", "Scaling up rack"); r.swap(pod, "Warning", "Created the rack") }`,
		"anything":           anything + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack"); r.swap(pod, "Create", "Created the rack") }`,
		"a part of a reason": suffix + `func (r *reconciler) f(pod *corev1.Pod) { r.swap(pod, "Scale", "Scaling up rack"); r.swap(pod, "Create", "Created the rack") }`,
	} {
		for _, found := range judge(t, code, nil) {
			if strings.Contains(found, "swapped") {
				t.Errorf("%s: %s", name, found)
			}
		}
	}
}

// TestUnreadStandsAtTheGiver: an unknown reason is reported where code passes a text or a literal
// for it.
func TestUnreadStandsAtTheGiver(t *testing.T) {
	const code = `type rack struct{ name string }

func (r *reconciler) note(pod *corev1.Pod, reason string) { r.recorder.Event(pod, "Normal", reason, "x") }

func (r *reconciler) emit(pod *corev1.Pod, k *rack) { r.recorder.Event(pod, "Normal", k.name, "x") }

func (r *reconciler) f(pod *corev1.Pod) {
	r.note(pod, pod.Annotations["a"])
	r.emit(pod, &rack{name: pod.Annotations["b"]})
	r.emit(pod, &rack{pod.Annotations["c"]})
}
`
	var got []string
	for _, found := range judge(t, code, nil) {
		if at, _, _ := strings.Cut(found, ":"); strings.HasSuffix(found, "[EV529]") {
			got = append(got, at)
		}
	}
	if diff := cmp.Diff([]string{"8", "9", "10"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestFindingStandsAtTheText: a finding about an assigned reason stands at the text.
func TestFindingStandsAtTheText(t *testing.T) {
	const code = `type rack struct{ reason string }

func (r *reconciler) emit(pod *corev1.Pod, k *rack) { r.recorder.Event(pod, "Normal", k.reason, "x") }

func (r *reconciler) f(pod *corev1.Pod) {
	k := &rack{}
	k.reason = "it_is_scaled"
	r.emit(pod, k)
}
`
	for _, found := range judge(t, code, nil) {
		if strings.HasSuffix(found, "[EV511]") && strings.HasPrefix(found, "7:13: ") {
			return
		}
		t.Log(found)
	}
	t.Error("no finding at 7:13")
}
