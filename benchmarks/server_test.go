package benchmarks

import (
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
}

func newServer() *server {
	s := &server{}
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

// BenchmarkServer is what users pay: 5,000 distinct events over HTTP/2 and TLS to a server in this
// process. At most half a queue of client-go's waits at once, so that nothing is dropped.
func BenchmarkServer(b *testing.B) {
	const distinct, waiting = 5000, 500
	for _, m := range onServer {
		b.Run("recorder="+m.name, func(b *testing.B) {
			for b.Loop() {
				s := newServer()
				r, objects, jobs := m.make(s.config()), cronJobs(1000), jobNames(distinct)
				idle, most := runtime.NumGoroutine(), 0
				runtime.GC()
				begun, before := time.Now(), cpu()
				for i, job := range jobs {
					r.Distinct(objects[i%len(objects)], job)
					for int64(i)-s.created.Load() >= waiting {
						most = max(most, runtime.NumGoroutine())
						time.Sleep(50 * time.Microsecond)
					}
				}
				await(func() bool { return s.created.Load() >= distinct })
				b.ReportMetric(distinct/time.Since(begun).Seconds(), "events/s")
				b.ReportMetric(float64((cpu()-before).Microseconds())/distinct, "cpu-µs/event")
				b.ReportMetric(float64(most-idle), "goroutines")
				must(r.Shutdown(context.Background()))
				s.Close()
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}
