package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/event-gen/event-gen/test/e2e/faults"
)

const (
	operatorNamespace = "soak-operator"
	operatorUser      = "operator" // it has the operator's own role, and no more
	widgets           = 10
	// endsWithin is how long the operator has after SIGTERM: longer than its manager waits for
	// reconcilers and for events.
	endsWithin = 90 * time.Second
)

// operator is the example operator, as it is built, which runs behind a proxy of its own.
type operator struct {
	s      *soak
	folder string
	binary string
	proxy  *faults.Proxy
	client dynamic.ResourceInterface // of widgets, past the proxy

	mu      sync.Mutex
	process *exec.Cmd
	address string
	told    syscall.Signal // the signal that this process got from us
	seen    account        // the last account of this process
	lives   []account      // the last accounts of those before
	ends    map[string]int // how processes ended
	memory  memory
}

// account is that of the operator's page.
type account struct {
	Recorded, Written, Pending int
	LostTotal                  int `json:"lostTotal"`
}

// memory is what a process says of itself.
type memory struct {
	goroutines int
	heap       int64
}

// newOperator builds the operator, and makes its widgets and rights.
func newOperator(s *soak, module string) (_ *operator, err error) {
	o := &operator{s: s, ends: map[string]int{}}
	if o.folder, err = os.MkdirTemp("", "soak"); err != nil {
		return nil, err
	}
	o.binary = filepath.Join(o.folder, "operator")
	build := exec.CommandContext(s.ctx, "go", "build", "-C", module, "-o", o.binary, "./cmd")
	build.Env = append(os.Environ(), "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the operator: %w\n%s", err, out)
	}
	config := s.cluster.RESTConfig()
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	o.client = client.Resource(schema.GroupVersionResource{Group: "widgets.example.com", Version: "v1alpha1", Resource: "widgets"}).Namespace(operatorNamespace)
	if o.proxy, err = faults.New(s.cluster.UserConfig(operatorUser), s.seed+1); err != nil {
		return nil, err
	}
	return o, errors.Join(o.writeKubeconfig(o.proxy.Config()), o.makeWidgets(module))
}

func (o *operator) kubeconfig() string { return filepath.Join(o.folder, "kubeconfig") }

func (o *operator) writeKubeconfig(c *rest.Config) error {
	const name = "soak"
	config := clientcmdapi.NewConfig()
	config.Clusters[name] = &clientcmdapi.Cluster{Server: c.Host, CertificateAuthorityData: c.CAData}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: c.BearerToken}
	config.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	config.CurrentContext = name
	return clientcmd.WriteToFile(*config, o.kubeconfig())
}

func (o *operator) makeWidgets(module string) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: operatorNamespace}}
	if _, err := o.s.clients.CoreV1().Namespaces().Create(o.s.ctx, ns, metav1.CreateOptions{}); err != nil {
		return err
	}
	var manifest strings.Builder
	for i := range widgets {
		fmt.Fprintf(&manifest, "---\napiVersion: widgets.example.com/v1alpha1\nkind: Widget\nmetadata: {name: w%d, namespace: %s}\nspec: {copies: 1, text: hello}\n", i, operatorNamespace)
	}
	file := filepath.Join(o.folder, "widgets.yaml")
	if err := os.WriteFile(file, []byte(manifest.String()), 0o600); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"apply", "-f", filepath.Join(module, "config/rbac/role.yaml")},
		{"create", "clusterrolebinding", "widget-operator", "--clusterrole=widget-operator", "--user=" + operatorUser},
		{"apply", "-f", filepath.Join(module, "config/crd/bases")},
		{"wait", "--for=condition=Established", "crd/widgets.widgets.example.com", "--timeout=60s"},
		{"apply", "-f", file},
	} {
		if _, err := o.s.cluster.Kubectl(o.s.ctx, args...); err != nil {
			return err
		}
	}
	return nil
}

// keepBusy changes how many copies there are to be, until ctx ends.
func (o *operator) keepBusy(ctx context.Context, random *rand.Rand) {
	for ctx.Err() == nil {
		patch := fmt.Appendf(nil, `{"spec":{"copies":%d}}`, random.IntN(40))
		name := fmt.Sprint("w", random.IntN(widgets))
		within, cancel := context.WithTimeout(ctx, 5*time.Second)
		// the server may be away
		_, _ = o.client.Patch(within, name, types.MergePatchType, patch, metav1.PatchOptions{})
		cancel()
		wait(ctx, 2*time.Second)
	}
}

// keepRunning starts the operator again whenever it ends, until ctx ends. The last one has to end
// in order.
func (o *operator) keepRunning(ctx context.Context) {
	for ctx.Err() == nil {
		done, err := o.start()
		if err != nil {
			o.s.findings.add(o.s.since(), "soak itself", "the operator does not start: %v", err)
			return
		}
		select {
		case err = <-done:
		case <-ctx.Done():
			_ = o.signal(syscall.SIGTERM)
			err = <-done
		}
		o.ended(err)
		if ctx.Err() == nil {
			wait(ctx, time.Second)
		}
	}
}

func (o *operator) start() (done chan error, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	_ = listener.Close()
	log, err := os.OpenFile(filepath.Join(o.folder, "operator.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(o.binary, "--leader-election-namespace="+operatorNamespace, "--lease-duration=8s",
		"--metrics-bind-address="+address, "--debug-events")
	cmd.Env, cmd.Stderr = append(os.Environ(), "KUBECONFIG="+o.kubeconfig()), log
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, log.Close())
	}
	o.mu.Lock()
	o.process, o.address, o.told, o.seen = cmd, address, 0, account{}
	o.mu.Unlock()
	done = make(chan error, 1)
	go func() {
		done <- cmd.Wait()
		_ = log.Close()
	}()
	return done, nil
}

// signal signals the process. After SIGTERM it has a time to end.
func (o *operator) signal(sig syscall.Signal) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	cmd := o.process
	if cmd == nil {
		return errors.New("it is about to start again")
	}
	o.told = sig
	if sig == syscall.SIGTERM {
		time.AfterFunc(endsWithin, func() {
			if o.current() == cmd {
				o.s.findings.add(o.s.since(), "operator", "it goes on %v after SIGTERM", endsWithin)
				_ = cmd.Process.Kill()
			}
		})
	}
	return cmd.Process.Signal(sig)
}

func (o *operator) current() *exec.Cmd {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.process
}

// ended notes how a process ended. Nobody but we and a lost lease may end it.
func (o *operator) ended(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	lastLines := o.lastLines()
	how := "SIGKILL"
	switch {
	case o.told == syscall.SIGTERM && err == nil:
		how = "SIGTERM"
	case o.told == syscall.SIGTERM:
		how = "SIGTERM, with an error: " + errorOf(lastLines)
	case o.told == 0 && strings.Contains(lastLines, "leader election lost"):
		how = "leader election lost"
	case o.told == 0:
		how = "before it was ready: " + errorOf(lastLines)
		if strings.Contains(lastLines, "panic:") || strings.Contains(lastLines, "fatal error:") {
			o.s.findings.add(o.s.since(), "operator", "it ended by itself: %v\n%s", err, lastLines)
		}
	}
	o.ends[how]++
	o.lives, o.seen = append(o.lives, o.seen), account{}
	o.process = nil
}

// errorOf is the error by which the operator ended, without what differs from time to time.
func errorOf(lines string) string {
	at := strings.LastIndex(lines, "operator: ")
	if at < 0 {
		return "unknown"
	}
	text, _, _ := strings.Cut(lines[at+len("operator: "):], "\n")
	if i := strings.LastIndex(text, ": "); i > 0 && len(text) > 80 {
		text = text[i+2:]
	}
	return text
}

func (o *operator) lastLines() string {
	data, err := os.ReadFile(filepath.Join(o.folder, "operator.log"))
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-4000):])
}

// look reads the operator's page and metrics. It need not answer while it starts or ends.
func (o *operator) look() {
	o.mu.Lock()
	cmd, address := o.process, o.address
	o.mu.Unlock()
	if cmd == nil {
		return
	}
	client := http.Client{Timeout: 2 * time.Second}
	page, err := get(&client, "http://"+address+"/debug/events?format=json")
	if err != nil {
		return
	}
	var is struct{ Account account }
	if err := json.Unmarshal(page, &is); err != nil {
		o.s.findings.add(o.s.since(), "operator", "its page can't be read: %v", err)
		return
	}
	a := is.Account
	if a.Recorded != a.Written+a.Pending+a.LostTotal {
		o.s.findings.add(o.s.since(), "operator", "its account is wrong: %+v", a)
	}
	o.s.checks.add("the operator's account", float64(a.Pending))
	var m memory
	if text, err := get(&client, "http://"+address+"/metrics"); err == nil {
		m = memoryOf(text)
		o.s.checks.add("goroutines of the operator", float64(m.goroutines))
		o.s.checks.add("heap of the operator, MB", float64(m.heap)/1e6)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.process == cmd {
		o.seen, o.memory = a, m
	}
}

func get(client *http.Client, url string) ([]byte, error) {
	response, err := client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// memoryOf reads the metrics of Go's collector.
func memoryOf(text []byte) (m memory) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), " ")
		number, err := strconv.ParseFloat(value, 64)
		switch {
		case err != nil:
		case name == "go_goroutines":
			m.goroutines = int(number)
		case name == "go_memstats_heap_alloc_bytes":
			m.heap = int64(number)
		}
	}
	return m
}

// written is what all processes are known to have written, at least.
func (o *operator) written() (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, a := range append([]account{o.seen}, o.lives...) {
		n += a.Written
	}
	return n
}

func (o *operator) close() {
	if o.proxy != nil {
		o.proxy.Close()
	}
	_ = os.RemoveAll(o.folder)
}
