package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// The program and the server that all tests use.
var (
	operator string
	server   *cluster.Cluster
	clients  *kubernetes.Clientset
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// run builds the operator, and starts a server with the CRD of widgets.
func run(m *testing.M) (code int, err error) {
	folder, err := os.MkdirTemp("", "widget-operator")
	if err != nil {
		return 1, err
	}
	defer os.RemoveAll(folder)
	operator = filepath.Join(folder, "operator")
	if out, err := exec.Command("go", "build", "-o", operator, "../../cmd").CombinedOutput(); err != nil {
		return 1, fmt.Errorf("go build: %w\n%s", err, out)
	}
	ctrl.SetLogger(logr.Discard())
	// this may include building the servers
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Minute)
	defer cancel()
	if server, err = cluster.Start(ctx, cluster.Options{}); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	config := server.RESTConfig()
	config.QPS = -1
	if clients, err = kubernetes.NewForConfig(config); err != nil {
		return 1, err
	}
	if _, err := server.Kubectl(ctx, "apply", "-f", "../../config/crd/bases"); err != nil {
		return 1, err
	}
	if _, err := server.Kubectl(ctx, "wait", "--for=condition=Established", "crd/widgets.widgets.example.com", "--timeout=60s"); err != nil {
		return 1, err
	}
	return m.Run(), nil
}

// replica is a running operator.
type replica struct {
	*exec.Cmd
	log  bytes.Buffer
	done chan error
}

// start runs a replica whose lease is in a namespace. The test's end kills it.
func start(t *testing.T, namespace string, args ...string) *replica {
	t.Helper()
	args = append(args, "--leader-election-namespace="+namespace, "--lease-duration=3s")
	r := &replica{Cmd: exec.Command(operator, args...), done: make(chan error, 1)}
	r.Env = append(os.Environ(), "KUBECONFIG="+server.Kubeconfig())
	r.Stderr = &r.log
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { r.done <- r.Wait() }()
	t.Cleanup(func() {
		_ = r.Process.Kill()
		if t.Failed() {
			t.Logf("operator:\n%s", r.log.String())
		}
	})
	return r
}

// end signals a replica and waits until it ends.
func (r *replica) end(t *testing.T, signal syscall.Signal) error {
	t.Helper()
	if err := r.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-r.done:
		return err
	case <-time.After(time.Minute):
		t.Fatal("the operator has not ended a minute after the signal")
		return nil
	}
}

const copies = 1000

// newWidget creates a widget in a namespace of its own.
func newWidget(t *testing.T) (namespace string) {
	t.Helper()
	ns, err := clients.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "widgets-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "widget.yaml")
	text := fmt.Sprintf("apiVersion: widgets.example.com/v1alpha1\nkind: Widget\nmetadata: {name: web, namespace: %s}\nspec: {copies: %d, text: hello}\n", ns.Name, copies)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Kubectl(t.Context(), "apply", "-f", file); err != nil {
		t.Fatal(err)
	}
	return ns.Name
}

// made returns the number of copies that exist.
func made(t *testing.T, namespace string) int {
	t.Helper()
	list, err := clients.CoreV1().ConfigMaps(namespace).List(t.Context(), metav1.ListOptions{LabelSelector: "widgets.example.com/widget"})
	if err != nil {
		t.Fatal(err)
	}
	return len(list.Items)
}

func awaitMade(t *testing.T, namespace string, least int) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 20*time.Millisecond, 3*time.Minute, true, func(context.Context) (bool, error) {
		return made(t, namespace) >= least, nil
	})
	if err != nil {
		t.Fatalf("%d copies were made, want %d: %v", made(t, namespace), least, err)
	}
}

// said counts the events of a namespace by reason; of CopyCreated also by copy.
func said(t *testing.T, namespace string) (byReason map[string]int, byCopy map[string]int) {
	t.Helper()
	list, err := clients.EventsV1().Events(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	byReason, byCopy = map[string]int{}, map[string]int{}
	for i := range list.Items {
		e := &list.Items[i]
		byReason[e.Reason] += cluster.Occurrences(e)
		if e.Reason == "CopyCreated" && e.Related != nil {
			byCopy[e.Related.Name] += cluster.Occurrences(e)
		}
	}
	return byReason, byCopy
}

// TestFailover ends the leader of two replicas with SIGTERM in the middle of its work. All events
// that it recorded are stored when it has ended, also the one that its reconciler recorded after
// the cancellation. The other replica continues, and in the end each copy has one event.
func TestFailover(t *testing.T) {
	namespace := newWidget(t)
	first := start(t, namespace)
	awaitMade(t, namespace, 20)
	second := start(t, namespace)
	if err := first.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	awaitMade(t, namespace, copies)
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		out, err := server.Kubectl(t.Context(), "get", "widget", "web", "--namespace", namespace, "-o", "jsonpath={.status.copies}")
		return strings.TrimSpace(out) == fmt.Sprint(copies), err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := second.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	reasons, byCopy := said(t, namespace)
	t.Logf("stored: %v", reasons)
	if reasons["CopyCreated"] != copies || len(byCopy) != copies || reasons["Interrupted"] != 1 {
		t.Errorf("stored %v about %d copies; want %d CopyCreated, one for each, and one Interrupted", reasons, len(byCopy), copies)
	}
	if reasons["LeaderElection"] != 4 {
		t.Errorf("%d events of leader election, want two that begin and two that end", reasons["LeaderElection"])
	}
}

// TestFilterAndReadiness runs the operator with a filter in a file, like a mounted ConfigMap. The
// operator becomes ready once events can be stored, and stores none of the events that the filter
// drops.
func TestFilterAndReadiness(t *testing.T) {
	namespace, probes := newWidget(t), freeAddress(t)
	file := filepath.Join(t.TempDir(), "filter")
	if err := os.WriteFile(file, []byte("# no copies\ndrop reason=Copy* namespace="+namespace+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, namespace, "--health-probe-bind-address="+probes, "--event-filter-file="+file)
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		response, err := http.Get("http://" + probes + "/readyz/events")
		if err != nil {
			return false, nil // the operator does not listen yet
		}
		return response.StatusCode == http.StatusOK, response.Body.Close()
	})
	if err != nil {
		t.Fatalf("it does not get ready: %v", err)
	}
	awaitMade(t, namespace, copies)
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		reasons, _ := said(t, namespace)
		return reasons["Ready"] == 1, nil
	})
	if err != nil {
		t.Errorf("the transition to Ready has no event: %v", err)
	}
	if err := r.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	if reasons, _ := said(t, namespace); reasons["CopyCreated"] != 0 || reasons["Ready"] != 1 || reasons["EventsCheck"] != 0 {
		t.Errorf("stored %v", reasons)
	}
}

// TestKill ends the operator with SIGKILL. It loses at most the events that were pending by the
// operator's own account. They are the last events of their object, none in between, and nothing is
// stored twice.
func TestKill(t *testing.T) {
	namespace, address := newWidget(t), freeAddress(t)
	first := start(t, namespace, "--metrics-bind-address="+address, "--debug-events")
	awaitMade(t, namespace, 20)
	last := readAccount(t, address)
	if err := first.end(t, syscall.SIGKILL); err == nil {
		t.Error("no error after SIGKILL")
	}
	before := made(t, namespace)
	second := start(t, namespace)
	awaitMade(t, namespace, copies)
	if err := second.end(t, syscall.SIGTERM); err != nil {
		t.Errorf("after SIGTERM: %v", err)
	}
	reasons, byCopy := said(t, namespace)
	for name, n := range byCopy {
		if n != 1 {
			t.Errorf("%s was made %d times, by its events", name, n)
		}
	}
	var lost []int
	for n := range copies {
		if byCopy[fmt.Sprint("web-", n)] == 0 {
			lost = append(lost, n)
		}
	}
	// The account does not count copies that were recorded after it was read. One recorded event is
	// of leader election. The server may have created one more copy for the killed process.
	most := last.Pending + before + 1 - last.Recorded + 1
	t.Logf("%d copies when it was killed, %+v just before; lost %v of at most %d; stored in the end: %v", before, last, lost, most, reasons)
	if len(lost) > most {
		t.Errorf("%d events are lost, want at most %d", len(lost), most)
	}
	for i, n := range lost {
		if end := before + 1; n != lost[0]+i || n >= end || i == len(lost)-1 && n < end-2 {
			t.Errorf("the events of copies %v are lost, want the last of %d", lost, before)
		}
	}
}

// account is the accounting on the operator's debug page.
type account struct{ Recorded, Written, Pending int }

// readAccount reads the debug page as JSON.
func readAccount(t *testing.T, address string) account {
	t.Helper()
	response, err := http.Get("http://" + address + "/debug/events?format=json")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var page struct{ Account account }
	if err := json.NewDecoder(response.Body).Decode(&page); err != nil || page.Account.Recorded == 0 {
		t.Fatalf("account %+v: %v", page.Account, err)
	}
	return page.Account
}

// freeAddress returns an address on which nobody listened a moment ago.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
