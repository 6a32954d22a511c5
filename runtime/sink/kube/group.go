package kube

import (
	"context"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/internal/answer"
	"github.com/event-gen/event-gen/runtime/sink/internal/form"
)

const (
	contentTypeProtobuf = "application/vnd.kubernetes.protobuf"
	// acceptMetadata asks for the metadata of the stored event only. The plain types behind it are for the statuses of
	// errors, which the server does not transform.
	acceptMetadata = contentTypeProtobuf + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1," +
		contentTypeProtobuf + ",application/json"
)

// group writes events through one API group.
type group struct {
	form   form.Form
	client rest.Interface
}

func (g *group) write(ctx context.Context, w *runtime.Write) runtime.Answer {
	req, err := g.request(w)
	if err != nil {
		return runtime.Answer{Outcome: runtime.Refused, Err: err}
	}
	return g.send(ctx, w, req)
}

// send sends a request of a write and classes the answer.
func (g *group) send(ctx context.Context, w *runtime.Write, req *rest.Request) runtime.Answer {
	body, err := do(ctx, req)
	if err != nil {
		return g.failed(w, err)
	}
	version, err := storedVersion(body)
	if err != nil {
		return runtime.Answer{Outcome: runtime.Retry, MaybeStored: true, Err: err}
	}
	return runtime.Answer{Outcome: runtime.Done, ResourceVersion: version}
}

// request is the HTTP request of a write.
func (g *group) request(w *runtime.Write) (*rest.Request, error) {
	req := g.client.Post()
	if w.Operation == runtime.Create {
		body, err := createBody(g.form, w)
		if err != nil {
			return nil, err
		}
		req.SetHeader("Content-Type", contentTypeProtobuf).Body(body)
	} else {
		req = g.client.Patch(types.MergePatchType).Name(w.Name).Body(g.form.AppendPatch(nil, w))
	}
	prepare(req, w)
	return req, req.Error()
}

// prepare says what all requests of a write have in common. client-go would repeat one that is answered 429, with a count
// that is old by then; and it would log the server's warnings.
func prepare(req *rest.Request, w *runtime.Write) *rest.Request {
	req.Namespace(w.Namespace).Resource("events").SetHeader("Accept", acceptMetadata)
	return req.MaxRetries(0).WarningHandlerWithContext(rest.NoWarnings{})
}

// do sends a request. An error that the server sent as a status is returned as such. client-go logs nothing: what went
// wrong is in the answer, and bodies are nobody's business.
func do(ctx context.Context, req *rest.Request) ([]byte, error) {
	result := req.Do(logr.NewContext(ctx, logr.Discard()))
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

func (g *group) failed(w *runtime.Write, err error) runtime.Answer {
	a, ok := answer.FromError(w.Operation, err)
	if !ok {
		return transportAnswer(err)
	}
	switch {
	case a.Outcome == runtime.Forbidden:
		a.Err = oneForbidden(w.Namespace, g.form, a.Err)
	case a.Outcome == runtime.Refused && isNotServed(err):
		a.Err = notServed(g.form, a.Err)
	}
	return a
}
