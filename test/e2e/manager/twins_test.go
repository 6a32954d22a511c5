package manager

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// raw is what a reconciler records with strings, and the events that must be stored of it: by both, or by each if they differ.
type raw struct {
	name        string
	record      func(m manager.Manager, pod *corev1.Pod)
	ours, alone []string // as show has them; anything: the same as the other
	// either is what else may be stored by client-go, which writes each event in a goroutine of its own.
	either [][]string
}

var anything = []string{"*"}

func raws() []raw {
	return []raw{
		{"legacy", func(m manager.Manager, pod *corev1.Pod) {
			r := m.GetEventRecorderFor("Widget Controller")
			r.Event(pod, corev1.EventTypeNormal, "Pulled", "half of it")
			r.Eventf(pod, corev1.EventTypeWarning, "Failed", "%d of %s", 3, "five")
			r.AnnotatedEventf(pod, map[string]string{"example.com/revision": "7"}, corev1.EventTypeNormal, "Noted", "with an annotation")
		}, anything, anything, nil},
		{"legacy repeated", func(m manager.Manager, pod *corev1.Pod) {
			for range 20 {
				m.GetEventRecorderFor("example.com/widgets").Event(pod, corev1.EventTypeNormal, "Again", "and again")
			}
		}, anything, anything, nil},
		{"events", func(m manager.Manager, pod *corev1.Pod) {
			r := m.GetEventRecorder("example.com/widgets")
			r.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d", 5)
			r.Eventf(pod, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: "other", UID: "o"}}, corev1.EventTypeWarning, "Failed", "Scale", "100%%")
			r.AnnotatedEventf(pod, nil, map[string]string{"example.com/revision": "7"}, corev1.EventTypeNormal, "Noted", "Note", "with an annotation")
		}, anything, anything, nil},
		// What package ctrlevents documents as different.
		{"legacy folded", func(m manager.Manager, pod *corev1.Pod) {
			for n := range 14 {
				m.GetEventRecorderFor("example.com/widgets").Eventf(pod, corev1.EventTypeNormal, "Varies", "number %d", n)
			}
		}, folded("example.com/widgets"), folded(""), nil},
		{"events repeated", func(m manager.Manager, pod *corev1.Pod) {
			for range 2 {
				m.GetEventRecorder("example.com/widgets").Eventf(pod, nil, corev1.EventTypeNormal, "Again", "Try", "and again")
			}
		}, []string{"Normal Again/Try and again 2 × by example.com/widgets <> map[]"},
			[]string{"Normal Again/Try and again 1 × by example.com/widgets <> map[]"}, [][]string{{"Normal Again/Try and again 2 × by example.com/widgets <> map[]"}}},
		{"notes", func(m manager.Manager, pod *corev1.Pod) {
			for n := range 2 {
				m.GetEventRecorder("example.com/widgets").Eventf(pod, nil, corev1.EventTypeNormal, "Varies", "Try", "note %d", n)
			}
		}, []string{
			"Normal Varies/Try note 0 1 × by example.com/widgets <> map[]", "Normal Varies/Try note 1 1 × by example.com/widgets <> map[]",
		}, []string{"Normal Varies/Try note 0 2 × by example.com/widgets <> map[]"}, [][]string{
			{"Normal Varies/Try note 0 1 × by example.com/widgets <> map[]"},
			{"Normal Varies/Try note 1 1 × by example.com/widgets <> map[]"}, {"Normal Varies/Try note 1 2 × by example.com/widgets <> map[]"},
		}},
		{"no action", func(m manager.Manager, pod *corev1.Pod) {
			m.GetEventRecorder("example.com/widgets").Eventf(pod, nil, corev1.EventTypeNormal, "Idle", "", "nothing to do")
		}, []string{"Normal Idle/Idle nothing to do 1 × by example.com/widgets <> map[]"}, []string{}, nil},
		{"long note", func(m manager.Manager, pod *corev1.Pod) {
			m.GetEventRecorder("example.com/widgets").Eventf(pod, nil, corev1.EventTypeNormal, "Long", "Try", "%s", strings.Repeat("x", 2000))
		}, []string{"Normal Long/Try " + strings.Repeat("x", 989) + "… 1 × by example.com/widgets <> map[]"}, []string{}, nil},
	}
}

// folded are fourteen messages of which the last five fold; client-go leaves the reporting controller of what they fold into empty.
func folded(controller string) (all []string) {
	all = append(all, fmt.Sprintf("Normal Varies/ (combined from similar events): number 13 5 × by %s <> map[]", controller))
	for n := range 9 {
		all = append(all, fmt.Sprintf("Normal Varies/ number %d 1 × by example.com/widgets <> map[]", n))
	}
	return all
}

// show is all that is stored of an event but its name and its times.
func show(e *eventsv1.Event) string {
	related := ""
	if e.Related != nil {
		related = e.Related.Kind + "/" + e.Related.Name
	}
	return fmt.Sprintf("%s %s/%s %s %d × by %s <%s> %v", e.Type, e.Reason, e.Action, e.Note, cluster.Occurrences(e), e.ReportingController, related, e.Annotations)
}

// whole is what show leaves out, for events that are to be equal.
func whole(e *eventsv1.Event) string {
	return fmt.Sprintf("%s | source %+v, instance %s, regarding %+v, in the core group %v", show(e), e.DeprecatedSource, e.ReportingInstance, e.Regarding, e.EventTime.IsZero())
}

// TestOneProgramBuiltTwice has a reconciler's raw calls recorded by both managers, and compares what is stored. What differs is listed,
// and stands in the documentation of package ctrlevents.
func TestOneProgramBuiltTwice(t *testing.T) {
	got := map[string]map[string][]eventsv1.Event{}
	for _, v := range []variant{alone, ours} {
		config, clients, namespace := server(t)
		m := v.newManager(t, config, namespace)
		ctx, stop := context.WithCancelCause(t.Context())
		err := m.Add(manager.RunnableFunc(func(ctx context.Context) error {
			for n, r := range raws() {
				r.record(m, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: fmt.Sprintf("pod-%d", n), UID: "u"}})
			}
			awaitRest(ctx, t, clients, namespace) // controller-runtime alone loses what is queued when it stops
			stop(errStopped)
			return nil
		}))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Start(ctx); err != nil {
			t.Fatal(err)
		}
		got[v.name] = map[string][]eventsv1.Event{}
		for _, e := range stored(t, clients, namespace) {
			e.Regarding.Namespace = "ns"
			got[v.name][e.Regarding.Name] = append(got[v.name][e.Regarding.Name], e)
		}
	}
	for n, r := range raws() {
		object := fmt.Sprintf("pod-%d", n)
		with, without := got[ours.name][object], got[alone.name][object]
		if slices.Equal(r.ours, anything) {
			compare(t, r.name, lines(with, whole), lines(without, whole))
			if len(with) == 0 {
				t.Errorf("%s: nothing is stored", r.name)
			}
			continue
		}
		compare(t, r.name+", ours", lines(with, show), r.ours)
		same := func(either []string) bool { return slices.Equal(lines(without, show), either) }
		if !slices.ContainsFunc(r.either, same) {
			compare(t, r.name+", alone", lines(without, show), r.alone)
		}
	}
	// The last event of leader election is recorded while the manager stops.
	compare(t, "leader election, ours", reasons(got[ours.name]["lock"]), []string{"Normal LeaderElection became leader", "Normal LeaderElection stopped leading"})
	if r := reasons(got[alone.name]["lock"]); len(r) == 0 || r[0] != "Normal LeaderElection became leader" {
		t.Errorf("leader election, alone: %q", r)
	}
}

func lines(list []eventsv1.Event, show func(*eventsv1.Event) string) (all []string) {
	for i := range list {
		all = append(all, show(&list[i]))
	}
	slices.Sort(all)
	return all
}

// reasons leaves the identity of the holder out, which is new each time.
func reasons(list []eventsv1.Event) (all []string) {
	for _, e := range list {
		_, what, _ := strings.Cut(e.Note, " ")
		all = append(all, e.Type+" "+e.Reason+" "+what)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func compare(t *testing.T, name string, got, want []string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: stored\n\t%s\nwant\n\t%s", name, strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// awaitRest waits until nothing more has been stored for three seconds.
func awaitRest(ctx context.Context, t *testing.T, clients kubernetes.Interface, namespace string) {
	var last string
	var since time.Time
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		list := stored(t, clients, namespace)
		now := strings.Join(lines(list, show), "\n")
		if now != last || len(list) == 0 {
			last, since = now, time.Now()
		}
		return time.Since(since) > 3*time.Second, nil
	})
	if err != nil {
		t.Error(err)
	}
}
