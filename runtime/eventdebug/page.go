package eventdebug

import (
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
)

// Page is the shown state, in the form of the JSON. Durations are in seconds.
type Page struct {
	Time    time.Time `json:"time"`
	State   string    `json:"state"` // recording, disabled or ended
	Account Account   `json:"account"`
	// Filter are the rules of the filter in force. FilterError is the mistake in the filter's file,
	// if there is one.
	Filter      []FilterRule `json:"filter"`
	FilterError string       `json:"filterError,omitempty"`
	// Troubles are the scopes that take no events for now. Without one all are open.
	Troubles []Trouble     `json:"troubles"`
	Reasons  []ReasonNoise `json:"noisiestReasons"`
	Objects  []ObjectNoise `json:"noisiestObjects"`
	Waiting  []Waiting     `json:"waiting"`
	// Writers are the keys of the annotations in which events keep how many of their occurrences
	// were recorded here.
	Writers  []string  `json:"writers"`
	Refusals []Refusal `json:"refusals"`
	// Rejections are events that were never sent: unusable ones, and those that came after
	// Shutdown.
	Rejections []Rejection `json:"rejections"`
}

// Account is recorded = written + pending + lost.
type Account struct {
	Recorded   uint64 `json:"recorded"`
	Written    uint64 `json:"written"`
	Pending    uint64 `json:"pending"`
	Lost       []Loss `json:"lost"` // every cause
	LostInAll  uint64 `json:"lostTotal"`
	Creates    uint64 `json:"creates"`
	Updates    uint64 `json:"updates"`
	Retries    uint64 `json:"retries"`
	Failures   uint64 `json:"failures"`
	InFlight   int    `json:"inFlight"`
	Stuck      int    `json:"stuck"`
	Identities int    `json:"identities"`
	Objects    int    `json:"objects"`
	Bytes      int64  `json:"bytes"`
}

// Loss is a cause of losses, and the number of occurrences lost.
type Loss struct {
	Cause string `json:"cause"`
	Count uint64 `json:"count"`
}

// FilterRule is a rule of the filter, and the number of events that it dropped.
type FilterRule struct {
	Rule    string `json:"rule"`
	Dropped uint64 `json:"dropped"`
}

// Object is a regarding object.
type Object struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// Trouble is a scope that takes no events.
type Trouble struct {
	Scope     string  `json:"scope"`
	Namespace string  `json:"namespace,omitempty"`
	Seconds   float64 `json:"seconds"`
	Error     string  `json:"error,omitempty"`
}

// ReasonNoise counts the held occurrences of a {reason, kind}.
type ReasonNoise struct {
	Type        string `json:"type"`
	Reason      string `json:"reason"`
	APIVersion  string `json:"apiVersion,omitempty"`
	Kind        string `json:"kind"`
	Occurrences uint64 `json:"occurrences"`
	Events      int    `json:"events"`
}

// ObjectNoise counts the held occurrences of an object.
type ObjectNoise struct {
	Object      Object `json:"object"`
	Occurrences uint64 `json:"occurrences"`
	Events      int    `json:"events"`
}

// Waiting is an event with occurrences that are not written yet.
type Waiting struct {
	Type      string  `json:"type"`
	Reason    string  `json:"reason"`
	Name      string  `json:"name"` // of the event
	Object    Object  `json:"object"`
	Aggregate bool    `json:"aggregate,omitempty"`
	Pending   uint64  `json:"pending"`
	Seconds   float64 `json:"seconds"`
	Attempts  int     `json:"attempts,omitempty"`
	State     string  `json:"state"` // waiting, being written or stuck
}

// Refusal is a write that the server refused.
type Refusal struct {
	Time    time.Time `json:"time"`
	Times   int       `json:"times"`
	Outcome string    `json:"outcome"`
	Type    string    `json:"type"`
	Reason  string    `json:"reason"`
	Object  Object    `json:"object"`
	Error   string    `json:"error,omitempty"`
	Rule    *Rule     `json:"rule,omitempty"`
}

// Rejection is an event that the recorder rejected.
type Rejection struct {
	Time    time.Time `json:"time"`
	Times   int       `json:"times"`
	Problem string    `json:"problem"`
	Type    string    `json:"type"`
	Reason  string    `json:"reason"`
	Object  Object    `json:"object"`
}

// Rule is a rule to add to a Role of the namespace, or to a ClusterRole.
type Rule struct {
	User      string   `json:"user,omitempty"`
	Namespace string   `json:"namespace"`
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

func pageOf(s *broadcaster.Snapshot) *Page {
	p := &Page{
		Time: s.Time.UTC(), State: "recording", Account: accountOf(&s.Stats),
		Filter: []FilterRule{}, FilterError: s.FilterErr,
		Troubles: []Trouble{}, Reasons: []ReasonNoise{}, Objects: []ObjectNoise{}, Waiting: []Waiting{}, Refusals: []Refusal{}, Rejections: []Rejection{},
	}
	p.Writers = append([]string{}, s.Writers...)
	switch {
	case s.Ended:
		p.State = "ended"
	case s.Disabled:
		p.State = "disabled"
	}
	for _, r := range s.Filter {
		p.Filter = append(p.Filter, FilterRule(r))
	}
	for _, t := range s.Troubles {
		p.Troubles = append(p.Troubles, Trouble{t.Scope, t.Namespace, seconds(t.For), t.Err})
	}
	for _, n := range s.Reasons {
		p.Reasons = append(p.Reasons, ReasonNoise(n))
	}
	for i := range s.Objects {
		n := &s.Objects[i]
		p.Objects = append(p.Objects, ObjectNoise{objectOf(&n.Regarding), n.Occurrences, n.Events})
	}
	for i := range s.Waiting {
		p.Waiting = append(p.Waiting, waitingOf(&s.Waiting[i]))
	}
	for i := range s.Refusals {
		p.Refusals = append(p.Refusals, refusalOf(&s.Refusals[i]))
	}
	for i := range s.Rejections {
		r := &s.Rejections[i]
		p.Rejections = append(p.Rejections, Rejection{r.Time.UTC(), r.Times, r.Problem, r.Type, r.Reason, objectOf(&r.Regarding)})
	}
	return p
}

func accountOf(s *eventrt.Stats) Account {
	return Account{
		Recorded: s.Recorded, Written: s.Written, Pending: s.Pending, LostInAll: s.Lost.Total(),
		Lost: []Loss{
			{"rejected", s.Lost.Rejected}, {"shed", s.Lost.Shed}, {"refused", s.Lost.Refused},
			{"unacknowledged", s.Lost.Unacknowledged}, {"shutdown", s.Lost.Shutdown}, {"limited", s.Lost.Limited}, {"disabled", s.Lost.Disabled},
		},
		Creates: s.Creates, Updates: s.Updates, Retries: s.Retries, Failures: s.Failures, InFlight: s.InFlight, Stuck: s.Stuck,
		Identities: s.Identities, Objects: s.Objects, Bytes: s.Bytes,
	}
}

func waitingOf(w *broadcaster.Waiting) Waiting {
	state := "waiting"
	switch {
	case w.InFlight:
		state = "being written"
	case w.Stuck:
		state = "stuck"
	}
	return Waiting{
		Type: w.Type, Reason: w.Reason, Name: w.Name, Object: objectOf(&w.Regarding), Aggregate: w.Aggregate,
		Pending: w.Pending, Seconds: seconds(w.For), Attempts: w.Attempts, State: state,
	}
}

func refusalOf(r *broadcaster.Refusal) Refusal {
	shown := Refusal{
		Time: r.Time.UTC(), Times: r.Times, Outcome: r.Outcome, Type: r.Type, Reason: r.Reason, Object: objectOf(&r.Regarding), Error: r.Err,
	}
	if m := r.Missing; m != nil {
		shown.Rule = &Rule{
			User: m.User, Namespace: m.Namespace,
			APIGroups: []string{m.Group}, Resources: []string{m.Resource}, Verbs: apiserver.RoleVerbs(m),
		}
	}
	return shown
}

func objectOf(r *eventrt.ObjectRef) Object {
	return Object{APIVersion: r.APIVersion, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// seconds has three digits behind the point.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
