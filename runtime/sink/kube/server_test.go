package kube

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
)

// received is a request that a server got.
type received struct {
	method, path, query string
	header              http.Header
	body                []byte
}

// isCore reports whether the request went to the core group.
func (r received) isCore() bool { return strings.HasPrefix(r.path, "/api/v1/") }

// server answers every request with one function, and remembers the requests.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []received
}

func newServer(t *testing.T, answer func(w http.ResponseWriter, r received)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r := received{req.Method, req.URL.Path, req.URL.RawQuery, req.Header, body}
		s.mu.Lock()
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) config() *rest.Config { return &rest.Config{Host: s.URL} }

func (s *server) got() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.requests...)
}

// only is the one request that the server got.
func (s *server) only(t *testing.T) received {
	t.Helper()
	got := s.got()
	if len(got) != 1 {
		t.Fatalf("the server got %d requests, want 1", len(got))
	}
	return got[0]
}

// stored answers that the event is stored under a resource version.
func stored(version string) func(http.ResponseWriter, received) {
	return func(w http.ResponseWriter, r received) {
		code := http.StatusOK
		if r.method == http.MethodPost {
			code = http.StatusCreated
		}
		writeJSON(w, code, metav1.PartialObjectMetadata{
			TypeMeta:   metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
			ObjectMeta: metav1.ObjectMeta{Name: "web.1", Namespace: namespaceIn(r.path), ResourceVersion: version},
		})
	}
}

func namespaceIn(path string) string {
	_, after, _ := strings.Cut(path, "/namespaces/")
	namespace, _, _ := strings.Cut(after, "/")
	return namespace
}

// answered answers with a status of the API.
func answered(s metav1.Status) func(http.ResponseWriter, received) {
	return func(w http.ResponseWriter, _ received) { writeStatus(w, s) }
}

func writeStatus(w http.ResponseWriter, s metav1.Status) {
	s.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
	s.Status = metav1.StatusFailure
	writeJSON(w, int(s.Code), s)
}

func writeJSON(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

// text answers as something other than an API server does. Headers are pairs of name and value.
func text(code int, body string, headers ...string) func(http.ResponseWriter, received) {
	return func(w http.ResponseWriter, _ received) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

var moment = time.Date(2026, 3, 4, 5, 6, 7, 891234567, time.UTC)

func newCreate() *sink.Write {
	return &sink.Write{
		Operation: sink.Create, Namespace: "shop", Name: "web.1",
		Type: eventrt.Warning, Reason: "BackOff", Action: "Restart",
		ReportingController: "example.com/controller", ReportingInstance: "controller-0",
		Note:      []byte("a \"secret\" note"),
		Regarding: corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "shop", Name: "web", UID: "u-1"},
		Count:     1, First: moment, Last: moment,
	}
}

func newUpdate() *sink.Write {
	w := newCreate()
	w.Operation, w.Count, w.Last, w.ResourceVersion = sink.Update, 3, moment.Add(time.Minute), 41
	return w
}
