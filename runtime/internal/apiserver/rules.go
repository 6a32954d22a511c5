package apiserver

import (
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// rule interprets answers of one kind.
type rule struct {
	// because describes the cause in a few words; empty if code and reason do.
	because string
	fits    func(*reply) bool
	means   func(*reply) eventrt.Answer
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
		func(p *reply) eventrt.Answer { return p.later(eventrt.ScopeNamespace) }},
	{"the API server is starting or stopping", startingOrStopping,
		func(p *reply) eventrt.Answer { return p.later(eventrt.ScopeServer) }},
	{"the API server takes such requests at a rate",
		func(p *reply) bool { return p.code == http.StatusTooManyRequests },
		func(p *reply) eventrt.Answer { return p.limited(limitScope(p.text)) }},
	{"the credentials are not valid",
		func(p *reply) bool { return p.code == http.StatusUnauthorized },
		func(p *reply) eventrt.Answer { return p.later(eventrt.ScopeServer) }},
	{"the namespace is terminating", // admission/plugin/namespace/lifecycle/admission.go
		func(p *reply) bool {
			return p.code == http.StatusForbidden && p.hasCause(corev1.NamespaceTerminatingCause)
		},
		func(*reply) eventrt.Answer {
			return eventrt.Answer{Outcome: eventrt.RefusedQuietly, Scope: eventrt.ScopeNamespace}
		}},
	{"", isForbidden, func(p *reply) eventrt.Answer {
		return eventrt.Answer{Outcome: eventrt.Forbidden, Scope: eventrt.ScopeNamespace, Missing: p.missing()}
	}},
	{"admission refused it",
		func(p *reply) bool { return p.code == http.StatusForbidden },
		func(*reply) eventrt.Answer { return refused(eventrt.ScopeObject) }},
	{"the authorizer can't be asked", // endpoints/handlers/responsewriters/errors.go, InternalError
		func(p *reply) bool {
			return p.code == http.StatusInternalServerError && p.raw && strings.HasPrefix(p.text, `Internal Server Error: "/`)
		},
		func(p *reply) eventrt.Answer { return p.later(eventrt.ScopeServer) }},
	{"", func(p *reply) bool { return p.code == http.StatusNotFound }, notFoundMeans},
	{"", func(p *reply) bool { return p.code == http.StatusConflict }, conflictMeans},
	{"", func(p *reply) bool { return p.code == http.StatusRequestTimeout },
		func(p *reply) eventrt.Answer { return p.laterMaybeStored(eventrt.ScopeServer) }},
	{"", (*reply).isClientError, func(*reply) eventrt.Answer { return refused(eventrt.ScopeWrite) }},
	// storage/etcd3: grpc's text, as apiserver passes it on
	{"the event is too large for the storage",
		func(p *reply) bool { return p.isStorage() && p.says("request is too large") },
		func(*reply) eventrt.Answer { return refused(eventrt.ScopeWrite) }},
	{"the event had a resource version", // storage/errors.go
		func(p *reply) bool { return p.isStorage() && p.says("resourceVersion should not be set") },
		func(*reply) eventrt.Answer { return refused(eventrt.ScopeWrite) }},
	{"the storage is full",
		func(p *reply) bool { return p.isStorage() && p.says("space exceeded") },
		func(p *reply) eventrt.Answer { return p.later(eventrt.ScopeServer) }},
	{"the storage is in trouble", (*reply).isStorage,
		func(p *reply) eventrt.Answer { return p.laterMaybeStored(eventrt.ScopeServer) }},
	// A server error without more, or the server's own time-out: a webhook may have hung, or the
	// storage.
	{"", func(p *reply) bool { return p.is(http.StatusInternalServerError, http.StatusGatewayTimeout) },
		func(p *reply) eventrt.Answer { return p.laterMaybeStored(eventrt.ScopeUnknown) }},
	{"", func(*reply) bool { return true },
		func(p *reply) eventrt.Answer { return p.laterMaybeStored(eventrt.ScopeServer) }},
}

// fromPath is for answers of whatever stands between here and the server: a body that is no status,
// from which either the header is missing or which kube-apiserver never sends as such.
func fromPath(p *reply) bool {
	return p.raw && (p.Origin == FromPath || p.is(http.StatusForbidden, http.StatusConflict, http.StatusBadGateway))
}

// pathMeans: only what speaks of the request itself is final. A gateway that got no answer may have
// passed the request on.
func pathMeans(p *reply) eventrt.Answer {
	switch {
	case p.is(http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong, http.StatusRequestHeaderFieldsTooLarge):
		return refused(eventrt.ScopeWrite)
	case p.code == http.StatusTooManyRequests:
		return p.limited(eventrt.ScopeServer)
	case p.isClientError() && p.code != http.StatusRequestTimeout:
		return p.later(eventrt.ScopeServer)
	}
	return p.laterMaybeStored(eventrt.ScopeServer)
}

// denied is for admission webhooks (admission/plugin/webhook/errors/statuserror.go) and policies
// (admission/plugin/policy/validating/dispatcher.go), which choose code and reason themselves: such
// a 404 says nothing of the event, nor such a 409 or 401 of what it usually does.
func denied(p *reply) bool {
	return !p.raw && (p.says("denied the request") || p.says("denied request:"))
}

// deniedMeans tries again only where the webhook asks for that.
func deniedMeans(p *reply) eventrt.Answer {
	if p.code >= http.StatusInternalServerError || p.is(http.StatusTooManyRequests, http.StatusRequestTimeout) {
		return p.later(eventrt.ScopeObject)
	}
	return refused(eventrt.ScopeObject)
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
var limitTypes = map[string]eventrt.Scope{
	"SourceAndObject": eventrt.ScopeObject,
	"Namespace":       eventrt.ScopeNamespace,
	"User":            eventrt.ScopeServer,
	"Server":          eventrt.ScopeServer,
}

// limitScope is the widest of the limits that were reached, each "limit reached on type T for key
// K". API priority and fairness, and the limit of requests in flight, name none.
func limitScope(text string) eventrt.Scope {
	var widest eventrt.Scope
	for _, limit := range strings.Split(text, "limit reached on type ")[1:] {
		name, _, _ := strings.Cut(limit, " ")
		widest = max(widest, limitTypes[name])
	}
	if widest == eventrt.ScopeUnknown {
		return eventrt.ScopeServer
	}
	return widest
}

// notFoundMeans tells an event that expired from a namespace that is gone, and both from a server
// without the API group. For the last client-go fills in the event's name where it was asked to
// patch one.
func notFoundMeans(p *reply) eventrt.Answer {
	switch {
	case p.raw, strings.HasPrefix(p.text, "the server could not find the requested resource"):
		return eventrt.Answer{Outcome: eventrt.Refused, Scope: eventrt.ScopeGroup}
	case p.Operation != eventrt.Create:
		return eventrt.Answer{Outcome: eventrt.Gone, Scope: eventrt.ScopeObject}
	case p.status.Details.Kind == "namespaces":
		return eventrt.Answer{Outcome: eventrt.RefusedQuietly, Scope: eventrt.ScopeNamespace}
	}
	return refused(eventrt.ScopeObject)
}

func conflictMeans(p *reply) eventrt.Answer {
	if p.Operation == eventrt.Create && p.reason == metav1.StatusReasonAlreadyExists {
		return eventrt.Answer{Outcome: eventrt.Exists, Scope: eventrt.ScopeObject}
	}
	a := p.later(eventrt.ScopeObject)
	a.Conflict = p.Operation == eventrt.Update
	return a
}

// isStorage: what etcd says, the server passes on without a reason
// (endpoints/handlers/responsewriters/status.go).
func (p *reply) isStorage() bool {
	reasons := []metav1.StatusReason{"", metav1.StatusReasonUnknown}
	return p.code == http.StatusInternalServerError && !p.raw && slices.Contains(reasons, p.reason) && p.text != ""
}

// IsNotServed reports an answer that speaks of an API group that the server does not serve.
func IsNotServed(a *eventrt.Answer) bool {
	return a.Outcome == eventrt.Refused && a.Scope == eventrt.ScopeGroup
}
