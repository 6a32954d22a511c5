package kube

import (
	"context"
	"net/http"
	"sync/atomic"

	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
)

// auditID is a header that every answer of a kube-apiserver has (apiserver
// pkg/endpoints/filters/audit_init.go).
const auditID = "Audit-Id"

// maxReplyBytes bounds the body of a reply. The server stores at most 1.5 MiB of an event
// (etcd's --max-request-bytes), and its statuses are smaller.
const maxReplyBytes = 4 << 20

type originKey struct{}

// originNote is where the transport notes who answered a request. client-go's REST client does not
// show headers.
type originNote struct{ from atomic.Uint32 }

func withOrigin(ctx context.Context) (context.Context, *originNote) {
	a := &originNote{}
	return context.WithValue(ctx, originKey{}, a), a
}

func (a *originNote) origin() apiserver.Origin { return apiserver.Origin(a.from.Load()) }

// watchOrigin makes the transports of a config note who answered, and bound what they read.
func watchOrigin(cfg *rest.Config) {
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper { return &originTransport{next} })
}

type originTransport struct{ next http.RoundTripper }

// WrappedRoundTripper lets callers close idle connections (apimachinery pkg/util/net).
func (t *originTransport) WrappedRoundTripper() http.RoundTripper { return t.next }

// RoundTrip implements http.RoundTripper.
func (t *originTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	a, ok := req.Context().Value(originKey{}).(*originNote)
	if ok && err == nil {
		a.from.Store(uint32(originOf(resp.Header)))
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxReplyBytes)
	}
	return resp, err
}

func originOf(h http.Header) apiserver.Origin {
	if h.Get(auditID) == "" {
		return apiserver.FromPath
	}
	return apiserver.FromServer
}
