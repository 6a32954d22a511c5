package e2e

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

// storeSeries stores an event with three occurrences by a create and an update.
func storeSeries(t *testing.T, target sink.Sink, namespace, name, reason string, first, last time.Time) {
	t.Helper()
	w := newWrite(namespace)
	w.Name, w.Reason, w.First, w.Last = name, reason, first, first
	w.Regarding = corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: namespace, Name: "web-0"}
	a := target.Write(t.Context(), w)
	if a.Outcome == sink.Done {
		u := raised(w, a, 3)
		u.Last = last
		a = target.Write(t.Context(), u)
	}
	if a.Outcome != sink.Done {
		t.Fatalf("%s: answer %+v", name, a)
	}
}

// TestReadersAsDocumented runs the commands of docs/adopting.md#what-changes-for-readers on three
// events, and compares what kubectl prints with the page. The order of names is none of the orders
// by time.
func TestReadersAsDocumented(t *testing.T) {
	c := startCluster(t)
	at := func(minute int) time.Time { return time.Date(2026, 3, 1, 10, minute, 0, 0, time.UTC) }
	storeSeries(t, kube.CoreV1(c.RESTConfig()), "default", "b", "ByCoreLast", at(2), at(40))
	storeSeries(t, kube.EventsV1(c.RESTConfig()), "default", "a", "ByEvents", at(5), at(30))
	storeSeries(t, kube.CoreV1(c.RESTConfig()), "default", "c", "ByCoreFirst", at(0), at(10))
	for _, command := range documentedCommands(t, "../../docs/adopting.md", "## What changes for readers") {
		if got, want := strings.TrimSpace(shell(t, c, command.line)), strings.TrimSpace(command.output); got != want {
			t.Errorf("$ %s\n%s\nthe page shows\n%s", command.line, got, want)
		}
	}
	// no key that an event has sorts by the time of the last occurrence
	const byLast = "ByCoreFirst\nByEvents\nByCoreLast\n"
	reasons := ` -o jsonpath='{range .items[*]}{.reason}{"\n"}{end}'`
	for _, key := range []string{
		".lastTimestamp", ".firstTimestamp", ".eventTime", ".series.lastObservedTime", ".metadata.creationTimestamp", ".metadata.resourceVersion", ".count", ".metadata.name",
	} {
		if got := shell(t, c, "kubectl get events --sort-by="+key+reasons); got == byLast {
			t.Errorf("kubectl get events --sort-by=%s sorts by last seen", key)
		}
	}
	if got := shell(t, c, "kubectl events"+reasons); got != byLast {
		t.Errorf("kubectl events does not sort by last seen: %s", got)
	}
}

// goesOn is a series that began at first and goes on: its last occurrence was at last. A program
// that has run since started reads the event at read.
var goesOn = struct{ first, started, last, read time.Time }{
	first:   time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
	started: time.Date(2026, 3, 1, 10, 58, 0, 0, time.UTC),
	last:    time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC),
	read:    time.Date(2026, 3, 1, 11, 0, 10, 0, time.UTC),
}

// exporters are the rules by which programs read events of the core group, as of the versions
// named.
var exporters = []struct {
	name  string
	takes func(e *corev1.Event) bool
}{
	{"kubernetes-event-exporter v1.1 at an update, and v1.7 after a restart, with maxEventAgeSeconds: 60", func(e *corev1.Event) bool {
		last := e.LastTimestamp.Time
		if last.IsZero() {
			last = e.EventTime.Time
		}
		return !last.Before(goesOn.read.Add(-time.Minute))
	}},
	{"OpenTelemetry's k8seventsreceiver v0.111", func(e *corev1.Event) bool {
		for _, at := range []time.Time{e.EventTime.Time, e.LastTimestamp.Time, e.FirstTimestamp.Time} {
			if !at.IsZero() {
				return !at.Before(goesOn.started)
			}
		}
		return false
	}},
	{"event_exporter of 2020, whose kube_event_count is the number of occurrences", func(e *corev1.Event) bool { return e.Count == 3 }},
}

// TestExportersRules applies the rules to a series that goes on. An event of the core group passes
// each, and one of events.k8s.io none.
func TestExportersRules(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for group, newSink := range groups {
		t.Run(group, func(t *testing.T) {
			namespace := newNamespace(t, clients)
			storeSeries(t, newSink(c.RESTConfig()), namespace, "series", "Repeated", goesOn.first, goesOn.last)
			e, err := clients.CoreV1().Events(namespace).Get(t.Context(), "series", metav1.GetOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range exporters {
				if got, want := x.takes(e), group == "core/v1"; got != want {
					t.Errorf("%s takes it: %t, want %t: %+v", x.name, got, want, e)
				}
			}
		})
	}
}

// held answers each write with Retry until it is opened.
type held struct {
	sink.Sink
	open atomic.Bool
}

func (h *held) Write(ctx context.Context, w *sink.Write) sink.Answer {
	if !h.open.Load() {
		return sink.Answer{Outcome: sink.Retry}
	}
	return h.Sink.Write(ctx, w)
}

// TestACreateStandsForSeveral: occurrences that wait for the first write are created as one event
// with their count, in both groups.
func TestACreateStandsForSeveral(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	for group, newSink := range groups {
		t.Run(group, func(t *testing.T) {
			namespace := newNamespace(t, clients)
			h := &held{Sink: newSink(c.RESTConfig())}
			b := newBroadcaster(t, h)
			recorder := eventrt.NewRecorder(b)
			for range 5 {
				recorder.Forward(newPod(namespace, "web-0"), eventrt.Normal, "Repeated", "Repeat", "again")
			}
			h.open.Store(true)
			shutdown(t, b)
			if s := b.Stats(); s.Creates != 1 || s.Updates != 0 || s.Written != 5 {
				t.Errorf("expected one create for 5 occurrences: %+v", s)
			}
			checkOccurrences(t, clients, namespace, 5)
		})
	}
}

func checkOccurrences(t *testing.T, clients kubernetes.Interface, namespace string, want int32) {
	t.Helper()
	list, err := clients.CoreV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 1 {
		t.Fatalf("%v: %+v", err, list)
	}
	e := &list.Items[0]
	count := e.Count
	if e.Series != nil {
		count = e.Series.Count
	}
	if count != want {
		t.Errorf("the event has %d occurrences, want %d: %+v", count, want, e)
	}
}

// TestSummaryOfACluster runs the pipeline of docs/operating-reference.md#which-events-are-stored on
// events of both groups and on one that no entry knows.
func TestSummaryOfACluster(t *testing.T) {
	c := startCluster(t)
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "event-gen"), "./cmd/event-gen")
	build.Dir, build.Env = "../..", append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const catalog = `apiVersion: event-gen.github.io/v1alpha1
kind: EventCatalog
spec:
  go: {package: p}
  reportingController: example.com/controller
  objects: {Pod: v1}
  defaults: {regarding: Pod, type: Warning}
  events:
  - {reason: Known, action: Retry, message: "Job failed: \"{code}\"", params: [code string]}
`
	if err := os.WriteFile(filepath.Join(dir, "catalog.yaml"), []byte(catalog), 0o600); err != nil {
		t.Fatal(err)
	}
	summary := func(name string) (string, int) {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "kubectl get events -A -o json | event-gen explain --summary "+name)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+dir+":"+c.KubectlDir()+":"+os.Getenv("PATH"), "KUBECONFIG="+c.Kubeconfig(), "KUBECACHEDIR="+t.TempDir(), "KUBERC=off")
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	now := time.Now()
	storeSeries(t, kube.CoreV1(c.RESTConfig()), "default", "a", "Known", now, now)
	storeSeries(t, kube.EventsV1(c.RESTConfig()), "default", "b", "Known", now, now)
	if out, code := summary("-"); code != 0 || !strings.Contains(out, "Known  catalog.yaml:9:5  2       6 ") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	storeSeries(t, kube.EventsV1(c.RESTConfig()), "default", "c", "Stray", now, now)
	if out, code := summary("-"); code != 1 || !strings.Contains(out, "\nStray   example.com/controller  1       3 ") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if err := c.Stop(); err != nil {
		t.Fatal(err)
	}
	if out, code := summary("-"); code != 2 || !strings.Contains(out, "the input is empty: kubectl failed") {
		t.Errorf("without a server: exit code %d:\n%s", code, out)
	}
}

// TestMakeWithCluster runs the commands of docs/tutorial.md: make, called in another folder, runs a
// command there, beside a cluster and with the caller's environment.
func TestMakeWithCluster(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "my operator")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	call := func(in string, args ...string) (string, string, error) {
		cmd := exec.CommandContext(t.Context(), "make", append([]string{"--no-print-directory", "-C", root, "with-cluster"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=", "GOFLAGS=", "MAKEFLAGS=", "KUBERC=off", "PWD="+dir)
		cmd.Stdin = strings.NewReader(in)
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		err := cmd.Run()
		return out.String(), errOut.String(), err
	}
	// a shell, as the page says
	out, errOut, err := call("pwd; kubectl get events -A; kubectl get namespace default -o name\n", "CMD=bash")
	if err != nil || out != dir+"\nnamespace/default\n" {
		t.Errorf("%v: %q, %q", err, out, errOut)
	}
	// quotes and dollars reach the shell, and variables of make do not reach the command
	out, errOut, err = call("", `CMD=echo "it's $((1+1)) [$GOWORK$MAKEFLAGS$MAKELEVEL$CMD]"; exit 7`)
	if err == nil || out != "it's 2 []\n" || !strings.Contains(errOut, "Error 7") {
		t.Errorf("%v: %q, %q", err, out, errOut)
	}
	// the programs of envtest, from one folder
	programs, err := servers.Find(t.Context(), t.Output())
	if err != nil {
		t.Fatal(err)
	}
	assets := t.TempDir()
	for _, program := range []string{programs.APIServer, programs.Etcd, programs.Kubectl} {
		if err := os.Symlink(program, filepath.Join(assets, filepath.Base(program))); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv(servers.AssetsVariable, assets)
	if out, errOut, err = call("", "CMD=command -v kubectl"); err != nil || out != filepath.Join(assets, "kubectl")+"\n" {
		t.Errorf("with %s: %v: %q, %q", servers.AssetsVariable, err, out, errOut)
	}
	if _, errOut, err = call(""); err == nil || !strings.Contains(errOut, "expected a command") {
		t.Errorf("without CMD: %v, %q", err, errOut)
	}
}
