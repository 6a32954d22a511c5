package sink

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Sink stores events. It knows a protocol and nothing about merging or schedules.
//
// A sink need not be able to Read. It then answers a Read with Refused, and an event whose name is
// taken gets another name.
//
// Write is called by several goroutines at once, never twice at once for one object. It must return
// when ctx ends. It must not keep the Write or any slice in it after it has returned, and must not
// change it. It classifies the outcome, because only the sink knows what an answer of its protocol
// means. A panic is a refusal of a write that may be stored.
type Sink interface {
	Write(ctx context.Context, w *Write) Answer
}

// Operation is the kind of a Write.
type Operation uint8

const (
	// Create makes the event; Count is the number of occurrences so far.
	Create Operation = iota + 1
	// Update raises the count of the event to Count.
	Update
	// Read changes nothing, and asks for the event that is stored under the name: Done with
	// Answer.Stored, or Gone.
	Read
)

// WriterAnnotation begins the keys of the annotations in which writers of an event keep their
// counts: one key for each writer, ended by the writer's id. Ids of later writers are larger.
const WriterAnnotation = "event-gen.github.io/w-"

// Annotations of an event that stands for several distinct ones.
const (
	// DistinctMessagesAnnotation holds the number of distinct messages that the event stands for;
	// "1024+" if there are more than 1024.
	DistinctMessagesAnnotation = "event-gen.github.io/distinct-messages"
	// LastMessageAnnotation holds the last of them.
	LastMessageAnnotation = "event-gen.github.io/last-message"
)

// LatestNoteAnnotation holds the note of the latest occurrence (Write.LatestNote) of an event of
// events.k8s.io/v1 that was updated.
const LatestNoteAnnotation = "event-gen.github.io/latest-note"

// Write is one request to a sink: the whole event, rendered, with absolute counts, so that a
// repeated write does no harm. Its slices are valid during the call only.
type Write struct {
	Operation Operation
	// Namespace and Name identify the stored event: a DNS-1123 label and a DNS-1123 subdomain.
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
	// Annotations are sorted by key. In an Update they are those that change. Dropped are the keys
	// of those that an Update removes.
	Annotations []eventrt.Annotation
	Dropped     []string
	// Labels are sorted by key, and set by a Create alone.
	Labels []eventrt.Annotation
	// Aggregate is true if the event stands for several distinct events.
	Aggregate bool
	// LatestNote is true if Note comes from the latest occurrence. An Update stores it: in core/v1
	// as the message, in events.k8s.io/v1, where the note never changes, as LatestNoteAnnotation.
	LatestNote bool
	// Joins is true if an Update joins an event that others have written, too. In core/v1 it then
	// stores First and Note as well.
	Joins bool

	// Count is the number of occurrences that the event stands for, from 1 to MaxInt32.
	Count int32
	// First and Last are the times of the first and the last occurrence; Last never goes back.
	First time.Time
	Last  time.Time

	// ResourceVersion comes from the last acknowledged write, and is a precondition of an Update;
	// 0: none. (Since Kubernetes 1.35 resource versions are decimal integers: apimachinery
	// pkg/util/resourceversion.)
	ResourceVersion uint64
	// Mark comes from the sink's last Answer for this event that was Done, Exists or MaybeStored; 0
	// before the first.
	Mark uint8

	// Timeout is the time after which the context of the call ends.
	Timeout time.Duration
	// Ticket names the call for the correlator; sinks leave it alone.
	Ticket uint64
}

// Outcome is the class of an answer to a Write.
type Outcome uint8

const (
	// Done: the write is stored.
	Done Outcome = iota + 1
	// Retry: not now (transport, 5xx, 429, conflict, time-out, 401); the write is tried again with
	// the current count.
	Retry
	// Gone: the event to update no longer exists; it is created anew with the cumulative count.
	Gone
	// Exists: an event of this name exists already. A Read finds out whose it is.
	Exists
	// RefusedQuietly: it can't be stored, and needs no log line (the namespace is terminating or
	// gone).
	RefusedQuietly
	// Forbidden: an authorizer refused it because a right is missing, which Answer.Missing names.
	// The denial is confirmed when the authorizer has answered nothing else for ForbiddenProbe,
	// without an outage of the server meanwhile.
	Forbidden
	// Refused: it can't be stored (the server finds it invalid); logged.
	Refused
)

var outcomeTexts = [...]string{
	Done: "done", Retry: "retry", Gone: "gone", Exists: "exists",
	RefusedQuietly: "refused quietly", Forbidden: "forbidden", Refused: "refused",
}

// String returns the outcome's name.
func (o Outcome) String() string {
	if int(o) < len(outcomeTexts) && outcomeTexts[o] != "" {
		return outcomeTexts[o]
	}
	return "unknown"
}

// Scope is the part of the server that the cause of an answer may concern. Larger values contain
// smaller ones.
type Scope uint8

const (
	// ScopeUnknown: the answer does not show how far its cause reaches. It may reach as far as
	// ScopeServer.
	ScopeUnknown Scope = iota
	// ScopeWrite: this one write. The answer says nothing about any other write, nor about the
	// server: the write is too large or invalid, or the client ended the call itself (its own
	// request budget, its own context).
	ScopeWrite
	// ScopeObject: the writes about one object (Write.Regarding), or of one stored event.
	ScopeObject
	// ScopeNamespace: the writes into one namespace (Write.Namespace). If the sink writes through
	// several API groups, a Forbidden answer of this scope concerns only the API group in
	// Answer.Missing.
	ScopeNamespace
	// ScopeGroup: the writes through one API group, in every namespace. Answers with equal Mark
	// went through the same group.
	ScopeGroup
	// ScopeServer: every write of the sink.
	ScopeServer
)

var scopeTexts = [...]string{
	ScopeUnknown: "unknown", ScopeWrite: "write", ScopeObject: "object", ScopeNamespace: "namespace",
	ScopeGroup: "API group", ScopeServer: "server",
}

// String returns the scope's name.
func (s Scope) String() string {
	if int(s) < len(scopeTexts) {
		return scopeTexts[s]
	}
	return scopeTexts[ScopeUnknown]
}

// ForbiddenProbe is the time for which an authorizer must answer a {namespace, API group} with
// nothing but Forbidden before the right counts as missing. For some 200 ms after it begins to
// serve, a kube-apiserver refuses everybody in the same words, because its roles are not loaded
// yet.
const ForbiddenProbe = 30 * time.Second

// Right is a right that an authorizer found missing, in the terms of a Role's rule.
type Right struct {
	// User is the refused user, as the server names them; empty if the answer does not contain it.
	User string
	// Verb is "create" or "patch", Resource "events".
	Verb     string
	Resource string
	// Group is the API group: "" or "events.k8s.io".
	Group string
	// Namespace is the namespace of the event.
	Namespace string
}

// Answer is the result of a Write. A sink leaves a field that it can't know at the zero value,
// which promises nothing.
type Answer struct {
	Outcome Outcome
	// Scope is the widest scope that the cause may have; the cause may well reach less far. One 500
	// may concern one object or the whole storage. It is meaningful unless Done.
	Scope Scope
	// Limited, with Retry, means that the server takes calls at a rate and this call exceeded it:
	// EventRateLimit, API priority and fairness, the number of requests in flight. The server
	// accepts other calls of the same Scope at that rate, so this is no sign of an outage. Nothing
	// was stored.
	Limited bool
	// Missing, with Forbidden, is the right that the authorizer found missing; nil if the sink does
	// not know it. A Forbidden answer always comes from an authorizer, and is unconfirmed at first
	// (ForbiddenProbe). A refusal of admission (a policy, a webhook, a namespace that ends) is
	// final: Refused or RefusedQuietly, whatever its HTTP code.
	Missing *Right
	// MaybeStored, with Retry or Refused, means that the write may have been stored all the same (a
	// lost reply, a 5xx, a panic).
	MaybeStored bool
	// Conflict, with Retry, means that the precondition failed: a Read finds out what is stored.
	Conflict bool
	// RetryAfter is the server's least time before the next try, if it gave one. The correlator
	// waits at most the longest interval of its schedule.
	RetryAfter time.Duration
	// ResourceVersion is the event's, after Done; 0: not known.
	ResourceVersion uint64
	// Stored, after a Read that is Done, is the event as the core group shows it. Its UID tells it
	// from an event of the same name that has expired. Mark is then that of the event's form.
	Stored *corev1.Event
	// Mark is kept with the event and returned with each later Write of the event. A sink that
	// writes through several API groups gives each a mark of its own.
	Mark uint8
	// Invalid, with Refused after an Update, means that nobody can update the event like this: what
	// is pending goes into a new event at once. Without it an update is tried again for 30 s first,
	// since the cause may pass.
	Invalid bool
	// Err describes the failure, unless Done.
	Err error
}
