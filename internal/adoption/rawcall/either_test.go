package rawcall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// either has two types behind the interface of one call. Each type adds to the reason.
const either = `type one struct{ record.EventRecorder }

func (r one) Event(o runtime.Object, eventtype, reason, message string) {
	r.EventRecorder.Event(o, eventtype, reason+"ONE", message)
}

type two struct{ record.EventRecorder }

func (r two) Event(o runtime.Object, eventtype, reason, message string) {
	r.EventRecorder.Event(o, eventtype, reason+"TWO", message)
}

func either(inner record.EventRecorder, name string) record.EventRecorder {
	if name == "one" {
		return one{inner}
	}
	return two{inner}
}

func f(inner record.EventRecorder, pod *corev1.Pod) {
	either(inner, pod.Name).Event(pod, "Normal", "Scal", "It is scaled")
}
`

// TestEither: if several types stand behind the interface of a call, the call has the findings that
// all of them share, and no other.
func TestEither(t *testing.T) {
	for _, tt := range []struct {
		one, two string
		want     []string
	}{
		{"ed", "ing", nil},
		{"_ed", "ing", nil},
		{"ed", "_ing", nil},
		{"edUp", "eUp", nil},
		{"_ed", "_ing", []string{"EV511"}},
	} {
		var got []string
		for _, found := range judge(t, strings.NewReplacer("ONE", tt.one, "TWO", tt.two).Replace(either), nil) {
			_, rule, _ := strings.Cut(found, "[")
			got = append(got, strings.TrimSuffix(rule, "]"))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", tt.one, tt.two, diff)
		}
	}
}

// TestNotFollowed: a call has no finding but EV529 if its recorder hands the event to code that is
// not followed.
func TestNotFollowed(t *testing.T) {
	got := judge(t, `type item struct{ reason string }

type queued struct {
	record.EventRecorder
	items chan item
}

func (q queued) Event(o runtime.Object, eventtype, reason, message string) { q.items <- item{reason} }

func f(q queued, pod *corev1.Pod) { q.Event(pod, "Normal", "it is scaled", "x") }
`, nil)
	if want := []string{"10:60: what Event of example.queued does with the event is not followed [EV529]"}; !cmp.Equal(want, got) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWithoutMain: a function literal of a package variable is no main package. The types that the
// package's functions put behind an interface count beside it.
func TestWithoutMain(t *testing.T) {
	const hook = `
var hook = func(r record.EventRecorder, pod *corev1.Pod) { r.Event(pod, "Normal", "Hooked", "It is hooked") }
`
	got := judge(t, strings.NewReplacer("ONE", "_ed", "TWO", "_ing").Replace(either)+hook, nil)
	if len(got) != 1 || !strings.HasSuffix(got[0], "[EV511]") {
		t.Errorf("%q, want EV511 as without the variable", got)
	}
}
