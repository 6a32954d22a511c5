package rawcall

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const function = "func (r *reconciler) f(ctx context.Context, pod *corev1.Pod, err error, names []string, text string, n int) {\n\t"

// What comes close to a rule, on either side of it. Findings are rule and column, in the second line.
func TestCases(t *testing.T) {
	for code, want := range map[string]string{
		// Reasons and types.
		`r.recorder.Event(pod, "Normal", "", "x")`:                                 "EV511",
		`r.recorder.Event(pod, "Normal", "Cert-Manager", "x")`:                     "EV511",
		`r.recorder.Event(pod, "Normal", "` + strings.Repeat("A", 129) + `", "x")`: "EV511",
		`r.recorder.Event(pod, "Normal", "OOMKilled2", "x")`:                       "",
		`r.recorder.Event(pod, "Normal", text, "x")`:                               "",
		`r.recorder.Event(pod, "Normal", "A"+err.Error(), "x")`:                    "EV512",
		`r.recorder.Event(pod, "Normal", fmt.Sprintf("Failed%d", n), "x")`:         "",
		`r.recorder.Event(pod, text, "Scaled", "x")`:                               "EV529",
		`r.recorder.Event(pod, "normal", "Scaled", "x")`:                           "EV527",
		`r.recorder.Event(pod, "Scaled", corev1.EventTypeWarning, "x")`:            "EV527",
		// Formats.
		`r.recorder.Eventf(pod, "Normal", "Scaled", text)`:                              "EV513",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "x: "+text)`:                        "EV513",
		`r.recorder.Eventf(pod, "Normal", "Scaled", fmt.Sprintf("x %d", n))`:            "EV513",
		`r.recorder.Eventf(pod, "Warning", "Failed", fmt.Sprint(err))`:                  "EV513",
		`r.recorder.Event(pod, "Warning", "Failed", fmt.Sprint(err))`:                   "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", text, n)`:                           "",
		`f := "a"; if n > 1 { f = "b" }; r.recorder.Eventf(pod, "Normal", "Scaled", f)`: "",
		`r.recorder.Event(pod, "Normal", "Scaled", err.Error())`:                        "",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", text)`:                  "EV513",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s and %s", text)`:                 "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", text, n)`:                     "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", n)`:                           "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%d", err)`:                         "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%y", n)`:                           "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%t", text)`:                        "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%.2f", n)`:                         "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "x %")`:                             "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%[1]s %[1]q %%", text)`:            "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%[1]s", text, n)`:                  "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%*d", n, n)`:                       "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", names)`:                       "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", pod.CreationTimestamp)`:       "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%x %q", text, n)`:                  "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", pod.Status.Phase)`:            "",
		`var args []any; r.recorder.Eventf(pod, "Normal", "Scaled", "%s %s", args...)`:  "",
		`r.recorder.Event(pod, "Normal", "Scaled", "100%d")`:                            "EV514",
		`r.recorder.Event(pod, "Normal", "Scaled", "100% sure, 5%.")`:                   "",
		`r.recorder.AnnotatedEventf(pod, nil, "Normal", "Scaled", "%s")`:                "EV514",
		// Notes.
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s", err)`:                                            "EV515",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%v.", err.Error())`:                                   "EV515",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s", strings.Join(names, ", "))`:                      "EV515",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "Failed: %v", err)`:                                    "",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s", text)`:                                           "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", err)`:                                                        "",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "` + strings.Repeat("a", 1025) + `")`:                  "EV515",
		`msg := err.Error(); r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s", msg)`:                        "EV515",
		`msg := err.Error(); if len(msg) > 9 { msg = msg[:9] }; r.recorder.Eventf(pod, "Normal", "Scaled", "%s", msg)`: "",
		// Actions.
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "", "x")`:                                   "EV516",
		`a := ""; if n > 1 { a = "Scale" }; r.events.Eventf(pod, nil, "Normal", "Scaled", a, "x")`: "EV516",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", text, "x")`:                                 "",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", err.Error(), "x")`:                          "EV517",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", fmt.Sprintf("Scaled to %d", n), "x")`:       "EV517",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale-Up", "x")`:                           "",
		// Text that changes.
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", time.Now().Format(time.RFC3339))`: "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %v", pod.ResourceVersion)`:             "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %v", pod.GetResourceVersion())`:        "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %p", pod)`:                             "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%+v", pod.Spec.Containers)`:               "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v %v %v", err, names, pod.Labels)`:       "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v", pod.DeletionTimestamp)`:              "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v", 5*time.Second)`:                      "",
		// Objects.
		`r.recorder.Event(nil, "Normal", "Scaled", "x")`:                                        "EV522",
		`r.recorder.Event((*corev1.Pod)(nil), "Normal", "Scaled", "x")`:                         "EV522",
		`var p *corev1.Pod; r.recorder.Event(p, "Normal", "Scaled", "x")`:                       "EV522",
		`var p *corev1.Pod; p = pod; r.recorder.Event(p, "Normal", "Scaled", "x")`:              "",
		`var p *corev1.Pod; g := &p; _ = g; r.recorder.Event(p, "Normal", "Scaled", "x")`:       "",
		`if pod == nil && n > 1 { r.recorder.Event(pod, "Normal", "Scaled", "x") }`:             "EV522",
		`if pod == nil || n > 1 { r.recorder.Event(pod, "Normal", "Scaled", "x") }`:             "",
		`if pod == nil { pod = &corev1.Pod{}; r.recorder.Event(pod, "Normal", "Scaled", "x") }`: "",
		`if pod != nil { r.recorder.Event(pod, "Normal", "Scaled", "x") }`:                      "",
		// Suppressions.
		`r.recorder.Event(nil, "Normal", "Scaled", "x") //event-gen:ignore EV522 a test of the recorder`: "",
		`r.recorder.Event(nil, "Normal", "Scaled", "x") //event-gen:ignore EV522`:                        "EV522 EV405",
		`r.recorder.Event(nil, "Normal", "Scaled", "x") //event-gen:ignore EV518,EV522 because`:          "EV405",
		`r.recorder.Event(pod, "Normal", "Scaled", "x") //event-gen:ignore EV599 because`:                "EV405",
		"//event-gen:ignore EV522 because\n\tr.recorder.Event(nil, \"Normal\", \"Scaled\", \"x\")":       "",
		"r.recorder.Event(pod, \"Normal\", \"Scaled\", \"x\") //event-gen:ignore EV501 because\n":        "",
	} {
		var got []string
		for _, f := range judge(t, function+code+"\n}\n", nil) {
			got = append(got, f[strings.LastIndex(f, "[")+1:len(f)-1])
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
	}
}

// Strict judging takes a note for too long unless the sum of its parts is known.
func TestStrict(t *testing.T) {
	for note, want := range map[string]bool{
		`"x"`:                                   false,
		`"%d %t %v", n, true, 1.5`:              false,
		`"%s/%s", pod.Namespace, pod.GetName()`: false,
		`"%s", text[:100]`:                      false,
		`"%s", text`:                            true,
		`"Failed: %v", err`:                     true,
		`"%v", pod.Spec.Containers`:             true,
		`"%s%s%s%s%s", pod.Name, pod.Name, pod.Name, pod.Name, pod.Name`: true,
		`"%s", time.Second`:           false,
		`"%s", pod.CreationTimestamp`: true,
	} {
		found := judge(t, function+`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", `+note+")\n}\n", func(in *Input) { in.Strict = true })
		if got := strings.Contains(strings.Join(found, "\n"), "[EV515]"); got != want {
			t.Errorf("%s: %v: %v", note, got, found)
		}
	}
}

// A function that passes on what its callers give is not judged for it; its callers are.
func TestForwarders(t *testing.T) {
	const code = `func (r *reconciler) warn(pod *corev1.Pod, reason, message string) {
	r.events.Eventf(pod, nil, "Warning", reason, "Scale", "%s", message)
}

func (r *reconciler) warnf(pod *corev1.Pod, reason, format string, args ...any) {
	r.recorder.Eventf(pod, "Warning", reason, format, args...)
}

func (r *reconciler) f(pod *corev1.Pod, err error) {
	r.warn(pod, "bad reason", "x")
	r.warn(pod, "Failed", err.Error())
	r.warn(pod, "Failed", "short")
	r.warnf(pod, "Failed", "%v", err)
}
`
	want := []string{
		`10:2: the reason "bad reason" is no name in UpperCamelCase, which alerts and field selectors match [EV511]`,
		"11:2: the note can exceed 1024 bytes, which the events API refuses: err is an error; shorten it before it is recorded [EV515]",
	}
	if diff := cmp.Diff(want, judge(t, code, nil)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRemedyForFormats holds that a finding names Event only where a recorder has it, with the same meaning.
func TestRemedyForFormats(t *testing.T) {
	for call, want := range map[string]bool{
		`r.recorder.Eventf(pod, "Normal", "Scaled", text)`:               true,
		`r.recorder.AnnotatedEventf(pod, nil, "Normal", "Scaled", text)`: false,
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", text)`:   false,
	} {
		found := strings.Join(judge(t, function+call+"\n}\n", nil), "\n")
		if !strings.Contains(found, "[EV513]") || strings.Contains(found, "call Event") != want {
			t.Errorf("%s: %s", call, found)
		}
	}
}
