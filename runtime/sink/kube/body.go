package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
)

// protobufPrefix begins every protobuf body of Kubernetes; an encoded runtime.Unknown follows, in which the object is
// wrapped (apimachinery pkg/runtime/serializer/protobuf/protobuf.go).
const protobufPrefix = "k8s\x00"

// rawOverhead is the most that the tag and the length of the wrapped object take.
const rawOverhead = 1 + 10

// createBody is the body of the request that creates an event. It is made anew for each request: the transport may read
// it after the request has returned.
func createBody(f form.Form, w *runtime.Write) ([]byte, error) {
	if f == form.CoreV1 {
		return wrap("v1", form.Core(w))
	}
	return wrap("events.k8s.io/v1", form.Events(w))
}

func wrap(apiVersion string, event k8sruntime.ProtobufMarshaller) ([]byte, error) {
	envelope := k8sruntime.Unknown{TypeMeta: k8sruntime.TypeMeta{APIVersion: apiVersion, Kind: "Event"}}
	size := event.Size()
	b := make([]byte, len(protobufPrefix)+envelope.Size()+rawOverhead+size)
	copy(b, protobufPrefix)
	n, err := envelope.NestedMarshalTo(b[len(protobufPrefix):], event, uint64(size))
	return b[:len(protobufPrefix)+n], err
}

var errNoEvent = errors.New("the reply holds no event; something other than an API server may have answered")

// storedVersion reads the resource version from a reply: an event, or the metadata of one. Whoever answers without one is
// not believed to have stored anything. A version that is no decimal integer counts as unknown.
func storedVersion(body []byte) (uint64, error) {
	meta, err := decodeMeta(body)
	if err != nil {
		return 0, fmt.Errorf("the reply can't be read: %w", err)
	}
	if meta.Name == "" || meta.ResourceVersion == "" {
		return 0, errNoEvent
	}
	return apiserver.ParseVersion(meta.ResourceVersion), nil
}

// decodeMeta reads the metadata alone: it is the first field of every kind of object.
func decodeMeta(body []byte) (*metav1.PartialObjectMetadata, error) {
	var object metav1.PartialObjectMetadata
	raw, isProtobuf := bytes.CutPrefix(body, []byte(protobufPrefix))
	if !isProtobuf {
		return &object, json.Unmarshal(body, &object)
	}
	var envelope k8sruntime.Unknown
	if err := envelope.Unmarshal(raw); err != nil {
		return nil, err
	}
	return &object, object.Unmarshal(envelope.Raw)
}
