package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

const instanceLabel = "app.kubernetes.io/instance"

// ofTeam is an event whose catalog has a constant label and a copied one.
func ofTeam(team string) *eventrt.Definition {
	def := &eventrt.Definition{
		Name: "Of" + team, Reason: "Of" + team, Type: eventrt.Normal, Message: []eventrt.Segment{{Text: "it happened"}},
		Labels: []eventrt.AnnotationDefinition{{Key: instanceLabel}, {Key: "team", Value: []eventrt.Segment{{Text: team}}}},
	}
	def.ReportingController = "example.com/labels"
	def.Regarding = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	return def
}

var ofTeams = []*eventrt.Definition{ofTeam("storage"), ofTeam("network")}

// labelRun is a process of one of two clusters that share a server.
type labelRun struct {
	*cluster.Cluster
	clients   *kubernetes.Clientset
	namespace string
	cluster   string // the label of all its events
	again     bool   // it follows an earlier process; the labels of objects have changed
}

func (r *labelRun) labels() map[string]string { return map[string]string{"cluster": r.cluster} }

// pods are the objects, each of an instance of an application.
func (r *labelRun) pods() (pods []*corev1.Pod) {
	for _, instance := range []string{"shop", "blog"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: r.cluster + "-" + instance, UID: types.UID(r.cluster + instance)}}
		if pod.Labels = map[string]string{instanceLabel: instance}; r.again {
			pod.Labels[instanceLabel] = "changed"
		}
		pods = append(pods, pod)
	}
	return pods
}

// twice records, waits until all is stored, and records again, so that the second time is an
// update. Record returns the number of occurrences.
func (r *labelRun) twice(t *testing.T, record func(*corev1.Pod) int) {
	t.Helper()
	want := storedOccurrences(t, r.Cluster, r.namespace)
	for range 2 {
		for _, pod := range r.pods() {
			want += int32(record(pod))
		}
		if !awaitWithin(faultBound, func() bool { return storedOccurrences(t, r.Cluster, r.namespace) == want }) {
			t.Errorf("%d occurrences are stored, want %d", storedOccurrences(t, r.Cluster, r.namespace), want)
			return
		}
	}
}

// typed records an event of each team.
func typed(r *eventrt.Recorder, pod *corev1.Pod) int {
	for _, def := range ofTeams {
		r.EmitOf(def, pod, nil)
	}
	return len(ofTeams)
}

// labelWriters are the ways to record, and the reasons of what they record: those of teams, and
// those that have the labels of the broadcaster only.
var labelWriters = map[string]struct {
	run  func(*labelRun, *testing.T)
	team bool
	raw  []string
}{
	"typed, events.k8s.io": {func(r *labelRun, t *testing.T) { r.typed(t, "events.k8s.io/v1") }, true, nil},
	"typed, core":          {func(r *labelRun, t *testing.T) { r.typed(t, "core/v1") }, true, nil},
	"ctrlevents":           {(*labelRun).manage, true, []string{"Raw", "Old"}},
	"drop-in, core":        {(*labelRun).dropInCore, false, []string{"Old"}},
	"drop-in, events":      {(*labelRun).dropInEvents, false, []string{"Raw"}},
}

func (r *labelRun) typed(t *testing.T, group string) {
	b := newBroadcaster(t, groups[group](r.RESTConfig()), func(o *broadcaster.Options) { o.Labels, o.ReportingInstance = r.labels(), r.cluster })
	recorder := eventrt.NewRecorder(b)
	r.twice(t, func(pod *corev1.Pod) int { return typed(recorder, pod) })
	shutdown(t, b)
	checkAllWritten(t, b.Stats())
}

func (r *labelRun) manage(t *testing.T) {
	m, err := ctrlevents.NewManager(r.RESTConfig(), manager.Options{Logger: logr.Discard(), Metrics: metricsserver.Options{BindAddress: "0"}},
		ctrlevents.Options{Broadcaster: broadcaster.Options{Labels: r.labels(), ReportingInstance: r.cluster}})
	if err != nil {
		t.Fatal(err)
	}
	err = m.Add(manager.RunnableFunc(func(context.Context) error {
		r.twice(t, func(pod *corev1.Pod) int {
			m.GetEventRecorder("example.com/raw").Eventf(pod, nil, corev1.EventTypeNormal, "Raw", "Do", "it happened")
			m.GetEventRecorderFor("old").Event(pod, corev1.EventTypeNormal, "Old", "it happened")
			return typed(m.Events(), pod) + 2
		})
		return errStop
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Start(t.Context()); err == nil || !strings.Contains(err.Error(), errStop.Error()) {
		t.Fatal(err)
	}
}

func (r *labelRun) dropInCore(t *testing.T) {
	b := clientgo.NewBroadcaster(clientgo.WithLabels(r.labels()))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: r.clients.CoreV1().Events("")})
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: r.cluster})
	r.twice(t, func(pod *corev1.Pod) int {
		recorder.Event(pod, corev1.EventTypeNormal, "Old", "it happened")
		return 1
	})
	endWhole(t, b)
}

func (r *labelRun) dropInEvents(t *testing.T) {
	b := clientgo.NewEventsBroadcaster(&events.EventSinkImpl{Interface: r.clients.EventsV1()}, clientgo.WithLabels(r.labels()))
	if err := b.StartRecordingToSinkWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorder := b.NewRecorder(scheme.Scheme, "example.com/"+r.cluster)
	r.twice(t, func(pod *corev1.Pod) int {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Raw", "Do", "it happened")
		return 1
	})
	endWhole(t, b)
}

// TestLabelsAsDocumented has two clusters record to one server, by each way to record and in each
// group, and both once more after a restart. kubectl get events -l then finds the events of one
// team, of one instance and of one cluster, and no others. It also runs the commands of
// docs/catalog.md#labels.
func TestLabelsAsDocumented(t *testing.T) {
	t.Parallel() // most of its time is the schedule's
	c := startCluster(t)
	clients := newClientset(t, c)
	for name, w := range labelWriters {
		t.Run(name, func(t *testing.T) {
			namespace := newNamespace(t, clients)
			for _, again := range []bool{false, true} {
				for _, name := range []string{"eu-1", "us-2"} {
					w.run(&labelRun{Cluster: c, clients: clients, namespace: namespace, cluster: name, again: again}, t)
				}
			}
			var all []string // reason/name
			for _, reason := range append(slices.Clone(w.raw), teamReasons(w.team)...) {
				for _, pod := range []string{"eu-1-shop", "eu-1-blog", "us-2-shop", "us-2-blog"} {
					all = append(all, reason+"/"+pod)
				}
			}
			for selector, selected := range map[string]func(reason, pod string) bool{
				"cluster=eu-1":          func(_, pod string) bool { return strings.HasPrefix(pod, "eu-1") },
				"cluster!=eu-1,cluster": func(_, pod string) bool { return strings.HasPrefix(pod, "us-2") },
				"team=storage":          func(reason, _ string) bool { return reason == "Ofstorage" },
				instanceLabel + "=shop": func(reason, pod string) bool {
					return strings.HasPrefix(reason, "Of") && strings.HasSuffix(pod, "shop")
				},
				instanceLabel + "=other": func(string, string) bool { return false },
				"team in (storage, network),cluster=us-2": func(reason, pod string) bool {
					return strings.HasPrefix(reason, "Of") && strings.HasPrefix(pod, "us-2")
				},
			} {
				want := slices.DeleteFunc(slices.Clone(all), func(e string) bool {
					reason, pod, _ := strings.Cut(e, "/")
					return !selected(reason, pod)
				})
				for resource, object := range map[string]string{"events.v1.": "involvedObject", "events.v1.events.k8s.io": "regarding"} {
					out, err := c.Kubectl(t.Context(), "get", resource, "--namespace", namespace, "-l", selector,
						"-o", `jsonpath={range .items[*]}{.reason}/{.`+object+`.name} {end}`)
					if err != nil {
						t.Fatal(err)
					}
					got := strings.Fields(out)
					slices.Sort(got)
					slices.Sort(want)
					if got = slices.Compact(got); !slices.Equal(got, want) {
						t.Errorf("%s -l %q finds %q, want %q", resource, selector, got, want)
					}
				}
			}
		})
	}
	checkDocumentedSelectors(t, c)
}

func teamReasons(are bool) (reasons []string) {
	if are {
		for _, def := range ofTeams {
			reasons = append(reasons, def.Reason)
		}
	}
	return reasons
}

// checkDocumentedSelectors: three writers have recorded typed events, one of each team about each
// of two instances in each of two clusters.
func checkDocumentedSelectors(t *testing.T, c *cluster.Cluster) {
	t.Helper()
	for line, want := range map[string]struct{ holds, lacks string }{
		"kubectl get events -A -l team=storage":                                                 {"Ofstorage", "Ofnetwork"},
		"kubectl get events -A -l 'app.kubernetes.io/instance=shop,team in (storage, network)'": {"-shop", "-blog"},
	} {
		rows := strings.Split(strings.TrimSpace(shell(t, c, line)), "\n")[1:]
		if len(rows) != 12 || strings.Count(strings.Join(rows, "\n"), want.holds) != 12 || strings.Contains(strings.Join(rows, "\n"), want.lacks) {
			t.Errorf("%s\n%s", line, strings.Join(rows, "\n"))
		}
	}
}
