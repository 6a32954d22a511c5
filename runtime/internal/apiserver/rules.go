package apiserver

import (
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/runtime/sink"
)

// rule interprets answers of one kind.
type rule struct {
	// because describes the cause in a few words; empty if code and reason do.
	because string
	fits    func(*reply) bool
	means   func(*reply) sink.Answer
}

// rules are in order: the first that fits decides. Texts are those of kube-apiserver v1.36 and
// v1.37, recorded from a real server; paths are below k8s.io/apiserver/pkg unless they name another
// module. A rule by text also demands the code that goes with it, because the server quotes values
// of the event in some of its answers.
var rules = []rule{
	{"", fromPath, pathMeans},
	{"admission denied it", denied, deniedMeans},
	{"an admission webhook can't be called", // admission/plugin/webhook/validating/dispatcher.go
		func(p *reply) bool { return p.code >= 500 && !p.raw && p.says("failed calling webhook") },
		func(p *reply) sink.Answer { return p.later(sink.ScopeNamespace) }},
	{"the API server is starting or stopping", startingOrStopping,
		func(p *reply) sink.Answer { return p.later(sink.ScopeServer) }},
	{"the API server takes such requests at a rate",
		func(p *reply) bool { return p.code == http.StatusTooManyRequests },
		func(p *reply) sink.Answer { return p.limited(limitScope(p.text)) }},
	{"the credentials are not valid",
		func(p *reply) bool { return p.code == http.StatusUnauthorized },
		func(p *reply) sink.Answer { return p.later(sink.ScopeServer) }},
	{"the namespace is terminating", // admission/plugin/namespace/lifecycle/admission.go
		func(p *reply) bool {
			return p.code == http.StatusForbidden && p.hasCause(corev1.NamespaceTerminatingCause)
		},
		func(*reply) sink.Answer {
			return sink.Answer{Outcome: sink.RefusedQuietly, Scope: sink.ScopeNamespace}
		}},
	{"", isForbidden, func(p *reply) sink.Answer {
		return sink.Answer{Outcome: sink.Forbidden, Scope: sink.ScopeNamespace, Missing: p.missing()}
	}},
	{"admission refused it",
		func(p *reply) bool { return p.code == http.StatusForbidden },
		func(*reply) sink.Answer { return refused(sink.ScopeObject) }},
	{"the authorizer can't be asked", // endpoints/handlers/responsewriters/errors.go, InternalError
		func(p *reply) bool {
			return p.code == http.StatusInternalServerError && p.raw && strings.HasPrefix(p.text, `Internal Server Error: "/`)
		},
		func(p *reply) sink.Answer { return p.later(sink.ScopeServer) }},
	{"", func(p *reply) bool { return p.code == http.StatusNotFound }, notFoundMeans},
	{"", func(p *reply) bool { return p.code == http.StatusConflict }, conflictMeans},
	{"", func(p *reply) bool { return p.code == http.StatusRequestTimeout },
		func(p *reply) sink.Answer { return p.laterMaybeStored(sink.ScopeServer) }},
	{"", func(p *reply) bool { return p.code == http.StatusUnprocessableEntity },
		func(*reply) sink.Answer { return invalid() }},
	{"", (*reply).isClientError, func(*reply) sink.Answer { return refused(sink.ScopeWrite) }},
	// storage/etcd3: grpc's text, as apiserver passes it on
	{"the event is too large for the storage",
		func(p *reply) bool { return p.isStorage() && p.says("request is too large") },
		func(*reply) sink.Answer { return refused(sink.ScopeWrite) }},
	{"the event had a resource version", // storage/errors.go
		func(p *reply) bool { return p.isStorage() && p.says("resourceVersion should not be set") },
		func(*reply) sink.Answer { return refused(sink.ScopeWrite) }},
	{"the storage is full",
		func(p *reply) bool { return p.isStorage() && p.says("space exceeded") },
		func(p *reply) sink.Answer { return p.later(sink.ScopeServer) }},
	{"the storage is in trouble", (*reply).isStorage,
		func(p *reply) sink.Answer { return p.laterMaybeStored(sink.ScopeServer) }},
	// A server error without more, or the server's own time-out: a webhook may have hung, or the
	// storage.
	{"", func(p *reply) bool { return p.is(http.StatusInternalServerError, http.StatusGatewayTimeout) },
		func(p *reply) sink.Answer { return p.laterMaybeStored(sink.ScopeUnknown) }},
	{"", func(*reply) bool { return true },
		func(p *reply) sink.Answer { return p.laterMaybeStored(sink.ScopeServer) }},
}

// fromPath is for answers of whatever stands between here and the server: a body that is no status,
// from which either the header is missing or which kube-apiserver never sends as such. The one text
// that it sends with a 404 is net/http's, for a group that it does not serve.
func fromPath(p *reply) bool {
	return p.raw && (p.Origin == FromPath || p.is(http.StatusForbidden, http.StatusConflict, http.StatusBadGateway) ||
		p.Origin == UnknownOrigin && p.code == http.StatusNotFound && strings.TrimSpace(p.text) != "404 page not found")
}

// pathMeans: only what speaks of the request itself is final. A gateway that got no answer may have
// passed the request on.
func pathMeans(p *reply) sink.Answer {
	switch {
	case p.is(http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge):
		return refused(sink.ScopeWrite)
	case p.code == http.StatusTooManyRequests:
		return p.limited(sink.ScopeServer)
	case p.isClientError() && p.code != http.StatusRequestTimeout:
		return p.later(sink.ScopeServer)
	}
	return p.laterMaybeStored(sink.ScopeServer)
}

// denied is for admission webhooks (admission/plugin/webhook/errors/statuserror.go) and policies
// (admission/plugin/policy/validating/dispatcher.go), which choose code and reason themselves: such
// a 404 says nothing of the event, nor such a 409 or 401 of what it usually does.
func denied(p *reply) bool {
	return !p.raw && (p.says("denied the request") || p.says("denied request:"))
}

// deniedMeans tries again only where the webhook asks for that.
func deniedMeans(p *reply) sink.Answer {
	if p.code >= http.StatusInternalServerError || p.is(http.StatusTooManyRequests, http.StatusRequestTimeout) {
		return p.later(sink.ScopeObject)
	}
	return refused(sink.ScopeObject)
}

// startingOrStopping: server/filters/with_retry_after.go and waitgroup.go,
// util/notfoundhandler/not_found_handler.go, admission/plugin/namespace/lifecycle/admission.go.
func startingOrStopping(p *reply) bool {
	switch p.code {
	case http.StatusForbidden:
		return strings.HasSuffix(p.text, "not yet ready to handle request")
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return p.says("is shutting down") || p.says("before all known HTTP paths")
	}
	return false
}

// limitTypes are the types of EventRateLimit (kubernetes plugin/pkg/admission/eventratelimit). A
// limit of the user's is one of all that this client writes.
var limitTypes = map[string]sink.Scope{
	"SourceAndObject": sink.ScopeObject,
	"Namespace":       sink.ScopeNamespace,
	"User":            sink.ScopeServer,
	"Server":          sink.ScopeServer,
}

// limitScope is the widest of the limits that were reached, each "limit reached on type T for key
// K". API priority and fairness, and the limit of requests in flight, name none.
func limitScope(text string) sink.Scope {
	var widest sink.Scope
	for _, limit := range strings.Split(text, "limit reached on type ")[1:] {
		name, _, _ := strings.Cut(limit, " ")
		widest = max(widest, limitTypes[name])
	}
	if widest == sink.ScopeUnknown {
		return sink.ScopeServer
	}
	return widest
}

// notFoundMeans tells an event that expired from a namespace that is gone, and both from a server
// without the API group. For the last client-go fills in the event's name where it was asked to
// patch one.
func notFoundMeans(p *reply) sink.Answer {
	switch {
	case p.raw, strings.HasPrefix(p.text, "the server could not find the requested resource"):
		return sink.Answer{Outcome: sink.Refused, Scope: sink.ScopeGroup}
	case p.Operation != sink.Create:
		return sink.Answer{Outcome: sink.Gone, Scope: sink.ScopeObject}
	case p.status.Details.Kind == "namespaces":
		return sink.Answer{Outcome: sink.RefusedQuietly, Scope: sink.ScopeNamespace}
	}
	return refused(sink.ScopeObject)
}

func conflictMeans(p *reply) sink.Answer {
	if p.Operation == sink.Create && p.reason == metav1.StatusReasonAlreadyExists {
		return sink.Answer{Outcome: sink.Exists, Scope: sink.ScopeObject}
	}
	a := p.later(sink.ScopeObject)
	a.Conflict = p.Operation == sink.Update
	return a
}

// isStorage: what etcd says, the server passes on without a reason
// (endpoints/handlers/responsewriters/status.go).
func (p *reply) isStorage() bool {
	reasons := []metav1.StatusReason{"", metav1.StatusReasonUnknown}
	return p.code == http.StatusInternalServerError && !p.raw && slices.Contains(reasons, p.reason) && p.text != ""
}

// IsNotServed reports an answer that speaks of an API group that the server does not serve.
func IsNotServed(a *sink.Answer) bool {
	return a.Outcome == sink.Refused && a.Scope == sink.ScopeGroup
}
