package main

import (
	"net/http"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"
)

// traffic counts the requests of a client.
type traffic struct {
	begun, answered atomic.Int64
	last            atomic.Int64 // Unix nanoseconds of the last beginning or answer
}

// config is cfg without a limiter, with its requests counted.
func (t *traffic) config(cfg *rest.Config) *rest.Config {
	c := rest.CopyConfig(cfg)
	c.QPS = -1
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return counting{t, next} })
	return c
}

type counting struct {
	*traffic
	next http.RoundTripper
}

func (c counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.begun.Add(1)
	c.last.Store(time.Now().UnixNano())
	defer func() {
		c.answered.Add(1)
		c.last.Store(time.Now().UnixNano())
	}()
	return c.next.RoundTrip(r)
}

// quiet waits until no request was under way for a while.
func (t *traffic) quiet(d time.Duration) {
	t.last.Store(time.Now().UnixNano())
	for t.begun.Load() > t.answered.Load() || time.Since(time.Unix(0, t.last.Load())) < d {
		time.Sleep(20 * time.Millisecond)
	}
}
