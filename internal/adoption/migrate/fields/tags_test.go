package fields

import (
	"fmt"
	"strings"
	"testing"
)

const tagged = `%spackage tagged

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

%s

var (
	_ *corev1.Pod
	_ record.EventRecorder
)
`

// holder is a struct with a recorder that would move.
func holder(name string) string {
	return fmt.Sprintf(`// %[1]s holds a recorder.
type %[1]s struct{ recorder record.EventRecorder }

// Fail records.
func (h *%[1]s) Fail(pod *corev1.Pod) {
	h.recorder.Event(pod, corev1.EventTypeWarning, "Failed", "Failed")
}
`, name)
}

// TestBuildTags: a recorder moves only if the files of all sets of build tags allow it, read or
// unread.
func TestBuildTags(t *testing.T) {
	w := newWorkspace(t)
	file := func(name, constraint, text string) { w.put(name, fmt.Sprintf(tagged, constraint, text)) }
	common := ""
	for _, name := range []string{"Free", "Extra", "Never", "System", "Positional", "Converted", "Typed"} {
		common += strings.ReplaceAll(holder(name), "recorder ", "of"+name+" ")
		common = strings.ReplaceAll(common, "h.recorder", "h.of"+name)
	}
	file("tagged/common.go", "", common+`
// Aliased has another recorder with other tags.
type Aliased struct{ ofAliased alias }

// Fail records.
func (h *Aliased) Fail(pod *corev1.Pod) { h.ofAliased.Event(pod, corev1.EventTypeWarning, "Failed", "Failed") }

// NewNamed is called by a file that is not read.
func NewNamed(r record.EventRecorder, pod *corev1.Pod) { r.Event(pod, corev1.EventTypeWarning, "Failed", "Failed") }
`)
	file("tagged/plain.go", "//go:build !extra\n\n", "type alias = record.EventRecorder\n")
	file("tagged/extra.go", "//go:build extra\n\n", `type alias = *other

type other struct{ record.EventRecorder }

func (h *Extra) extra(pod *corev1.Pod) { h.ofExtra.Event(pod, corev1.EventTypeWarning, pod.Name, "raw") }

func (h *Typed) extra(pod *corev1.Pod) { h.ofTyped.Event(pod, corev1.EventTypeWarning, "Failed", "Failed") }
`)
	file("tagged/never.go", "//go:build never\n\n", `func (h *Never) never() { _ = h.ofNever }

var _ = Positional{nil}

var _ = Converted(struct{ ofConverted record.EventRecorder }{})
`)
	file("tagged/system_plan9.go", "", "func (h *System) plan9(pod *corev1.Pod) { h.ofSystem.Event(pod, corev1.EventTypeNormal, pod.Name, \"raw\") }\n")
	w.put("far/far_test.go", "//go:build never\n\npackage far\n\nimport \"example.com/random/tagged\"\n\nvar _ = tagged.NewNamed\n")

	first, second := w.migrate([]string{"extra"})
	for _, m := range second.Moved {
		if m.Name != "Free.ofFree" && m.Name != "Typed.ofTyped" {
			t.Errorf("%s moves", m.Name)
		}
	}
	if len(second.Moved) != 2 {
		t.Errorf("%d places move: %v", len(second.Moved), second.Moved)
	}
	left := map[string]string{}
	for _, l := range second.Left {
		left[l.Name] = fmt.Sprintf("%s:%d: %s", l.Use.Filename, l.Use.Line, l.Why)
	}
	const unread = "a file names it that the build tags leave out; read it, too, with --tags or --goos"
	for name, want := range map[string]string{
		"Extra.ofExtra":           "tagged/extra.go:14: a raw call of Event",
		"Never.ofNever":           "tagged/never.go:10: " + unread,
		"System.ofSystem":         "tagged/system_plan9.go:8: " + unread,
		"Positional.ofPositional": "tagged/never.go:12: " + unread,
		"Converted.ofConverted":   "tagged/never.go:14: " + unread,
		"NewNamed r":              "far/far_test.go:7: " + unread,
	} {
		if left[name] != want {
			t.Errorf("%s: %q, want %q", name, left[name], want)
		}
	}
	if !strings.Contains(left["Aliased.ofAliased"], "with other build tags") {
		t.Errorf("Aliased.ofAliased: %q", left["Aliased.ofAliased"])
	}
	w.write(first)
	w.exec("go", "vet", "-tags=never", "./...") // all others are verified
}
