package server

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
)

// HTTP is a server on the loopback interface, with TLS and HTTP/2, that takes the creation of events. It stores nothing and
// looks at nothing: what it costs is the protocol.
type HTTP struct {
	*httptest.Server
	created atomic.Int64
	// HTTP2 counts the requests that came over it.
	http2 atomic.Int64
}

const protobuf = "application/vnd.kubernetes.protobuf"

// NewHTTP starts a server.
func NewHTTP() *HTTP {
	s := &HTTP{}
	s.Server = httptest.NewUnstartedServer(s)
	s.EnableHTTP2 = true
	s.StartTLS()
	return s
}

// Created is the number of events that were created, all of them over HTTP/2; -1 if any was not.
func (s *HTTP) Created() int64 {
	n := s.created.Load()
	if s.http2.Load() != n {
		return -1
	}
	return n
}

// Config is that of a client without limiter; contentType is that of its requests, empty for client-go's default.
func (s *HTTP) Config(contentType string) *rest.Config {
	c := &rest.Config{Host: s.URL, QPS: -1, TLSClientConfig: rest.TLSClientConfig{CAData: pemOf(s.Certificate())}}
	c.ContentType = contentType
	if contentType != "" {
		c.AcceptContentTypes = contentType + ",application/json"
	}
	return c
}

// ServeHTTP answers a create: with the metadata of an event where no more is asked for, else with the event that came.
func (s *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil || r.Method != http.MethodPost {
		http.Error(w, "not a create", http.StatusBadRequest)
		return
	}
	if r.ProtoMajor == 2 {
		s.http2.Add(1)
	}
	contentType, answer := r.Header.Get("Content-Type"), body
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata") {
		contentType, answer = protobuf, metadata
	}
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusCreated)
	_, _ = w.Write(answer) // a client that has gone away shows in what it counts
	s.created.Add(1)
}

// metadata is what a server answers that is asked for the metadata only.
var metadata = encodeMetadata()

func encodeMetadata() []byte {
	object := metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Namespace: "benchmarks", Name: "nightly-backup-of-shop-0000001.18a2b3c4d5e6f708",
		UID: "5f1c2e9a-7b3d-4c6e-9a10-000000000001", ResourceVersion: "123456", CreationTimestamp: metav1.Now(),
	}}
	raw, err := object.Marshal()
	if err != nil {
		panic(err)
	}
	envelope := k8sruntime.Unknown{
		TypeMeta: k8sruntime.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"},
		Raw:      raw,
	}
	b, err := envelope.Marshal()
	if err != nil {
		panic(err)
	}
	return append([]byte("k8s\x00"), b...)
}
