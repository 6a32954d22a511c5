package faults

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"k8s.io/client-go/rest"
)

// TestFaultsDoWhatTheySay plays each fault to one request.
func TestFaultsDoWhatTheySay(t *testing.T) {
	cases := []struct {
		name    string
		fault   Fault
		arrives string // what the server gets; empty: nothing
		answer  string // what the client gets; empty: an error
	}{
		{"pass", Fault{}, "write", "200 stored"},
		{"latency", Latency(10*time.Millisecond, 20*time.Millisecond), "write", "200 stored"},
		{"latency beyond patience", Latency(time.Minute, time.Minute), "", ""},
		{"reset", Reset(), "", ""},
		{"hang", Hang(), "", ""},
		{"late", Late(10 * time.Millisecond), "write", ""},
		{"cut request", CutRequest(), "wr, cut off", ""},
		{"cut reply", CutReply(), "write", ""},
		{"lost reply", LoseReply(), "write", ""},
		{"lost connection", LoseReplyAndConnection(), "write", ""},
		{"repeat", Repeat(), "write; write", "200 stored"},
		{"churn", Churn(), "write", "200 stored"},
		{"429", Status(429, 0), "", "429 Too Many Requests"},
		{"503 with Retry-After", Status(503, 2*time.Second), "", "503 Service Unavailable, after 2"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			server := newBackend(t)
			proxy, client := server.proxied(t, 1)
			proxy.Play(Step{Fault: c.fault, Requests: 1})
			if answer := write(client, proxy); answer != c.answer {
				t.Errorf("the client got %q, expected %q", answer, c.answer)
			}
			proxy.Close()
			server.check(t, c.arrives)
		})
	}
}

// TestScript counts which of many requests are answered in the server's place.
func TestScript(t *testing.T) {
	server := newBackend(t)
	proxy, client := server.proxied(t, 7)
	defer proxy.Close()
	proxy.Play(Step{Requests: 2}, Step{Fault: Status(500, 0), Requests: 3}, Step{Fault: Status(429, 0), Requests: 20, Share: 0.5})
	var answers []string
	for range 30 {
		answers = append(answers, strings.Fields(write(client, proxy))[0])
	}
	if got := strings.Join(answers[:5], " "); got != "200 200 500 500 500" {
		t.Errorf("the steps' requests were answered %s", got)
	}
	if counts := proxy.Counts(); counts["status 500"] != 3 || counts["status 429"] < 3 || counts["status 429"] > 17 || !proxy.Over() {
		t.Errorf("counts %v, over %v", counts, proxy.Over())
	}
	again, client := server.proxied(t, 7)
	defer again.Close()
	again.Play(Step{Requests: 2}, Step{Fault: Status(500, 0), Requests: 3}, Step{Fault: Status(429, 0), Requests: 20, Share: 0.5})
	for i, before := range answers {
		if now := strings.Fields(write(client, again))[0]; now != before {
			t.Errorf("request %d was answered %s, and %s with the same seed before", i, now, before)
		}
	}
}

// TestStretchOfTime has a step end with its time.
func TestStretchOfTime(t *testing.T) {
	s := newScript(1)
	s.play([]Step{{Fault: Hang(), For: time.Second}, {Fault: Reset(), For: time.Second}})
	start := time.Now()
	for _, c := range []struct {
		after time.Duration
		want  string
	}{{0, "hang"}, {900 * time.Millisecond, "hang"}, {5 * time.Second, "reset"}, {5900 * time.Millisecond, "reset"}, {6 * time.Second, "pass"}} {
		if fault, _ := s.next(start.Add(c.after)); fault.String() != c.want {
			t.Errorf("after %v: %v, expected %s", c.after, fault, c.want)
		}
	}
}

// write sends one request with little patience.
func write(client *http.Client, proxy *Proxy) string {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPatch, proxy.Config().Host, strings.NewReader("write"))
	if err != nil {
		return err.Error()
	}
	response, err := client.Do(request)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return ""
	}
	answer := response.Status[:4] + string(body)
	if after := response.Header.Get("Retry-After"); after != "" {
		answer += ", after " + after
	}
	return answer
}

// backend is a server that keeps what it gets.
type backend struct {
	server *httptest.Server
	mu     sync.Mutex
	bodies []string
}

func newBackend(t *testing.T) *backend {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	b := &backend{}
	b.server = httptest.NewUnstartedServer(b)
	b.server.EnableHTTP2 = true
	b.server.StartTLS()
	t.Cleanup(func() {
		b.server.Close()
		goleak.VerifyNone(t, leaks)
	})
	return b
}

func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	text := string(body)
	if err != nil {
		text += ", cut off"
	}
	if r.ProtoMajor != 2 {
		text += " over " + r.Proto
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bodies = append(b.bodies, text)
	_, _ = io.WriteString(w, "stored")
}

// check compares what the server has got. Handlers may run a moment longer than their requests.
func (b *backend) check(t *testing.T, want string) {
	t.Helper()
	end := time.Now().Add(time.Minute)
	for b.arrived() != want && time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	b.server.Close()
	if arrived := b.arrived(); arrived != want {
		t.Errorf("the server got %q, expected %q", arrived, want)
	}
}

func (b *backend) arrived() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.bodies, "; ")
}

// proxied is a proxy to the server, and a client of the proxy.
func (b *backend) proxied(t *testing.T, seed uint64) (*Proxy, *http.Client) {
	t.Helper()
	proxy, err := New(&rest.Config{Host: b.server.URL, TLSClientConfig: rest.TLSClientConfig{CAData: authorityOf(b.server)}}, seed)
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(proxy.Config())
	if err != nil {
		t.Fatal(err)
	}
	return proxy, client
}
