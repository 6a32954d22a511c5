package kube

import (
	"context"
	"errors"
	"net"
	"net/http"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/sink"
)

var (
	notSent   = sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer}
	heldBack  = sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeWrite}
	cancelled = sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeWrite, MaybeStored: true}
	hung      = sink.Answer{Outcome: sink.Retry, MaybeStored: true}
	maybeSent = sink.Answer{Outcome: sink.Retry, Scope: sink.ScopeServer, MaybeStored: true}
)

func TestNoServer(t *testing.T) {
	s := newServer(t, stored("1"))
	cfg := s.config()
	s.Close()
	checkClass(t, "connection refused", notSent, EventsV1(cfg).Write(t.Context(), newCreate()))
}

func TestUnknownHost(t *testing.T) {
	cfg := &rest.Config{Host: "http://events.invalid", Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: address}}
	}}
	checkClass(t, "no such host", notSent, EventsV1(cfg).Write(t.Context(), newCreate()))
}

// TestBrokenReplies cuts the connection at several points of the reply.
func TestBrokenReplies(t *testing.T) {
	for name, reply := range map[string]string{
		"no reply":          "",
		"half a header":     "HTTP/1.1 201 Cre",
		"half a body":       "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"metadata\":",
		"half a status":     "HTTP/1.1 422 Unprocessable Entity\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"kind\":\"Status\"",
		"half JSON, closed": "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"metadata\":{\"name\":",
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, func(w http.ResponseWriter, _ received) { hijack(w, reply) })
			checkClass(t, "create", maybeSent, EventsV1(s.config()).Write(t.Context(), newCreate()))
			checkClass(t, "update", maybeSent, EventsV1(s.config()).Write(t.Context(), newUpdate()))
		})
	}
}

// hijack answers with raw bytes and resets the connection.
func hijack(w http.ResponseWriter, reply string) {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	_, _ = buffered.WriteString(reply)
	_ = buffered.Flush()
	if tcp, ok := conn.(*net.TCPConn); ok && reply == "" {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// hanging is a server that answers nothing until release.
func hanging(t *testing.T) (s *server, arrived <-chan struct{}) {
	t.Helper()
	release, in := make(chan struct{}), make(chan struct{}, 1)
	s = newServer(t, func(http.ResponseWriter, received) { in <- struct{}{}; <-release })
	t.Cleanup(func() { close(release) }) // before the server's own cleanup, which waits for it
	return s, in
}

func TestTimeout(t *testing.T) {
	s, _ := hanging(t)
	a := Options{Timeout: 20 * time.Millisecond}.EventsV1(s.config()).Write(t.Context(), newCreate())
	checkClass(t, "create", hung, a)
	if !errors.Is(a.Err, context.DeadlineExceeded) {
		t.Errorf("error %v", a.Err)
	}
}

func TestContextEnds(t *testing.T) {
	s, arrived := hanging(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-arrived; cancel() }()
	a := Options{Timeout: -1}.EventsV1(s.config()).Write(ctx, newCreate())
	checkClass(t, "create", cancelled, a)
	if !errors.Is(a.Err, context.Canceled) {
		t.Errorf("error %v", a.Err)
	}
	for _, qps := range []float32{0, -1} {
		a = Options{QPS: qps}.EventsV1(s.config()).Write(ctx, newCreate())
		checkClass(t, "create after the end", heldBack, a)
	}
	if n := len(s.got()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// TestBudget empties a budget: what does not fit into the timeout is not sent.
func TestBudget(t *testing.T) {
	s := newServer(t, stored("1"))
	target := Options{QPS: 0.001, Burst: 2}.EventsV1(s.config())
	for range 2 {
		if a := target.Write(t.Context(), newCreate()); a.Outcome != sink.Done {
			t.Fatalf("answer %+v", a)
		}
	}
	checkClass(t, "beyond the budget", heldBack, target.Write(t.Context(), newCreate()))
	if n := len(s.got()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}
