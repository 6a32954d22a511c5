package manager

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// kept is what must be stored of one of the program's recordings by both managers, or by each if
// they differ.
type kept struct {
	ours, alone []string // as show has them; anything: the same as the other
	// either is what else may be stored by client-go, which writes each event in a goroutine of its
	// own.
	either [][]string
}

var anything = []string{"*"}

// wanted is that of each recording. What differs is what package ctrlevents documents.
var wanted = map[string]kept{
	"legacy":            {anything, anything, nil},
	"legacy-repeated":   {anything, anything, nil},
	"events":            {anything, anything, nil},
	"legacy-aggregated": {aggregated("example.com/widgets"), aggregated(""), nil},
	"events-repeated": {
		[]string{"Normal Again/Try and again 2 × by example.com/widgets <> map[]"},
		[]string{"Normal Again/Try and again 1 × by example.com/widgets <> map[]"},
		[][]string{{"Normal Again/Try and again 2 × by example.com/widgets <> map[]"}},
	},
	"events-notes": {
		[]string{"Normal Varies/Try note 0 1 × by example.com/widgets <> map[]", "Normal Varies/Try note 1 1 × by example.com/widgets <> map[]"},
		[]string{"Normal Varies/Try note 0 2 × by example.com/widgets <> map[]"},
		[][]string{
			{"Normal Varies/Try note 0 1 × by example.com/widgets <> map[]"},
			{"Normal Varies/Try note 1 1 × by example.com/widgets <> map[]"}, {"Normal Varies/Try note 1 2 × by example.com/widgets <> map[]"},
		},
	},
	"events-without-action": {[]string{"Normal Idle/Idle nothing to do 1 × by example.com/widgets <> map[]"}, nil, nil},
	"events-long-note": {
		[]string{"Normal Long/Try " + strings.Repeat("x", 989) + "… 1 × by example.com/widgets <> map[]"}, nil, nil,
	},
}

// aggregated are fourteen messages of which the last five are aggregated; client-go leaves the
// reporting controller of their aggregate empty.
func aggregated(controller string) (all []string) {
	all = append(all, fmt.Sprintf("Normal Varies/ (combined from similar events): number 13 5 × by %s <> map[]", controller))
	for n := range 9 {
		all = append(all, fmt.Sprintf("Normal Varies/ number %d 1 × by example.com/widgets <> map[]", n))
	}
	return all
}

// show is all that is stored of an event but its name and its times.
func show(e *eventsv1.Event) string {
	maps.DeleteFunc(e.Annotations, func(key, _ string) bool { return strings.HasPrefix(key, sink.WriterAnnotation) })
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

// TestOneProgramBuiltTwice builds one program (folder program) with controller-runtime's manager
// and with those of ctrlevents, by exchanging the file that makes the manager, runs each on the
// real server, and compares what is stored. What differs is listed, and stands in the documentation
// of package ctrlevents.
func TestOneProgramBuiltTwice(t *testing.T) {
	without := runProgram(t, "alone")
	elected := []string{"Normal LeaderElection became leader", "Normal LeaderElection stopped leading"}
	for _, tag := range []string{"", "wrap"} {
		with := runProgram(t, tag)
		for object, want := range wanted {
			name := fmt.Sprintf("tag %q: %s", tag, object)
			if slices.Equal(want.ours, anything) {
				compare(t, name, lines(with[object], whole), lines(without[object], whole))
				if len(with[object]) == 0 {
					t.Errorf("%s: nothing is stored", name)
				}
				continue
			}
			compare(t, name, lines(with[object], show), want.ours)
			same := func(either []string) bool { return slices.Equal(lines(without[object], show), either) }
			if !slices.ContainsFunc(want.either, same) {
				compare(t, object+", alone", lines(without[object], show), want.alone)
			}
		}
		// The last event of leader election is recorded while the manager stops. Wrap leaves both
		// to controller-runtime.
		if r := reasons(with["lock"]); tag == "wrap" && !slices.Equal(r, elected[:1]) || tag == "" {
			compare(t, fmt.Sprintf("tag %q: leader election", tag), r, elected)
		}
		checkObjects(t, with)
	}
	checkObjects(t, without)
	if r := reasons(without["lock"]); len(r) == 0 || r[0] != elected[0] {
		t.Errorf("leader election, alone: %q", r)
	}
}

// checkObjects demands that nothing is stored but what wanted knows, and leader election.
func checkObjects(t *testing.T, stored map[string][]eventsv1.Event) {
	t.Helper()
	for object, list := range stored {
		if _, known := wanted[object]; !known && object != "lock" {
			t.Errorf("stored about %s, which no recording names: %q", object, lines(list, show))
		}
	}
}

// program builds the program with a tag, once, and returns its file.
func program(t *testing.T, tag string) string {
	t.Helper()
	file := filepath.Join(programs, "program-"+tag)
	if _, err := os.Stat(file); err == nil {
		return file
	}
	if out, err := exec.Command("go", "build", "-tags="+tag, "-ldflags=-s -w", "-o", file, "./program").CombinedOutput(); err != nil {
		t.Fatalf("go build -tags=%s: %v\n%s", tag, err, out)
	}
	return file
}

// runProgram builds the program with a tag, runs it until nothing more is stored, ends it with
// SIGTERM, and returns what is stored by then, by the object's name.
func runProgram(t *testing.T, tag string) (byObject map[string][]eventsv1.Event) {
	t.Helper()
	_, clients, namespace := server(t)
	program := exec.Command(program(t, tag), "-namespace="+namespace)
	program.Env = append(os.Environ(), "KUBECONFIG="+started.Kubeconfig())
	program.Stderr = t.Output()
	said, err := program.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = program.Process.Kill() })
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "recorded\n" {
		t.Fatalf("the program printed %q: %v", line, err)
	}
	// controller-runtime alone loses what is queued when it stops
	awaitRest(t.Context(), t, clients, namespace)
	if err := program.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := program.Wait(); err != nil {
		t.Errorf("tag %q: %v", tag, err)
	}
	byObject = map[string][]eventsv1.Event{}
	for _, e := range stored(t, clients, namespace) {
		e.Regarding.Namespace = "ns"
		byObject[e.Regarding.Name] = append(byObject[e.Regarding.Name], e)
	}
	return byObject
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
