package faults

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"
)

// exchange is one request and what becomes of it.
type exchange struct {
	proxy  *Proxy
	w      http.ResponseWriter
	r      *http.Request
	body   []byte
	random float64 // from 0 to 1, of the script's seed
}

// reply is what the server answered.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// forward sends the request to the server and reads the reply whole: those to writes are short.
func (x *exchange) forward(ctx context.Context, body io.Reader) (*reply, error) {
	request := x.r.Clone(ctx)
	request.RequestURI = ""
	request.URL.Scheme, request.URL.Host = x.proxy.upstream.Scheme, x.proxy.upstream.Host
	request.Host = x.proxy.upstream.Host
	request.Body = io.NopCloser(body)
	request.ContentLength = int64(len(x.body))
	response, err := x.proxy.transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	read, err := io.ReadAll(response.Body)
	return &reply{status: response.StatusCode, header: response.Header, body: read}, err
}

// ask forwards the whole request. Without an answer of the server the client gets none either.
func (x *exchange) ask() *reply {
	answer, err := x.forward(x.r.Context(), bytes.NewReader(x.body))
	if err != nil {
		x.abort()
	}
	return answer
}

// answer sends a reply, or only the first bytes of its body.
func (x *exchange) answer(a *reply, bodyBytes int) {
	header := x.w.Header()
	maps.Copy(header, a.header)
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	x.w.WriteHeader(a.status)
	_, _ = x.w.Write(a.body[:bodyBytes]) // a client that has gone is none of the proxy's business
}

// abort breaks off the request's stream. It does not return.
func (x *exchange) abort() { panic(http.ErrAbortHandler) }

// wait lets time pass, and tells whether the client still waits then.
func (x *exchange) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-x.r.Context().Done():
	case <-x.proxy.closed:
	}
	return false
}

// waitForClient returns when the client has given up.
func (x *exchange) waitForClient() {
	select {
	case <-x.r.Context().Done():
	case <-x.proxy.closed:
	}
}

// sleep ends early when the proxy is closed.
func (p *Proxy) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.closed:
	}
}
