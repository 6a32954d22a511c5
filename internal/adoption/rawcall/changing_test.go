package rawcall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const changingHelpers = `

func age(pod *corev1.Pod) string { return time.Since(pod.CreationTimestamp.Time).String() }

func target(pod *corev1.Pod) time.Time {
	if pod.DeletionTimestamp != nil {
		return pod.DeletionTimestamp.Time
	}
	return time.Now()
}

func always(pod *corev1.Pod) time.Time {
	if pod.DeletionTimestamp != nil {
		return time.Now().Add(time.Hour)
	}
	return time.Now()
}

func inner(pod *corev1.Pod) time.Time { return target(pod) }

func named(pod *corev1.Pod) (at time.Time) {
	if pod.Name == "" {
		return
	}
	return time.Now()
}

func literal(pod *corev1.Pod) time.Time {
	now := func() time.Time { return time.Now() }
	_ = now
	return pod.CreationTimestamp.Time
}
`

// TestChanging holds the message of EV518. It claims that each occurrence is an event of its own
// only if the value changes on all ways. It names the source of a value outside of the call's line.
func TestChanging(t *testing.T) {
	const (
		all  = ", so that each occurrence is an event of its own; leave it out, or log it [EV518]"
		some = ", so that each occurrence with it is an event of its own; leave it out, or log it [EV518]"
	)
	for code, want := range map[string]string{
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", time.Now())`:                                                                               "the message shows time.Now(), the time" + all,
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", target(pod))`:                                                                              "the message shows target(pod), which can be the time (time.Now() at 11:9)" + some,
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", target(pod).Format(time.RFC3339))`:                                                         "the message shows target(pod).Format(time.RFC3339), which can be the time (time.Now() at 11:9)" + some,
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", inner(pod))`:                                                                               "the message shows inner(pod), which can be the time (time.Now() at 11:9)" + some,
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", named(pod))`:                                                                               "the message shows named(pod), which can be the time (time.Now() at 27:9)" + some,
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", always(pod))`:                                                                              "the message shows always(pod), the time (time.Now() at 16:10)" + all,
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", literal(pod))`:                                                                             "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s for %s", target(pod), time.Since(always(pod)))`:                                              "the message shows time.Since(always(pod)), a time that has passed" + all,
		"took := time.Since(time.Time{})\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", \"in %s\", took)":                                            "the message shows took, a time that has passed (time.Since(time.Time{}) at 2:10)" + all,
		"message := fmt.Sprintf(\"at %s\", target(pod))\n\tr.recorder.Event(pod, \"Normal\", \"Scaled\", message)":                                      "the message shows target(pod), which can be the time (time.Now() at 12:9)" + some,
		"message := \"at \" + time.Now().String()\n\tr.recorder.Event(pod, \"Normal\", \"Scaled\", message)":                                            "the message shows time.Now(), the time (at 2:21)" + all,
		"message := fmt.Sprintf(\"%p\", pod)\n\tr.recorder.Event(pod, \"Normal\", \"Scaled\", message)":                                                 "the message shows pod, an address in memory (at 2:31)" + all,
		"message := \"soon\"\n\tif n > 1 {\n\t\tmessage = \"at \" + time.Now().String()\n\t}\n\tr.recorder.Event(pod, \"Normal\", \"Scaled\", message)": "one of the messages shows time.Now(), the time (at 4:21)" + some,
	} {
		found := strings.Join(judge(t, function+code+"\n}"+changingHelpers, nil), "\n")
		_, message, _ := strings.Cut(found, ": ")
		if diff := cmp.Diff(want, message); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
	}
}
