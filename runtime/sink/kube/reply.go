package kube

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
)

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
