package clientgo

import (
	"context"
	"reflect"
	"slices"
	"sync"

	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime/sink"
)

// endpoint is where a sink of client-go's writes to.
type endpoint struct{ url, namespace string }

// serverOf tells apart the servers that sinks write to, by a value that can be compared; nil if
// that can't be told. Two clients of one server are equal here whoever they act for.
func serverOf(target record.EventSink) any {
	s, url, isServer := clientOf(target)
	switch {
	case s == nil || s.Interface == nil:
		return comparableOrNil(target)
	case isServer:
		return url
	}
	return trackerOf(s.Interface)
}

// clientOf returns client-go's own sink, nil for any other, and where its client writes to.
// isServer is false for a client that has no server, such as a fake.
func clientOf(target record.EventSink) (s *typedcorev1.EventSinkImpl, to endpoint, isServer bool) {
	if s, _ = target.(*typedcorev1.EventSinkImpl); s == nil {
		return nil, to, false
	}
	c, ok := s.Interface.(interface {
		GetClient() restclient.Interface // of gentype.Client
		GetNamespace() string
	})
	if !ok {
		return s, to, false
	}
	to.namespace = c.GetNamespace()
	to.url, isServer = urlOf(c.GetClient())
	return s, to, isServer
}

// urlOf is the address of a client's server; ok is false for clients that have none.
func urlOf(c restclient.Interface) (url string, ok bool) {
	rest, ok := c.(*restclient.RESTClient)
	if !ok || rest == nil {
		return "", false
	}
	return rest.Get().URL().String(), true
}

// trackerOf tells clients of client-go's fake clientset apart, each of which leads to one by a
// field Fake; else it is the client itself.
func trackerOf(client any) (tracker any) {
	defer func() {
		if recover() != nil { // a field that is behind a nil pointer
			tracker = comparableOrNil(client)
		}
	}()
	v := reflect.ValueOf(client)
	for range 2 { // fakeEvents.Fake is a FakeCoreV1, whose Fake is that of the clientset
		if v = reflect.Indirect(v); v.Kind() != reflect.Struct {
			return comparableOrNil(client)
		}
		if v = v.FieldByName("Fake"); v.Kind() != reflect.Pointer || v.IsNil() {
			return comparableOrNil(client)
		}
	}
	return v.Pointer()
}

func comparableOrNil(v any) any {
	if v == nil || !reflect.ValueOf(v).Comparable() {
		return nil
	}
	return v
}

// target writes through the sinks of one server, each of which a recording was started with. They
// are asked in turn where one lacks a right. The others stand by, so that an event is stored once.
type target struct {
	mu    sync.Mutex
	sinks []*coreSink
}

func (t *target) Write(ctx context.Context, w *sink.Write) (a sink.Answer) {
	for _, s := range t.all() {
		if a = s.Write(ctx, w); a.Outcome != sink.Forbidden {
			break
		}
	}
	return a
}

// all is a list that is never changed, and never empty.
func (t *target) all() []*coreSink {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.sinks
}

func (t *target) add(s *coreSink) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sinks = append(slices.Clip(t.sinks), s)
}

// remove takes a sink out, unless it is the last, which still writes the pending events.
func (t *target) remove(s *coreSink) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if i := slices.Index(t.sinks, s); i >= 0 && len(t.sinks) > 1 {
		t.sinks = slices.Concat(t.sinks[:i], t.sinks[i+1:])
	}
}
