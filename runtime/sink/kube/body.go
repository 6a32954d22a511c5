package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// codecs encode events, and read the server's statuses.
var codecs = func() serializer.CodecFactory {
	scheme := k8sruntime.NewScheme()
	scheme.AddKnownTypes(corev1.SchemeGroupVersion, &corev1.Event{})
	scheme.AddKnownTypes(eventsv1.SchemeGroupVersion, &eventsv1.Event{})
	metav1.AddToGroupVersion(scheme, metav1.Unversioned)
	return serializer.NewCodecFactory(scheme)
}()

// newEvent is the object that a create sends.
func newEvent(f form.Form, w *sink.Write) k8sruntime.Object {
	apiVersion, kind := f.GroupVersion().WithKind("Event").ToAPIVersionAndKind()
	if f == form.CoreV1 {
		e := form.Core(w)
		e.APIVersion, e.Kind = apiVersion, kind
		return e
	}
	e := form.Events(w)
	e.APIVersion, e.Kind = apiVersion, kind
	return e
}

// protobufPrefix begins every protobuf body of Kubernetes; an encoded runtime.Unknown follows, in
// which the object is wrapped (apimachinery pkg/runtime/serializer/protobuf/protobuf.go).
const protobufPrefix = "k8s\x00"

var errNoEvent = errors.New("the reply holds no event; something other than an API server may have answered")

// otherName is the error of a create that was answered with an event of another name.
type otherName struct {
	error
	meta metav1.ObjectMeta
}

// reply reads the reply to a write that the server has taken: metadata, or the event that a Read
// asked for. Whoever answers with another object, or without a resource version, is not believed to
// have stored anything. A dry run makes an event without one. A version that is no decimal integer
// counts as unknown.
func reply(w *sink.Write, body []byte, dry bool) (sink.Answer, error) {
	if w.Operation == sink.Read {
		e, err := decodeEvent(body)
		if err == nil {
			err = apiserver.CheckReply(w, "Event", e.Namespace, e.Name)
		}
		if err != nil {
			return sink.Answer{}, err
		}
		return apiserver.Read(e), nil
	}
	meta, err := decodeMeta(body)
	if err != nil {
		return sink.Answer{}, fmt.Errorf("the reply can't be read: %w", err)
	}
	if meta.Name == "" || meta.ResourceVersion == "" && !dry {
		return sink.Answer{}, errNoEvent
	}
	err = apiserver.CheckReply(w, meta.Kind, meta.Namespace, meta.Name)
	if err != nil && apiserver.IsRenamed(w, meta.Kind, meta.Namespace, meta.Name) {
		return sink.Answer{}, &otherName{error: err, meta: meta.ObjectMeta}
	}
	if err != nil {
		return sink.Answer{}, err
	}
	if meta.Kind != "Event" && meta.Kind != "PartialObjectMetadata" {
		return sink.Answer{}, errNoEvent
	}
	return sink.Answer{Outcome: sink.Done, ResourceVersion: apiserver.ParseVersion(meta.ResourceVersion)}, nil
}

// decodeEvent reads an event of either group.
func decodeEvent(body []byte) (*corev1.Event, error) {
	object, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("the reply can't be read: %w", err)
	}
	switch e := object.(type) {
	case *corev1.Event:
		return e, nil
	case *eventsv1.Event:
		core := form.ToCore(e)
		return &core, nil
	}
	return nil, errNoEvent
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
	err := object.Unmarshal(envelope.Raw)
	object.Kind = envelope.Kind
	return &object, err
}
