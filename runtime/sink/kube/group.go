package kube

import (
	"context"

	"github.com/go-logr/logr"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
	"github.com/event-gen/event-gen/runtime/internal/form"
	"github.com/event-gen/event-gen/runtime/internal/guard"
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
	form     form.Form
	client   rest.Interface
	versions *apiserver.Versions
}

func newGroup(f form.Form, client rest.Interface) group {
	return group{f, client, &apiserver.Versions{}}
}

// write sends the request of a write, or of the question for the event's version, and classes the answer.
func (g *group) write(ctx context.Context, w *runtime.Write, ask bool) runtime.Answer {
	req, err := g.request(w, ask)
	if err != nil {
		return apiserver.Unaskable(err)
	}
	ctx, seen := withOrigin(ctx)
	body, err := do(ctx, req)
	if err != nil {
		return g.failed(w, seen.origin(), err)
	}
	version, err := storedVersion(body)
	if err != nil {
		return apiserver.Unreadable(err)
	}
	return runtime.Answer{Outcome: runtime.Done, ResourceVersion: version}
}

// request is the HTTP request of a write.
func (g *group) request(w *runtime.Write, ask bool) (*rest.Request, error) {
	req := g.client.Post()
	switch {
	case w.Operation == runtime.Create:
		body, err := createBody(g.form, w)
		if err != nil {
			return nil, err
		}
		req.SetHeader("Content-Type", contentTypeProtobuf).Body(body)
	case ask:
		req = g.client.Patch(types.MergePatchType).Name(w.Name).Body([]byte(apiserver.NoChange))
	default:
		req = g.client.Patch(types.MergePatchType).Name(w.Name).Body(g.form.AppendPatch(nil, w))
	}
	prepare(req, w)
	return req, req.Error()
}

// prepare sets what all requests of a write have in common. client-go would repeat one that is answered 429, with a count
// that is old by then; and it would log the server's warnings.
func prepare(req *rest.Request, w *runtime.Write) *rest.Request {
	req.Namespace(w.Namespace).Resource("events").SetHeader("Accept", acceptMetadata)
	return req.MaxRetries(0).WarningHandlerWithContext(rest.NoWarnings{})
}

// do sends a request. It returns a status of the server as an error of that status. client-go logs nothing: what went
// wrong is in the answer, and bodies are nobody's business.
func do(ctx context.Context, req *rest.Request) ([]byte, error) {
	result := req.Do(logr.NewContext(ctx, logr.Discard()))
	if err := result.Error(); err != nil {
		return nil, err
	}
	return result.Raw()
}

func (g *group) failed(w *runtime.Write, from apiserver.Origin, err error) runtime.Answer {
	r := apiserver.RequestOf(w, g.form.GroupVersion().Group)
	r.Origin = from
	if a, ok := apiserver.Classify(r, err); ok {
		return a
	}
	return apiserver.NoAnswer(err)
}

// newGroups chooses between the groups of a sink; nil if it has one only.
func (o Options) newGroups(groups []group) *apiserver.Groups {
	if len(groups) < 2 {
		return nil
	}
	return apiserver.NewGroups(guard.Clock(o.Clock), o.OnFallback)
}
