package rawcall

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/event-gen/event-gen/internal/plumbing/callrules"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
)

const function = "func (r *reconciler) f(ctx context.Context, pod *corev1.Pod, err error, names []string, text string, n int) {\n\t"

// helpers are functions that the cases call.
const helpers = `
func age(pod *corev1.Pod) string { return time.Since(pod.CreationTimestamp.Time).String() }

func keys(pod *corev1.Pod) (l []string) { for name := range pod.Labels { l = append(l, name) }; return l }

func sorted(pod *corev1.Pod) (l []string) { for name := range pod.Labels { l = append(l, name) }; slices.Sort(l); return l }

func label(pod *corev1.Pod) string { return pod.Labels["age"] }
`

// cases come close to a rule, on either side of it, with the rules that find a mistake.
func cases() map[string]string {
	return map[string]string{
		// Reasons and types.
		`r.recorder.Event(pod, "Normal", "", "x")`:                                                                        "EV511",
		`r.recorder.Event(pod, "Normal", "` + strings.Repeat("A", 129) + `", "x")`:                                        "EV511",
		`r.recorder.Event(pod, "Normal", text, "x")`:                                                                      "",
		`r.recorder.Event(pod, "Normal", "A"+err.Error(), "x")`:                                                           "EV512",
		`r.recorder.Event(pod, "Normal", fmt.Sprintf("Failed%d", n), "x")`:                                                "",
		`r.recorder.Event(pod, text, "Scaled", "x")`:                                                                      "EV529",
		`r.recorder.Event(pod, "normal", "Scaled", "x")`:                                                                  "EV527",
		`r.recorder.Event(pod, "Scaled", corev1.EventTypeWarning, "x")`:                                                   "EV527",
		`r.recorder.Event(pod, "Normal", fmt.Sprintf("%sFailed", pod.GetName()), "x")`:                                    "EV512",
		`id := string(pod.UID); r.recorder.Event(pod, "Normal", "Pod"+id, "x")`:                                           "EV512",
		`r.recorder.Event(pod, "Normal", pod.Spec.Containers[0].Name+"Scaled", "x")`:                                      "EV529",
		`r.recorder.Event(pod, "Normal", "ScaleFailed", "x")`:                                                             "EV535",
		`k, s := "Normal", "Scaled"; if err != nil { k, s = "Warning", "ScaleFailed" }; r.recorder.Event(pod, k, s, "x")`: "",
		`k := "Normal"; if err != nil { k = "Warning" }; r.recorder.Event(pod, k, "ScaleFailed", "x")`:                    "",
		// Broadcasters.
		`record.NewBroadcaster().NewRecorder(nil, corev1.EventSource{}).Event(pod, "Normal", "Scaled", "x")`:                                                               "EV532",
		`b := events.NewBroadcaster(nil); defer b.Shutdown(); r.events = b.NewRecorder(nil, "widgets"); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                    "EV532",
		`b := record.NewBroadcaster(); b.StartStructuredLogging(0); r.recorder = b.NewRecorder(nil, corev1.EventSource{}); r.recorder.Event(pod, "Normal", "Scaled", "x")`: "",
		`var b record.EventBroadcaster; r.recorder = b.NewRecorder(nil, corev1.EventSource{}); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                             "",
		`var b events.EventBroadcaster; r.events = b.NewRecorder(nil, "a/b/c"); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                                            "EV531",
		`var b events.EventBroadcaster; r.events = b.NewRecorder(nil, text); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                                               "",
		`var b events.EventBroadcasterAdapter; r.events = b.NewRecorder("a b"); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                                            "EV531",
		`b := clientgo.NewEventsBroadcaster(nil); b.StartRecordingToSink(nil); r.events = b.NewRecorder(nil, "a b"); r.recorder.Event(pod, "Normal", "Scaled", "x")`:       "EV531",
		`r.events = clientgo.EventsRecorderOn(nil, nil, "a b", klog.Logger{}); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                                             "EV531",
		`name := "a/b/c"; _ = eventrt.NewRecorder(nil).WithReportingController(name); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                                      "EV531",
		`rec := eventrt.NewRecorder(nil).WithContext(ctx); rec.WithReportingController("-a").Forward(pod, "Normal", "Scaled", "Scale", "x")`:                               "EV531",
		`_ = eventrt.NewRecorder(nil).WithReportingController(text); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                                                       "",
		`broadcaster.New(broadcaster.Options{ReportingController: "a b"}); r.recorder.Event(pod, "Normal", "Scaled", "x")`:                                                 "EV531",
		`var b record.EventBroadcaster; r.recorder = b.NewRecorder(nil, corev1.EventSource{Component: "a b"}); r.recorder.Event(pod, "Normal", "Scaled", "x")`:             "",
		`r.recorder.Event(pod, "Normal", "PolicySet", "x"); r.recorder.Event(pod, "Normal", "PoliciesSet", "x")`:                                                           "EV520",
		// Formats.
		`r.recorder.Eventf(pod, "Normal", "Scaled", text)`:                                               "EV513",
		`r.recorder.Eventf(pod, "Normal", "Scaled", fmt.Sprintf("x %d", n))`:                             "EV513",
		`r.recorder.Eventf(pod, "Normal", "Scaled", text, n)`:                                            "",
		`f := "a"; if n > 1 { f = "b" }; r.recorder.Eventf(pod, "Normal", "Scaled", f)`:                  "",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", text)`:                                   "EV513",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s and %s", text)`:                                  "EV514",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%[1]s %[1]q %%", text)`:                             "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%[1]s", text, n)`:                                   "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", names)`:                                        "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%s", pod.CreationTimestamp)`:                        "",
		`f := "%s"; if n > 1 { f = "%d" }; r.recorder.Eventf(pod, "Normal", "Scaled", f, text)`:          "EV514",
		`f := "%s"; if n > 1 { f = "%s %s" }; r.recorder.Eventf(pod, "Normal", "Scaled", f)`:             "EV513 EV514 EV514",
		`r.recorder.Eventf(pod, "Warning", "Failed", err.Error(), n)`:                                    "EV513",
		`r.recorder.Eventf(pod, "Warning", "Failed", fmt.Sprintf("%s: %%d", pod.Name), n)`:               "EV513",
		`r.recorder.Eventf(pod, "Warning", "Failed", pod.Status.Message, n)`:                             "EV536",
		`var a []any; r.recorder.Eventf(pod, "Normal", "Scaled", err.Error(), a...)`:                     "EV513",
		`r.recorder.Eventf(pod, "Normal", "Scaled", fmt.Sprintf("at %s", time.Now()), n)`:                "EV513 EV518",
		`r.recorder.Event(pod, "Normal", "Scaled", fmt.Sprintf("at " + time.Now().String()))`:            "EV518",
		`r.recorder.Eventf(pod, "Warning", "Cannot scale %s", text)`:                                     "EV514",
		`r.events.Eventf(pod, nil, "Warning", "Cannot scale %d: %v", "Scale", text)`:                     "EV514",
		`r.recorder.Event(pod, "Warning", fmt.Sprintf("Cannot %s", "scale"), "x")`:                       "EV511",
		`var args []any; r.recorder.Eventf(pod, "Normal", "Scaled", "%s %s", args...)`:                   "",
		`var a []any; r.events.Eventf(pod, nil, "Warning", "Failed", "%s of %s", pod.Name, a...)`:        "EV514",
		`note := "Scaled %s"; r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale %s", note, pod.Name)`: "EV517",
		`r.events.Eventf(pod, nil, "Warning", "Failed", "Cannot scale it", err.Error())`:                 "EV517 EV513 EV515",
		`r.recorder.Event(pod, "Normal", "Scaled", "100%d")`:                                             "EV514",
		`r.recorder.Event(pod, "Normal", "Scaled", "100% sure, 5%.")`:                                    "",
		// Notes.
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s", err)`:                                            "EV515",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s", strings.Join(names, ", "))`:                      "EV515",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "%s", text)`:                                           "",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "Scale", "` + strings.Repeat("a", 1025) + `")`:                  "EV515",
		`msg := err.Error(); if len(msg) > 9 { msg = msg[:9] }; r.recorder.Eventf(pod, "Normal", "Scaled", "%s", msg)`: "",
		// Actions.
		`r.events.Eventf(pod, nil, "Normal", "Scaled", "", "x")`:                                   "EV516",
		`a := ""; if n > 1 { a = "Scale" }; r.events.Eventf(pod, nil, "Normal", "Scaled", a, "x")`: "EV516",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", err.Error(), "x")`:                          "EV517",
		`r.events.Eventf(pod, nil, "Normal", "Scaled", fmt.Sprintf("Scaled to %d", n), "x")`:       "EV517",
		`r.recorder.Eventf(pod, "Normal", "%s` + strings.Repeat("ü", 40) + `", pod.Name)`:          "EV514",
		// Text that changes.
		`r.recorder.Eventf(pod, "Normal", "Scaled", "at %s", time.Now().Format(time.RFC3339))`:                                               "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%d %v", time.Now().Year(), time.Now().Truncate(24*time.Hour))`:                          "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%t %T", time.Since(time.Time{}) > time.Hour, time.Now())`:                               "",
		`now := time.Now(); took := now.Sub(pod.CreationTimestamp.Time).String(); r.recorder.Eventf(pod, "Normal", "Scaled", "in %s", took)`: "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "in %s", age(pod))`:                                                                      "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "in %s", label(pod))`:                                                                    "",
		// Lists in another order.
		`var l []string; for name := range pod.Labels { l = append(l, name) }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                                                            "EV518",
		`var l []string; for name := range pod.Labels { l = append(l, name) }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", strings.Join(l, " "))`:                                         "EV518",
		`var l []string; for name := range pod.Labels { l = append(l, name) }; if len(l) > 0 { m := fmt.Sprintf("on %v", l); r.recorder.Event(pod, "Normal", "Scaled", m) }`:                   "EV518",
		`l := ""; for name, value := range pod.Labels { l += name + value }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                                                              "EV518",
		`var b strings.Builder; for name := range pod.Labels { b.WriteString(name) }; r.recorder.Event(pod, "Normal", "Scaled", b.String())`:                                                   "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v", slices.Collect(maps.Values(pod.Labels)))`:                                                                                            "EV518",
		`l := slices.Collect(maps.Keys(pod.Labels)); r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                                                                                      "EV518",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v", keys(pod))`:                                                                                                                          "EV518",
		`l := slices.Collect(maps.Keys(pod.Labels)); slices.Sort(l); r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                                                                      "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v", sorted(pod))`:                                                                                                                        "",
		`var l []string; for name := range pod.Labels { l = append(l, name) }; sort.Slice(l, func(i, j int) bool { return l[i] < l[j] }); r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`: "",
		`var l []string; for name := range pod.Labels { l = append(l, name) }; sort.Sort(sort.StringSlice(l)); r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                            "",
		`var l sort.StringSlice; for name := range pod.Labels { l = append(l, name) }; l.Sort(); r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                                          "",
		`var l []string; for name := range pod.Labels { l = append(l, name) }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", len(l))`:                                                       "",
		`var l []string; for range pod.Labels { l = append(l, "x") }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                                                                     "",
		`var l []string; for _, name := range names { l = append(l, name) }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l)`:                                                              "",
		`for name := range pod.Labels { var l []string; l = append(l, name); r.recorder.Eventf(pod, "Normal", "Scaled", "%v", l) }`:                                                            "",
		`var l []string; for name := range pod.Labels { l = append(l, name, text) }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", text)`:                                                   "",
		`var b strings.Builder; for range pod.Labels { b.WriteString(text) }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", text)`:                                                          "",
		`sum := 0; for name := range pod.Labels { sum += len(name) }; r.recorder.Eventf(pod, "Normal", "Scaled", "%v", sum)`:                                                                   "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v", slices.Sorted(maps.Keys(pod.Labels)))`:                                                                                               "",
		`r.recorder.Eventf(pod, "Normal", "Scaled", "%v", pod.Labels)`:                                                                                                                         "",
		// References.
		`r.recorder.Event(&corev1.ObjectReference{Kind: "Node", Name: text}, "Normal", "Scaled", "x")`:                                "EV522",
		`r.recorder.Event(&corev1.ObjectReference{Kind: "Node", Name: text, UID: pod.UID}, "Normal", "Scaled", "x")`:                  "",
		`r.recorder.Event(&corev1.ObjectReference{}, "Normal", "Scaled", "x")`:                                                        "EV522",
		`ref := &corev1.ObjectReference{Kind: "Node", Name: text}; ref.UID = pod.UID; r.recorder.Event(ref, "Normal", "Scaled", "x")`: "",
		// Suppressions.
		`r.recorder.Event(nil, "Normal", "Scaled", "x") //event-gen:ignore EV522 a test of the recorder`: "",
		`r.recorder.Event(nil, "Normal", "Scaled", "x") //event-gen:ignore EV522`:                        "EV522 EV405",
		`r.recorder.Event(nil, "Normal", "Scaled", "x") //event-gen:ignore EV518,EV522 because`:          "EV405",
		`r.recorder.Event(pod, "Normal", "Scaled", "x") //event-gen:ignore EV599 because`:                "EV405",
		"//event-gen:ignore EV522 because\n\tr.recorder.Event(nil, \"Normal\", \"Scaled\", \"x\")":       "",
		"r.recorder.Event(pod, \"Normal\", \"Scaled\", \"x\") //event-gen:ignore EV501 because\n":        "",
	}
}

func TestCases(t *testing.T) {
	for code, want := range cases() {
		var got []string
		for _, f := range judge(t, function+code+"\n}\n"+helpers, nil) {
			if strings.Contains(f, "\n") || !utf8.ValidString(f) {
				t.Errorf("%s: %q", code, f)
			}
			got = append(got, f[strings.LastIndex(f, "[")+1:len(f)-1])
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
	}
}

// TestPercent: EV513 is an error only if a % can be in the text. Otherwise its message says that
// none can.
func TestPercent(t *testing.T) {
	for format, want := range map[string]diag.Severity{
		`fmt.Sprintf("scaled %s/%s to %d", pod.Namespace, pod.GetName(), n)`: diag.Warning,
		`"scaled " + pod.Name`: diag.Warning,
		`fmt.Sprintf("%t %5.1f %v %x", n > 1, 1.5*float64(n), n, n)`: diag.Warning,
		`fmt.Sprint(n)`:                                  diag.Warning,
		`fmt.Sprintf("%q", pod.ObjectMeta.Name)`:         diag.Warning,
		`fmt.Sprintf("100%% of %s", pod.Name)`:           diag.Error,
		`fmt.Sprintf("scaled %s to %s", pod.Name, text)`: diag.Error,
		`fmt.Sprintf("%s", n)`:                           diag.Error,
		`fmt.Sprintf("%c", n)`:                           diag.Error,
		`fmt.Sprintf("%s", pod.Spec.NodeName)`:           diag.Error,
		`fmt.Sprintf("%v", pod.CreationTimestamp)`:       diag.Error,
		`"no: " + err.Error()`:                           diag.Error,
		`names[n]`:                                       diag.Error,
		`pod.Labels["name"]`:                             diag.Error,
	} {
		found := findings(read(t, function+`r.recorder.Eventf(pod, "Normal", "Scaled", `+format+")\n}\n"), nil)
		i := slices.IndexFunc(found, func(f Finding) bool { return f.Rule == callrules.NonConstantFormat })
		if i < 0 || found[i].Severity != want || strings.Contains(found[i].Message, "no % can be in it") != (want == diag.Warning) {
			t.Errorf("%s: want %s: %v", format, want, found)
		}
	}
}

// For strict judging a note is too long unless the sum of its parts is known.
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

// A helper that formats only with arguments takes a text without arguments unchanged.
func TestFormatsOnlyWithArguments(t *testing.T) {
	const pass = "func (r *reconciler) log(pod *corev1.Pod, message string, args ...any) { r.logf(pod, message, args...) }\n"
	const logf = "func (r *reconciler) logf(pod *corev1.Pod, message string, args ...any) {\n\t"
	const event, eventf = `r.recorder.Event(pod, "Normal", "Scaled", message)`, `r.recorder.Eventf(pod, "Normal", "Scaled", message, args...)`
	const shown = `r.recorder.Eventf(pod, "Normal", "Scaled", "%s", message)`
	const pieces = "func has(args []any) bool { return len(args) > 0 }\n\n" +
		"func cut(s string) string {\n\tif len(s) > 9 {\n\t\treturn s[:9]\n\t}\n\treturn s\n}\n\n" +
		"func said(s string, args []any) string {\n\tif len(args) == 0 {\n\t\treturn s\n\t}\n\treturn fmt.Sprintf(s, args...)\n}\n\n" +
		"func saidOf(s string, args ...any) string { return said(s, args) }\n\n"
	for body, formats := range map[string]bool{
		"if len(args) > 0 { " + eventf + " } else { " + event + " }":  false,
		"if len(args) == 0 { " + event + " } else { " + eventf + " }": false,
		"if len(args) == 0 { " + event + "; return }; " + eventf:      false,
		"if len(args) != 0 { " + eventf + "; return }; " + event:      false,
		eventf: true,
		"if pod.Name == \"\" { " + event + " } else { " + eventf + " }":                                        true,
		"if len(message) > 0 { " + eventf + " } else { " + event + " }":                                        true,
		"if len(args) > 0 { " + eventf + " } else { " + eventf + " }":                                          true,
		"if len(args) > 0 { message = fmt.Sprintf(message, args...) }; " + event:                               false,
		"if len(args) == 0 && message != \"\" { " + event + "; return }; if args == nil { return }; " + eventf: false,
		"if args != nil { " + eventf + " } else { " + event + " }":                                             false,
		"n := len(args); if n == 0 { " + event + "; return }; " + eventf:                                       false,
		"if !has(args) { " + event + " } else { " + eventf + " }":                                              false,
		"switch len(args) { case 0: " + event + "; default: " + eventf + " }":                                  false,
		"switch len(args) { case 0: " + event + "; return }; " + eventf:                                        false,
		"switch { case len(args) > 0: " + eventf + "; default: " + event + " }":                                false,
		"switch len(args) { case 1: " + event + "; default: " + eventf + " }":                                  true,
		"some := len(args) > 0; if some { message = fmt.Sprintf(message, args...) }; " + event:                 false,
		"switch len(args) > 0 { case true: " + eventf + "; case false: " + event + " }":                        false,
		"for range args { " + eventf + "; return }; " + event:                                                  false,
		"if len(args) == 0 { message = strings.ReplaceAll(message, \"%\", \"%%\") }; " + eventf:                false,
		"message = said(message, args); " + event:                                                              false,
		"message = saidOf(message, args...); " + event:                                                         false,
		"if has(args) { message = fmt.Sprintf(message, args...) }; " + shown:                                   false,
		"text := said(message, args); if len(text) > 9 { text = text[:9] }; message = text; " + shown:          false,
		"message = cut(saidOf(message, args...)); " + shown:                                                    false,
		"message = cut(fmt.Sprintf(message, args...)); " + shown:                                               true,
		"if args == nil { " + eventf + " } else { " + eventf + " }":                                            true,
	} {
		for _, call := range []string{`r.logf(pod, text)`, `r.log(pod, text)`, `r.logf(pod, "x: "+text)`, `r.log(pod, err.Error())`} {
			found := judge(t, function+call+"\n}\n\n"+logf+body+"\n}\n\n"+pieces+pass, nil)
			if strings.Contains(strings.Join(found, ""), "[EV513]") != formats {
				t.Errorf("%s with %s: EV513 is %v: %v", call, body, !formats, found)
			}
		}
		found := judge(t, function+"r.log(pod, \"x %d\", text)\n}\n\n"+logf+body+"\n}\n\n"+pieces+pass, nil)
		if !strings.Contains(strings.Join(found, ""), "[EV514]") {
			t.Errorf("%s: no EV514 with an argument: %v", body, found)
		}
	}
}

// A slice that is no variadic parameter, and the receiver in a call T.Method(receiver, …), are no
// arguments of a format.
func TestNoArguments(t *testing.T) {
	for _, code := range []string{
		function + "r.list(pod, \"100% of it\", nil)\n\tr.list(pod, \"at %d\", []any{1})\n}\n\nfunc (r *reconciler) list(pod *corev1.Pod, message string, args []any) {\n" +
			"\tif len(args) > 0 {\n\t\tmessage = fmt.Sprintf(message, args...)\n\t}\n\tr.recorder.Event(pod, \"Normal\", \"Scaled\", message)\n}\n",
		function + "(*reconciler).logf(r, pod, \"Scaled\", \"at %d\", 1)\n}\n\nfunc (r *reconciler) logf(pod *corev1.Pod, reason, message string, args ...any) {\n" +
			"\tr.recorder.Eventf(pod, \"Normal\", reason, message, args...)\n}\n",
	} {
		if found := judge(t, code, nil); strings.Contains(strings.Join(found, ""), "[EV51") {
			t.Errorf("%s: %q", code, found)
		}
	}
}

// One cause is one finding: a wrapper that shows an error makes the note too long for all callers.
func TestNoteOfWrapper(t *testing.T) {
	found := judge(t, `func (r *reconciler) warn(pod *corev1.Pod, reason string, err error) {
	r.events.Eventf(pod, nil, "Warning", reason, "Scale", "%s", err.Error())
}

func (r *reconciler) f(pod *corev1.Pod, err error) {
	r.warn(pod, "Failed", err)
	r.warn(pod, "Stopped", err)
}
`, nil)
	if len(found) != 1 || !strings.HasPrefix(found[0], "2:") || !strings.HasSuffix(found[0], "[EV515]") {
		t.Errorf("%q, want EV515 at the wrapper alone", found)
	}
}

// Options, which are function values or interfaces, fill a struct: its fields are not empty.
func TestOptions(t *testing.T) {
	const before = "type note struct{ reason, action, text string }\n\n"
	const emit = "\tfor _, o := range options {\n\t\tCALL\n\t}\n\tr.events.Eventf(pod, nil, \"Normal\", n.reason, n.action, \"%s\", n.text)\n}\n\n" +
		"func (r *reconciler) f(pod *corev1.Pod) { r.emit(pod, reason(\"Scaled\")) }\n"
	for name, code := range map[string]string{
		"functions": before + "type option func(*note)\n\nfunc reason(s string) option { return func(n *note) { n.reason, n.action, n.text = s, s, s } }\n\n" +
			"func (r *reconciler) emit(pod *corev1.Pod, options ...option) {\n\tn := note{}\n" + strings.Replace(emit, "CALL", "o(&n)", 1),
		"interfaces": before + "type option interface{ apply(n *note) }\n\ntype reason string\n\nfunc (s reason) apply(n *note) { n.reason, n.action, n.text = string(s), \"Scale\", \"x\" }\n\n" +
			"func (r *reconciler) emit(pod *corev1.Pod, options ...option) {\n\tn := &note{}\n" + strings.Replace(emit, "CALL", "o.apply(n)", 1),
	} {
		found := judge(t, code, nil)
		if len(found) == 0 || strings.Contains(strings.Join(found, ""), "[EV51") || strings.Contains(strings.Join(found, ""), "[EV537]") {
			t.Errorf("%s: %q, want EV529", name, found)
		}
	}
}

// typesByValue are methods that record a reason as one of both types, by a value.
var typesByValue = map[string]string{
	"a parameter": "func (r *reconciler) f(pod *corev1.Pod, reason string, err error) {\n" +
		"\tif err != nil {\n\t\tr.recorder.Event(pod, \"Warning\", reason, \"x\")\n\t\treturn\n\t}\n\tr.recorder.Event(pod, \"Normal\", reason, \"x\")\n}\n",
	"a field": "type note struct {\n\treason string\n\terr error\n}\n\nfunc (r *reconciler) f(pod *corev1.Pod, reason string, err error) { r.g(pod, &note{reason, err}) }\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod, n *note) {\n\tif n.err != nil {\n\t\tr.recorder.Event(pod, \"Warning\", \"Failed\", \"x\")\n" +
		"\t\treturn\n\t}\n\tr.recorder.Event(pod, \"Normal\", n.reason, \"x\")\n}\n",
	"a field that is set": "type note struct {\n\treason string\n\terr error\n}\n\n" +
		"func (r *reconciler) f(pod *corev1.Pod, reason string, err error) {\n\tn := &note{}\n\tn.reason, n.err = reason, err\n\tr.g(pod, n)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod, n *note) {\n\tif n.err == nil {\n\t\tr.recorder.Event(pod, \"Normal\", n.reason, \"x\")\n\t}\n}\n",
}

// The type of an event is not sure if a value decides it (EV519, EV535).
func TestTypesByValue(t *testing.T) {
	for name, method := range typesByValue {
		code := method + "\nfunc (r *reconciler) h(pod *corev1.Pod, err error) {\n\tr.f(pod, \"ScaleFailed\", err)\n\tr.recorder.Event(pod, \"Warning\", \"ScaleFailed\", \"x\")\n}\n"
		if found := judge(t, code, nil); len(found) > 0 {
			t.Errorf("%s: %q", name, found)
		}
	}
	const sure = `func (r *reconciler) f(pod *corev1.Pod, reason string) { r.recorder.Event(pod, "Normal", reason, "x") }

func (r *reconciler) h(pod *corev1.Pod) {
	r.f(pod, "ScaleFailed")
	r.recorder.Event(pod, "Warning", "ScaleFailed", "x")
}
`
	if found := judge(t, sure, nil); len(found) != 2 {
		t.Errorf("want EV519 and EV535, found %q", found)
	}
}

// A condition's type is no reason, although an event is recorded with it (EV528).
func TestConstantsOfOtherTypes(t *testing.T) {
	for declared, want := range map[string]bool{
		`const scheduled = "Scheduled"`:                                      true,
		"type podReason string\n\nconst scheduled podReason = \"Scheduled\"": true,
		"type condition string\n\nconst scheduled condition = \"Scheduled\"": false,
	} {
		code := declared + `

func (r *reconciler) f(pod *corev1.Pod) {
	r.recorder.Event(pod, "Normal", string(scheduled), "x")
	r.recorder.Event(pod, "Normal", "Scheduled", "y")
}
`
		if found := judge(t, code, nil); strings.Contains(strings.Join(found, ""), "EV528") != want {
			t.Errorf("%s: %v, want %v", declared, found, want)
		}
	}
}

// formatWrappers pass on a format and its arguments, as the method f of a reconciler.
var formatWrappers = map[string]string{
	"method":       "func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tr.recorder.Eventf(pod, \"Warning\", reason, format, args...)\n}\n",
	"fixed reason": "func (r *reconciler) f(pod *corev1.Pod, _, format string, args ...any) {\n\tr.recorder.Eventf(pod, \"Warning\", \"Failed\", format, args...)\n}\n",
	"events":       "func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tr.events.Eventf(pod, nil, \"Warning\", reason, reason, format, args...)\n}\n",
	"Sprintf":      "func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tr.recorder.Event(pod, \"Warning\", reason, fmt.Sprintf(format, args...))\n}\n",
	"a variable":   "func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tmessage := fmt.Sprintf(format, args...)\n\tr.recorder.Eventf(pod, \"Warning\", reason, \"%s\", message)\n}\n",
	"a prefix":     "func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tr.recorder.Eventf(pod, \"Warning\", reason, \"Scale: \"+format, args...)\n}\n",
	"two steps": "func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tr.g(pod, reason, format, args...)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod, reason, format string, args ...any) {\n\tr.recorder.Eventf(pod, \"Warning\", reason, format, args...)\n}\n",
	"an interface": "type warner interface{ f(*corev1.Pod, string, string, ...any) }\n\n" +
		"type w struct{ record.EventRecorder }\n\n" +
		"func (r *w) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tr.Eventf(pod, \"Warning\", reason, format, args...)\n}\n\n" +
		"func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n\tvar i warner = &w{r.recorder}\n\ti.f(pod, reason, format, args...)\n}\n",
	"a literal": "var f func(*corev1.Pod, string, string, ...any)\n\n" +
		"func (r *reconciler) f(pod *corev1.Pod, reason, format string, args ...any) {\n" +
		"\tg := func(reason, format string, args ...any) { r.recorder.Eventf(pod, \"Warning\", reason, format, args...) }\n\tg(reason, format, args...)\n}\n",
}

// formatCalls are calls of these methods.
var formatCalls = map[string]string{
	`r.f(pod, "Failed", "state %s", text, err)`:          "EV514",
	`r.f(pod, "Failed", err.Error())`:                    "EV513",
	`r.f(pod, "Failed", "state %d", pod.Name)`:           "EV514",
	`r.f(pod, "Failed", "state %w", err)`:                "EV514",
	`r.f(pod, "Failed", "state %s")`:                     "EV514",
	`r.f(pod, "Failed", text)`:                           "EV513",
	`r.f(pod, "Failed", "no: "+err.Error(), n)`:          "EV513",
	`r.f(pod, "Failed", pod.Status.Message, n)`:          "EV536",
	`r.f(pod, "Failed", "%s is %d, 100%%", text, n)`:     "",
	`r.f(pod, "Failed", "nothing to show")`:              "",
	`var a []any; r.f(pod, "Failed", "%s and %s", a...)`: "",
}

// TestFormatsOfCallers: if a function passes on a format, its callers are judged as by go vet.
func TestFormatsOfCallers(t *testing.T) {
	for name, wrapper := range formatWrappers {
		for call, want := range formatCalls {
			var got []string
			for _, f := range judge(t, ofWrapper(wrapper, call), nil) {
				got = append(got, f[strings.LastIndex(f, "[")+1:len(f)-1])
			}
			// which judges notes
			if diff := cmp.Diff(want, strings.TrimPrefix(strings.Join(got, " "), "EV515 ")); diff != "" {
				t.Errorf("%s: %s (-want +got):\n%s", name, call, diff)
			}
		}
	}
}

// knownFormats are functions that record a format of a caller or a field, and their findings.
var knownFormats = map[string]string{
	// Callers pass an object's name, in which no % can be.
	"func (r *reconciler) emit(pod *corev1.Pod, name string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", name)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, pod.Name) }\n": "warning EV513",
	"func (r *reconciler) emit(pod *corev1.Pod, name string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", name)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, pod.Name); r.emit(pod, pod.Spec.NodeName) }\n": "error EV513",
	"func (r *reconciler) emit(pod *corev1.Pod, name string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", name)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, pod.Name); h := r.emit; _ = h }\n": "error EV513",
	"func (r *reconciler) emit(pod *corev1.Pod, name string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", name)\n}\n": "error EV513",
	// The function has the arguments, and callers the format.
	"func (r *reconciler) emit(pod *corev1.Pod, format string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", format, pod.Name)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, \"Up %s\"); r.emit(pod, \"Down %s\") }\n": "",
	"func (r *reconciler) emit(pod *corev1.Pod, format string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", format, pod.Name)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, \"Up %s\"); r.emit(pod, \"Down %d\") }\n": "error EV514",
	"func (r *reconciler) emit(pod *corev1.Pod, format string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", format, pod.Name)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, \"Up %s\"); r.emit(pod, pod.Name) }\n": "warning EV536",
	"func (r *reconciler) emit(pod *corev1.Pod, format string) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", format, pod.Name)\n}\n": "",
	// One caller leaves out the action, which is that caller's mistake.
	"func (r *reconciler) emit(pod *corev1.Pod, action, note string) {\n\tr.events.Eventf(pod, nil, \"Warning\", \"Failed\", action, note)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, \"Cannot scale %s\", pod.Name); r.emit(pod, \"Scale\", pod.Spec.NodeName) }\n": "warning EV517 error EV513",
	// The function chooses the arguments by another parameter.
	"func (r *reconciler) emit(pod *corev1.Pod, format string, n int) {\n\tif n == 0 {\n\t\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", format, pod.Name)\n\t\treturn\n\t}\n" +
		"\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", format, pod.Name, n)\n}\n\n" +
		"func (r *reconciler) g(pod *corev1.Pod) { r.emit(pod, \"Up %s\", 0); r.emit(pod, \"Up %s of %d\", 1) }\n": "",
	// A field holds the format.
	"type app struct{ format string }\n\nfunc (r *reconciler) emit(pod *corev1.Pod, a *app) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", a.format, pod.Name)\n}\n\n" +
		"func (a *app) set(pod *corev1.Pod) { a.format = fmt.Sprintf(\"%s-driver\", pod.Name) }\n": "warning EV536",
	"type app struct{ format string }\n\nfunc (r *reconciler) emit(pod *corev1.Pod, a *app) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", a.format, pod.Name)\n}\n\n" +
		"func (a *app) set() { a.format = \"Up %s\" }\n": "",
	"type app struct{ format string }\n\nfunc (r *reconciler) emit(pod *corev1.Pod, a *app) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", a.format, pod.Name)\n}\n\n" +
		"func (a *app) set() { a.format = \"Up %d\" }\n": "error EV514",
	"type app struct{ format string }\n\nfunc (r *reconciler) emit(pod *corev1.Pod, a *app) {\n\tr.recorder.Eventf(pod, \"Normal\", \"Scaled\", a.format, pod.Name)\n}\n": "warning EV536",
}

// TestKnownFormats: a format of callers or of a field is judged by its values, if all of them are
// known.
func TestKnownFormats(t *testing.T) {
	for code, want := range knownFormats {
		var got []string
		for _, f := range findings(read(t, code), nil) {
			got = append(got, f.Severity.String()+" "+f.Rule.ID)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
	}
}

func ofWrapper(wrapper, call string) string {
	return wrapper + strings.Replace(function, " f(", " caller(", 1) + call + "\n}\n"
}

// TestObjectsOfCallers: the objects that callers of a function pass are judged, unless the function
// looks at the object.
func TestObjectsOfCallers(t *testing.T) {
	const plain = "func (r *reconciler) warn(pod *corev1.Pod, reason string) {\n\tr.recorder.Event(pod, \"Warning\", reason, \"x\")\n}\n"
	checked := strings.Replace(plain, "\t", "\tif pod == nil {\n\t\treturn\n\t}\n\t", 1)
	for call, want := range map[string]string{
		`r.warn(nil, "Failed")`:                     "EV522",
		`r.warn(&corev1.Pod{}, "Failed")`:           "EV522",
		`var p *corev1.Pod; r.warn(p, "Failed")`:    "",
		`r.warn(pod, "Failed")`:                     "",
		`var p *corev1.Pod; p = pod; r.warn(p, "")`: "EV511",
	} {
		for wrapper, want := range map[string]string{plain: want, checked: strings.TrimPrefix(want, "EV522")} {
			var got []string
			for _, f := range judge(t, wrapper+function+call+"\n}\n", nil) {
				got = append(got, f[strings.LastIndex(f, "[")+1:len(f)-1])
			}
			if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
				t.Errorf("%s%s (-want +got):\n%s", wrapper, call, diff)
			}
		}
	}
}

// TestUnsetRecorders: each way to set a field counts.
func TestUnsetRecorders(t *testing.T) {
	const use = "func (w *worker) work(pod *corev1.Pod) { w.recorder.Event(pod, \"Normal\", \"Worked\", \"x\") }\n\nfunc anything(any) {}\n\nvar worked *corev1.Pod\n\n"
	const kind = "type worker struct {\n\trecorder record.EventRecorder\n}\n\n"
	for code, want := range map[string]bool{
		"var w = &worker{}":                          true,
		"func f() { w := worker{}; w.work(worked) }": true,
		"": false, // nothing makes one
		"func f(r record.EventRecorder) { w := worker{r}; w.work(worked) }":                                                           false,
		"func f(r record.EventRecorder) { w := worker{recorder: r}; w.work(worked) }":                                                 false,
		"func f(r record.EventRecorder) { w := worker{}; w.recorder = r }":                                                            false,
		"func f(g func(*record.EventRecorder)) { w := worker{}; g(&w.recorder) }":                                                     false,
		"func f() { w := worker{}; if w.recorder != nil { w.work(worked) } }":                                                         false,
		"func f() { w := worker{}; anything(&w) }":                                                                                    false,
		"type other struct {\n\trecorder record.EventRecorder\n}\n\nfunc f(o other) { w := worker(o); w.work(worked); _ = worker{} }": false,
	} {
		complete := func(in *Input) { in.Complete, in.Packages[0].Main = true, true }
		if found := judge(t, kind+use+code+"\n", complete); strings.Contains(strings.Join(found, ""), "EV534") != want {
			t.Errorf("%s: %v, want %v", code, found, want)
		}
		if found := judge(t, kind+use+code+"\n", nil); len(found) > 0 {
			t.Errorf("%s: not all was read: %v", code, found)
		}
	}
}

// TestRemedyForFormats: a finding names Event only if the recorder has that method, with the same
// meaning.
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
