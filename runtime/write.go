package runtime

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Sink stores events. It knows a protocol and nothing about merging or schedules.
//
// Write is called by several goroutines at once, never twice at once for one object. It must return when ctx ends. It
// must not keep the Write or any slice in it after it has returned, and must not change it. It classes the outcome: only
// the sink knows what an answer of its protocol means. A panic is taken for a refusal.
type Sink interface {
	Write(ctx context.Context, w *Write) Answer
}

// Operation is what a Write asks for.
type Operation uint8

const (
	// Create makes the event; Count is what it stands for already.
	Create Operation = iota + 1
	// Update raises the count of the event to Count.
	Update
)

// LatestNoteAnnotation holds the note of the latest occurrence (Write.LatestNote) of an event of events.k8s.io/v1 that was updated.
const LatestNoteAnnotation = "event-gen.github.io/latest-note"

// Write is one request to a sink: the whole event, rendered, with absolute counts, so that a repeated write does no harm.
// Slices are lent for the call.
type Write struct {
	Operation Operation
	// Namespace and Name are those of the event: a DNS-1123 label and a DNS-1123 subdomain.
	Namespace string
	Name      string

	Type                string
	Reason              string
	Action              string
	ReportingController string
	// ReportingInstance is at most 128 bytes.
	ReportingInstance string
	// Note is at most 1024 bytes of valid UTF-8.
	Note      []byte
	Regarding corev1.ObjectReference
	// Related is meaningful if HasRelated.
	Related    corev1.ObjectReference
	HasRelated bool
	// Annotations are sorted by key. In an Update they are set only where the event stands for several (Aggregate), whose
	// annotations change.
	Annotations []Annotation
	// Aggregate says that the event stands for several distinct ones.
	Aggregate bool
	// LatestNote says that Note is that of the latest occurrence. An Update stores it: in core/v1 as the message, in
	// events.k8s.io/v1, where the note never changes, as LatestNoteAnnotation.
	LatestNote bool

	// Count is how many occurrences the event stands for, from 1 to MaxInt32.
	Count int32
	// First and Last are when the first and the last of them happened; Last never goes back.
	First time.Time
	Last  time.Time

	// ResourceVersion is that of the last acknowledged write, a precondition of an Update; 0: none. (Since Kubernetes 1.35
	// resource versions are decimal integers: apimachinery pkg/util/resourceversion.)
	ResourceVersion uint64
	// Mark is that of the sink's last Answer which said Done or Exists for this event, or MaybeStored; 0 before the first.
	Mark uint8

	// Ticket belongs to the correlator; sinks leave it alone.
	Ticket Ticket
}

// Ticket ties a Write to the state it was made from.
type Ticket struct {
	Identity   uint32
	Generation uint32
	Object     uint32 // a hash of the regarding object
	Carried    uint64
}

// Outcome classes the answer to a Write.
type Outcome uint8

const (
	// Done: the write is stored.
	Done Outcome = iota + 1
	// Retry: not now (transport, 5xx, 429, conflict, time-out, 401); the same is tried again with the count of then.
	Retry
	// Gone: the event to update no longer exists; it is created anew with the cumulative count.
	Gone
	// Exists: an event of this name is there already, which is an earlier attempt of ours that arrived; it is updated.
	Exists
	// RefusedQuietly: it can't be stored, and nobody need be told (the namespace is terminating or gone).
	RefusedQuietly
	// Forbidden: an authorizer refused it for want of a right, which Answer.Missing names. That is in doubt until it has
	// answered nothing else for ForbiddenDoubt.
	Forbidden
	// Refused: it can't be stored (the server finds it invalid); logged.
	Refused
)

var outcomeTexts = [...]string{
	Done: "done", Retry: "retry", Gone: "gone", Exists: "exists",
	RefusedQuietly: "refused quietly", Forbidden: "forbidden", Refused: "refused",
}

// String is the outcome's name.
func (o Outcome) String() string {
	if int(o) < len(outcomeTexts) && outcomeTexts[o] != "" {
		return outcomeTexts[o]
	}
	return "unknown"
}

// Scope is how far the cause of an answer may reach. Larger values contain smaller ones.
type Scope uint8

const (
	// ScopeUnknown: the answer does not tell how far its cause reaches. It may reach as far as ScopeServer.
	ScopeUnknown Scope = iota
	// ScopeWrite: this one write. The answer says nothing about any other write, nor about the server: the write is too large
	// or invalid, or the client ended it by itself (its own request budget, its own context).
	ScopeWrite
	// ScopeObject: the writes about one object (Write.Regarding), or to one stored event.
	ScopeObject
	// ScopeNamespace: the writes into one namespace (Write.Namespace). If the sink writes through several API groups, a
	// Forbidden answer of this scope speaks only of the API group in Answer.Missing.
	ScopeNamespace
	// ScopeGroup: the writes through one API group, in every namespace. Answers with equal Mark went through the same group.
	ScopeGroup
	// ScopeServer: every write of the sink.
	ScopeServer
)

var scopeTexts = [...]string{
	ScopeUnknown: "unknown", ScopeWrite: "write", ScopeObject: "object", ScopeNamespace: "namespace",
	ScopeGroup: "API group", ScopeServer: "server",
}

// String is the scope's name.
func (s Scope) String() string {
	if int(s) < len(scopeTexts) {
		return scopeTexts[s]
	}
	return scopeTexts[ScopeUnknown]
}

// ForbiddenDoubt is how long an authorizer must answer a {namespace, API group} with nothing but Forbidden until the right
// is taken to be missing. For some 200 ms after it begins to serve, a kube-apiserver refuses everybody in the same words,
// because its roles are not loaded yet.
const ForbiddenDoubt = 30 * time.Second

// Right is what an authorizer found missing, in the terms of a Role's rule.
type Right struct {
	// User is who was refused, as the server names them; empty if the answer did not tell.
	User string
	// Verb is "create" or "patch", Resource "events".
	Verb     string
	Resource string
	// Group is the API group: "" or "events.k8s.io".
	Group string
	// Namespace is the namespace of the event.
	Namespace string
}

// Answer is what became of a Write. A sink that can't tell leaves a field at its zero value, which promises nothing.
type Answer struct {
	Outcome Outcome
	// Scope is the widest that the answer may speak of: its cause reaches no further, but may well reach less far. One 500
	// may be about one object or about the whole storage. It is meaningful unless Done.
	Scope Scope
	// Limited says, with Retry, that the server takes calls at a rate and this one was beyond it: EventRateLimit, API
	// priority and fairness, the number of requests in flight. Others of the same Scope are let in at that rate, so it is
	// no sign of a server that is away. Nothing was stored.
	Limited bool
	// Missing is, with Forbidden, the right that the authorizer found missing; nil if the sink can't tell. A Forbidden
	// answer always comes from an authorizer and is in doubt on its own (ForbiddenDoubt). What admission refuses (a policy,
	// a webhook, a namespace that ends) is beyond doubt: Refused or RefusedQuietly, whatever its HTTP code.
	Missing *Right
	// MaybeStored says, with Retry, that the write may have been stored all the same (a reply that was lost, a 5xx).
	MaybeStored bool
	// Conflict says, with Retry, that the precondition failed: the next try goes without one.
	Conflict bool
	// RetryAfter is the least time to wait before the next try, if the server said one; at most the longest interval of the
	// schedule is waited.
	RetryAfter time.Duration
	// ResourceVersion is the event's, after Done; 0: not known.
	ResourceVersion uint64
	// Mark is kept with the event and given back with each later Write of it. A sink that writes through several API groups
	// gives each a mark of its own.
	Mark uint8
	// Err says what happened, unless Done.
	Err error
}
