package benchmarks

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"

	"github.com/event-gen/event-gen/runtime/sink/kube"
)

// server is an API server that takes events over HTTP/2 and TLS, decodes what it needs, and keeps
// nothing.
type server struct {
	*httptest.Server
	created atomic.Int64
	// kept, unless nil, gets each request with its body.
	kept chan kept
	end  func() // of what writes to it
}

// kept is a request as it was sent.
type kept struct {
	path   string
	header http.Header
	body   []byte
}

func newServer() *server {
	s := &server{end: func() {}}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.create))
	s.EnableHTTP2 = true
	s.StartTLS()
	return s
}

// create answers with the metadata if these are asked for, as by event-gen's sink, else with the
// whole event, as an API server does.
func (s *server) create(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if s.kept != nil {
		s.kept <- kept{r.URL.Path, r.Header, body}
	}
	var event eventsv1.Event
	if raw, isProtobuf := strings.CutPrefix(string(body), "k8s\x00"); isProtobuf {
		var envelope k8sruntime.Unknown
		if err = envelope.Unmarshal([]byte(raw)); err == nil {
			err = event.Unmarshal(envelope.Raw)
		}
	} else {
		err = json.Unmarshal(body, &event)
	}
	if err != nil || r.Method != http.MethodPost || path.Base(r.URL.Path) != "events" {
		http.Error(w, fmt.Sprint("no create of an event: ", err), http.StatusBadRequest)
		return
	}
	var reply any = &metav1.PartialObjectMetadata{
		TypeMeta:   metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
		ObjectMeta: metav1.ObjectMeta{Name: event.Name, Namespace: event.Namespace, ResourceVersion: "1"},
	}
	if !strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
		var whole map[string]any
		if err := json.Unmarshal(body, &whole); err == nil {
			whole["metadata"].(map[string]any)["resourceVersion"] = "1"
		}
		reply = whole
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(reply)
	s.created.Add(1)
}

func (s *server) config() *rest.Config {
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	return &rest.Config{Host: s.URL, QPS: -1, TLSClientConfig: rest.TLSClientConfig{CAData: ca}}
}

// onServer make recorders that write to a server, each through its own client without a rate limit.
var onServer = []struct {
	name string
	make func(*rest.Config) recorder
}{
	{"record", func(c *rest.Config) recorder {
		return recordTo(&typedcorev1.EventSinkImpl{Interface: kubernetes.NewForConfigOrDie(c).CoreV1().Events("")}, options{unlimited: true})
	}},
	{"events", func(c *rest.Config) recorder {
		return eventsTo(&events.EventSinkImpl{Interface: kubernetes.NewForConfigOrDie(c).EventsV1()})
	}},
	{"event-gen", func(c *rest.Config) recorder {
		return eventGenTo(kube.Options{QPS: -1}.EventsV1(c), options{unlimited: true})
	}},
}

// Distinct events that BenchmarkServer has, and how many of them wait at once: half a queue of
// client-go's, so that nothing is dropped.
const distinct, waiting = 5000, 500

// BenchmarkServer is what users pay: distinct events over HTTP/2 and TLS to a server in this
// process. The bound is what event-gen's requests cost a bare http.Client.
func BenchmarkServer(b *testing.B) {
	requests := requestsOfEventGen()
	// each makes a recorder or client, and returns what to measure: it gives the most goroutines
	prepare := map[string]func(*server) func() int{"bound": func(s *server) func() int {
		client := s.Client()
		return func() int { return s.replay(client, requests) }
	}}
	names := []string{}
	for _, m := range onServer {
		names = append(names, m.name)
		prepare[m.name] = func(s *server) func() int {
			r := m.make(s.config())
			s.end = func() { must(r.Shutdown(context.Background())) }
			return func() int { return s.record(r) }
		}
	}
	for _, name := range append(names, "bound") {
		b.Run("recorder="+name, func(b *testing.B) {
			for b.Loop() {
				s := newServer()
				run := prepare[name](s)
				idle := runtime.NumGoroutine()
				runtime.GC()
				begun, before := time.Now(), cpu()
				most := run()
				await(func() bool { return s.created.Load() >= distinct })
				b.ReportMetric(distinct/time.Since(begun).Seconds(), "events/s")
				b.ReportMetric(float64((cpu()-before).Microseconds())/distinct, "cpu-µs/event")
				b.ReportMetric(float64(max(0, most-idle)), "goroutines")
				s.end()
				s.Close()
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

var recordedObjects, recordedJobs = cronJobs(1000), jobNames(distinct)

// record makes the calls.
func (s *server) record(r recorder) (most int) {
	for i, job := range recordedJobs {
		r.Distinct(recordedObjects[i%len(recordedObjects)], job)
		for int64(i)-s.created.Load() >= waiting {
			most = max(most, runtime.NumGoroutine())
			time.Sleep(50 * time.Microsecond)
		}
	}
	return most
}

// requestsOfEventGen are the requests that event-gen sends in this benchmark.
func requestsOfEventGen() (all []kept) {
	s := newServer()
	s.kept = make(chan kept, distinct)
	r := eventGenTo(kube.Options{QPS: -1}.EventsV1(s.config()), options{unlimited: true})
	s.record(r)
	must(r.Shutdown(context.Background()))
	s.Close()
	for range distinct {
		all = append(all, <-s.kept)
	}
	return all
}

// inFlight is how many requests about one namespace event-gen has in flight.
const inFlight = 8

// replay sends requests by a bare client, and reads the replies.
func (s *server) replay(client *http.Client, requests []kept) (most int) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range inFlight {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < distinct; i = next.Add(1) - 1 {
				k := &requests[i]
				req, err := http.NewRequest(http.MethodPost, s.URL+k.path, bytes.NewReader(k.body))
				must(err)
				for _, name := range []string{"Accept", "Content-Type", "User-Agent"} {
					req.Header[name] = k.header[name]
				}
				resp, err := client.Do(req)
				must(err)
				_, err = io.Copy(io.Discard, resp.Body)
				must(err)
				must(resp.Body.Close())
			}
		})
	}
	most = runtime.NumGoroutine()
	wg.Wait()
	client.CloseIdleConnections()
	return most
}
