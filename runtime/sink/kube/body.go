package kube

import (
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime"
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
