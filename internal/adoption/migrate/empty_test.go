package migrate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWhatMayBeEmpty compares the fields that a call can leave empty with the comment on its line.
// A typed call leaves no field empty, so migrate leaves such calls.
func TestWhatMayBeEmpty(t *testing.T) {
	const source = `package drawn

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

func chosen(n int) string {
	switch n {
	case 1:
		return "ChosenA"
	case 2:
		return "ChosenB"
	}
	return ""
}

func record1(r record.EventRecorder, pod *corev1.Pod, reason string) {
	if reason == "" {
		return
	}
	r.Event(pod, "Normal", reason, "m")
}

func record2(r record.EventRecorder, pod *corev1.Pod, reason string) {
	r.Event(pod, "Normal", reason, "m")
}

func record3(r record.EventRecorder, pod *corev1.Pod, reason string) {
	record2(r, pod, reason)
}

func f(r record.EventRecorder, e events.EventRecorder, pod *corev1.Pod, k string, n int, b bool) {
	r.Event(pod, "Normal", chosen(n), "m") // reason
	record1(r, pod, chosen(n))
	record2(r, pod, chosen(n)) // reason
	if reason := chosen(n); reason != "" {
		record2(r, pod, reason)
		record3(r, pod, reason)
	}
	reason := chosen(n)
	r.Event(pod, "Normal", reason, "m") // reason
	if reason != "" && b {
		r.Event(pod, "Normal", reason, "m")
		reason = chosen(n)
		r.Event(pod, "Normal", reason, "m") // reason
	}
	if b || len(reason) == 0 {
		r.Event(pod, "Normal", reason, "m") // reason
	} else {
		r.Event(pod, "Normal", reason, "m")
	}
	for range n {
		if chosen(n) == "" || b {
			continue
		}
		r.Event(pod, "Normal", chosen(n), "m")
	}
	if reason == "" {
		n++
	}
	r.Event(pod, "Normal", reason, "m") // reason
}
`
	lines := strings.Split(source, "\n")
	for _, s := range scanned(t, source).Sites {
		_, want, _ := strings.Cut(lines[s.Pos.Line-1], "// ")
		if got := strings.Join(s.Empty, " "); got != want {
			t.Errorf("line %d: %q, want %q: %s", s.Pos.Line, got, want, lines[s.Pos.Line-1])
		}
	}
}

// TestDoubledPercent: a call is left if a caller passes it a format with %%. The typed call would
// store both percent signs.
func TestDoubledPercent(t *testing.T) {
	const source = `package drawn

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func done(r record.EventRecorder, pod *corev1.Pod, text string) {
	r.Eventf(pod, "Normal", "Done", text)
}

func f(r record.EventRecorder, pod *corev1.Pod) {
	done(r, pod, "%d is done")
	done(r, pod, "PERCENT is done")
}
`
	for percent, left := range map[string]bool{"5%%": true, "%v": false, "all": false} {
		m := &matcher{result: scanned(t, strings.Replace(source, "PERCENT", percent, 1))}
		if why := m.doubled(m.result.Sites[0]); (why != "") != left {
			t.Errorf("%s: %q", percent, why)
		}
	}
}

// TestOrderAndTime: arguments may be evaluated in any order if they only read. An object that is
// written between defer and the call is read late.
func TestOrderAndTime(t *testing.T) {
	m := &matcher{result: scanned(t, `package drawn

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

var n int

func next() int {
	n++
	return n
}

func f(r record.EventRecorder, pod, other *corev1.Pod) {
	r.Eventf(pod, "Normal", "Free", "%s %d", pod.Name, len(pod.Name))
	r.Eventf(pod, "Normal", "Ordered", "%d %d", next(), next())
	defer r.Event(pod, "Normal", "Late", "x")
	defer r.Event(other, "Normal", "Kept", "x")
	pod = other
}
`)}
	var got []string
	for _, s := range m.result.Sites {
		d := &Decision{scan: s, raw: m.raw(s)}
		got = append(got, fmt.Sprint(s.Reason, m.anyOrder(d), d.raw.Late))
	}
	if want := []string{"Free true false", "Ordered false false", "Late true true", "Kept true false"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
