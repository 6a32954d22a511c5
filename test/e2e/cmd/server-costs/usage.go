package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// usage is what the servers have used since they were started.
type usage struct {
	apiServer, etcd time.Duration // of processors
	walBytes        float64       // written to etcd's log: etcd_disk_wal_write_bytes_total
	requests        map[string]float64
}

// verbs of apiserver_request_total for the resource events, in the order of the tables.
var verbs = []string{"POST", "PATCH", "GET", "PUT"}

// meter reads what the servers use. Reading metrics costs the API server time: processor time is read last before a turn, and first
// after it.
type meter struct {
	c       *cluster.Cluster
	clients kubernetes.Interface
}

func (m *meter) processors(u *usage) (err error) {
	u.apiServer, u.etcd, err = m.c.ProcessorTime()
	return err
}

func (m *meter) metrics(ctx context.Context, u *usage) error {
	text, err := m.clients.CoreV1().RESTClient().Get().AbsPath("/metrics").DoRaw(ctx)
	if err != nil {
		return fmt.Errorf("the API server's metrics: %w", err)
	}
	u.requests = map[string]float64{}
	for _, verb := range verbs {
		u.requests[verb] = sum(text, "apiserver_request_total", `resource="events"`, `verb="`+verb+`"`)
	}
	text, err = get(ctx, m.c.EtcdURL()+"/metrics")
	if err != nil {
		return fmt.Errorf("etcd's metrics: %w", err)
	}
	const wal = "etcd_disk_wal_write_bytes_total"
	if u.walBytes = sum(text, wal); u.walBytes == 0 {
		return fmt.Errorf("etcd's metrics: expected %s", wal)
	}
	return nil
}

func get(ctx context.Context, url string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

// sum adds the values of a metric's series that have all the labels, in Prometheus' text form.
func sum(text []byte, metric string, labels ...string) (total float64) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		series, value, ok := cutLast(lines.Text())
		name, rest, _ := strings.Cut(series, "{")
		if ok && name == metric && hasAll(rest, labels) {
			total += value
		}
	}
	return total
}

func cutLast(line string) (series string, value float64, ok bool) {
	at := strings.LastIndexByte(line, ' ')
	if at < 0 || strings.HasPrefix(line, "#") {
		return "", 0, false
	}
	value, err := strconv.ParseFloat(line[at+1:], 64)
	return line[:at], value, err == nil
}

func hasAll(labels string, wanted []string) bool {
	for _, l := range wanted {
		if !strings.Contains(labels, l) {
			return false
		}
	}
	return true
}
