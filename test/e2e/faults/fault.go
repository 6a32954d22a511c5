package faults

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"
)

// Fault is what is done to a request. The zero value passes it on.
type Fault struct {
	name string
	do   func(*exchange)
}

// String is the fault's name, as in Counts.
func (f Fault) String() string {
	if f.do == nil {
		return "pass"
	}
	return f.name
}

func (f Fault) play(x *exchange) {
	if f.do == nil {
		pass(x)
		return
	}
	f.do(x)
}

func pass(x *exchange) {
	a := x.ask()
	x.answer(a, len(a.body))
}

// Latency passes requests on after a delay between the two, both included.
func Latency(least, most time.Duration) Fault {
	return Fault{"latency", func(x *exchange) {
		if x.wait(least + time.Duration(x.random*float64(most-least))) {
			pass(x)
		}
	}}
}

// Reset resets the client's connection, with every other request that is on it, before the request
// reaches the server.
func Reset() Fault {
	return Fault{"reset", func(x *exchange) {
		reset(x.r.Context())
		x.abort()
	}}
}

// Hang never answers; the request does not reach the server.
func Hang() Fault {
	return Fault{"hang", func(x *exchange) { x.waitForClient() }}
}

// Late never answers, and passes the request on after a delay, whether the client still waits or
// not.
func Late(delay time.Duration) Fault {
	return Fault{"late", func(x *exchange) {
		x.proxy.late.Go(func() {
			x.proxy.sleep(delay)
			// nobody is told
			_, _ = x.forward(context.WithoutCancel(x.r.Context()), bytes.NewReader(x.body))
		})
		x.waitForClient()
	}}
}

var errCut = errors.New("the body is cut off here")

// CutRequest breaks off the request in the middle of its body, so that the server gets half of it
// and the client no answer.
func CutRequest() Fault {
	return Fault{"cut request", func(x *exchange) {
		half := io.MultiReader(bytes.NewReader(x.body[:len(x.body)/2]), failingReader{})
		_, _ = x.forward(x.r.Context(), half) // fails, as is meant
		x.abort()
	}}
}

type failingReader struct{}

func (failingReader) Read([]byte) (int, error) { return 0, errCut }

// CutReply breaks off the server's reply in the middle of its body: the write was applied.
func CutReply() Fault {
	return Fault{"cut reply", func(x *exchange) {
		a := x.ask()
		x.answer(a, len(a.body)/2)
		// a client that has gone is none of the proxy's business
		_ = http.NewResponseController(x.w).Flush()
		x.abort()
	}}
}

// LoseReply breaks off the request after the server has answered: the write was applied, and
// nothing tells the client so.
func LoseReply() Fault {
	return Fault{"lost reply", func(x *exchange) {
		x.ask()
		x.abort()
	}}
}

// LoseReplyAndConnection is LoseReply for all requests on the connection.
func LoseReplyAndConnection() Fault {
	return Fault{"lost connection", func(x *exchange) {
		x.ask()
		reset(x.r.Context())
		x.abort()
	}}
}

// Twice sends a request to the server twice, as a proxy may that repeats what it deems lost, and
// passes on the second answer.
func Twice() Fault {
	return Fault{"twice", func(x *exchange) {
		x.ask()
		a := x.ask()
		x.answer(a, len(a.body))
	}}
}

// Status answers in the server's place, in the plain words of a load balancer or of the server's
// own overload protection. A retryAfter of a second or more is sent in whole seconds.
func Status(code int, retryAfter time.Duration) Fault {
	return Fault{fmt.Sprintf("status %d", code), func(x *exchange) {
		header := x.w.Header()
		header.Set("Content-Type", "text/plain; charset=utf-8")
		if seconds := int(retryAfter / time.Second); seconds > 0 {
			header.Set("Retry-After", strconv.Itoa(seconds))
		}
		x.w.WriteHeader(code)
		// a client that has gone is none of the proxy's business
		_, _ = io.WriteString(x.w, http.StatusText(code))
	}}
}

// Repeat passes requests on twice, as a proxy does that tries again, and answers the second reply.
func Repeat() Fault {
	return Fault{"repeat", func(x *exchange) {
		x.ask()
		pass(x)
	}}
}

// Churn passes requests on, and has the client use another connection afterwards (GOAWAY).
func Churn() Fault {
	return Fault{"churn", func(x *exchange) {
		x.w.Header().Set("Connection", "close")
		pass(x)
	}}
}
