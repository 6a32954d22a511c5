package kube

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Replies hold the metadata of the stored event only, but for those to a Read. The plain types are
// for the statuses of errors, which the server does not transform.
const (
	metadataOnly   = ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
	acceptJSON     = k8sruntime.ContentTypeJSON + metadataOnly + k8sruntime.ContentTypeJSON
	acceptProtobuf = k8sruntime.ContentTypeProtobuf + metadataOnly + k8sruntime.ContentTypeProtobuf + "," + k8sruntime.ContentTypeJSON
)

// group writes events through one API group.
type group struct {
	form     form.Form
	client   rest.Interface
	onlyJSON atomic.Bool // configured, or learnt from an answer
}

// write sends the request of a write, and classes the answer. A create whose media type is refused
// goes again as JSON; if that helps, all further ones go as JSON.
func (g *group) write(ctx context.Context, shape form.Form, w *sink.Write) sink.Answer {
	if w.Operation != sink.Create {
		patch := []byte(form.NoChange)
		if w.Operation == sink.Update {
			patch = shape.Patch(w)
		}
		return g.send(ctx, w, g.client.Patch(types.MergePatchType).Name(w.Name).Body(patch))
	}
	event := newEvent(shape, w)
	if !g.onlyJSON.Load() {
		if a := g.send(ctx, w, g.client.Post().Body(event)); !apiserver.RefusesType(a.Err) {
			return a
		}
	}
	encoded, err := json.Marshal(event)
	if err != nil {
		return apiserver.Unaskable(err)
	}
	a := g.send(ctx, w, g.client.Post().SetHeader("Content-Type", k8sruntime.ContentTypeJSON).Body(encoded))
	if a.Outcome == sink.Done {
		g.onlyJSON.Store(true)
	}
	return a
}

// send sends a request and classes the answer. client-go would repeat a request that is answered
// 429, with a count that is old by then. It logs neither warnings of the server nor failures: what
// went wrong is in the answer, and bodies are nobody's business.
func (g *group) send(ctx context.Context, w *sink.Write, req *rest.Request) sink.Answer {
	accept := acceptProtobuf
	if g.onlyJSON.Load() {
		accept = acceptJSON
	}
	if w.Operation == sink.Read {
		accept = accept[strings.Index(accept, ",")+1:]
	}
	req.Namespace(w.Namespace).Resource("events").SetHeader("Accept", accept)
	dry := isDryRun(ctx)
	if dry {
		req.Param("dryRun", metav1.DryRunAll)
	}
	req.MaxRetries(0).WarningHandlerWithContext(rest.NoWarnings{})
	if err := req.Error(); err != nil {
		return apiserver.Unaskable(err)
	}
	ctx, seen := withOrigin(ctx)
	result := req.Do(logr.NewContext(ctx, logr.Discard()))
	if err := result.Error(); err != nil {
		r := apiserver.RequestOf(w, g.form.GroupVersion().Group)
		r.Origin = seen.origin()
		return apiserver.Answered(r, err)
	}
	body, err := result.Raw()
	if err == nil {
		var a sink.Answer
		if a, err = reply(w, body, dry); err == nil {
			return a
		}
	}
	var other *otherName
	if errors.As(err, &other) && !dry {
		return g.renamed(ctx, w, other)
	}
	return apiserver.Unreadable(w.Operation, err)
}

// renamed finds out whether the event of another name, with which a create was answered, is the
// created one.
func (g *group) renamed(ctx context.Context, w *sink.Write, other *otherName) sink.Answer {
	holds := apiserver.Holds(w, &corev1.Event{ObjectMeta: other.meta})
	if !holds {
		read := *w
		read.Operation, read.Name = sink.Read, other.meta.Name
		a := g.write(ctx, g.form, &read)
		holds = a.Outcome == sink.Done && apiserver.Holds(w, a.Stored)
	}
	if !holds {
		return apiserver.Unreadable(w.Operation, other)
	}
	return sink.Answer{Outcome: sink.Done, Mark: apiserver.Renamed}
}
