package eventdebug

import (
	"iter"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
)

// page is the shown state, in the form of the JSON. Durations are in seconds.
type page struct {
	Time    time.Time `json:"time"`
	State   string    `json:"state"` // recording, disabled or ended
	Account account   `json:"account"`
	// Filter are the rules of the filter in force. FilterError is the mistake in the filter's file,
	// if there is one.
	Filter      []filterRule `json:"filter"`
	FilterError string       `json:"filterError,omitempty"`
	// Troubles are the scopes that take no events for now. Without one all are open.
	Troubles []trouble     `json:"troubles"`
	Reasons  []reasonNoise `json:"noisiestReasons"`
	Objects  []objectNoise `json:"noisiestObjects"`
	Waiting  []waiting     `json:"waiting"`
	// Writers are the keys of the annotations in which events keep how many of their occurrences
	// were recorded here.
	Writers  []string  `json:"writers"`
	Refusals []refusal `json:"refusals"`
	// Rejections are events that were never sent: unusable ones, and those that came after
	// Shutdown.
	Rejections []rejection `json:"rejections"`
}

// account is recorded = written + pending + lost.
type account struct {
	Recorded   uint64 `json:"recorded"`
	Written    uint64 `json:"written"`
	Pending    uint64 `json:"pending"`
	Lost       []loss `json:"lost"` // every cause
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

// loss is a cause of losses, and the number of occurrences lost.
type loss struct {
	Cause string `json:"cause"`
	Count uint64 `json:"count"`
}

// filterRule is a rule of the filter, and the number of events that it dropped.
type filterRule struct {
	Rule    string `json:"rule"`
	Dropped uint64 `json:"dropped"`
}

// ruled is a filter with rules to show, such as *eventfilter.Filter.
type ruled interface {
	Rules() iter.Seq2[string, uint64] // the text of each, and what it has dropped
	Err() error                       // of the file with the rules
}

// object is a regarding object.
type object struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// trouble is a scope that takes no events.
type trouble struct {
	Scope     string  `json:"scope"`
	Namespace string  `json:"namespace,omitempty"`
	Seconds   float64 `json:"seconds"`
	Error     string  `json:"error,omitempty"`
}

// reasonNoise counts the held occurrences of a {reason, kind}.
type reasonNoise struct {
	Type        string `json:"type"`
	Reason      string `json:"reason"`
	APIVersion  string `json:"apiVersion,omitempty"`
	Kind        string `json:"kind"`
	Occurrences uint64 `json:"occurrences"`
	Events      int    `json:"events"`
}

// objectNoise counts the held occurrences of an object.
type objectNoise struct {
	Object      object `json:"object"`
	Occurrences uint64 `json:"occurrences"`
	Events      int    `json:"events"`
}

// waiting is an event with occurrences that are not written yet.
type waiting struct {
	Type      string  `json:"type"`
	Reason    string  `json:"reason"`
	Name      string  `json:"name"` // of the event
	Object    object  `json:"object"`
	Aggregate bool    `json:"aggregate,omitempty"`
	Pending   uint64  `json:"pending"`
	Seconds   float64 `json:"seconds"`
	Attempts  int     `json:"attempts,omitempty"`
	State     string  `json:"state"` // waiting, being written or stuck
}

// refusal is a write that the server refused.
type refusal struct {
	Time    time.Time `json:"time"`
	Times   int       `json:"times"`
	Outcome string    `json:"outcome"`
	Type    string    `json:"type"`
	Reason  string    `json:"reason"`
	Object  object    `json:"object"`
	Error   string    `json:"error,omitempty"`
	Rule    *rule     `json:"rule,omitempty"`
}

// rejection is an event that the recorder rejected.
type rejection struct {
	Time    time.Time `json:"time"`
	Times   int       `json:"times"`
	Problem string    `json:"problem"`
	Type    string    `json:"type"`
	Reason  string    `json:"reason"`
	Object  object    `json:"object"`
}

// rule is a rule to add to a Role of the namespace, or to a ClusterRole.
type rule struct {
	User      string   `json:"user,omitempty"`
	Namespace string   `json:"namespace"`
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

func pageOf(s *broadcaster.Snapshot) *page {
	p := &page{
		Time: s.Time.UTC(), State: "recording", Account: accountOf(&s.Stats),
		Filter:   []filterRule{},
		Troubles: []trouble{}, Reasons: []reasonNoise{}, Objects: []objectNoise{}, Waiting: []waiting{}, Refusals: []refusal{}, Rejections: []rejection{},
	}
	p.Writers = append([]string{}, s.Writers...)
	switch {
	case s.Ended:
		p.State = "ended"
	case s.Disabled:
		p.State = "disabled"
	}
	for _, f := range s.Filters {
		f, ok := f.(ruled)
		if !ok {
			continue
		}
		for rule, dropped := range f.Rules() {
			p.Filter = append(p.Filter, filterRule{rule, dropped})
		}
		if err := f.Err(); err != nil {
			p.FilterError = err.Error()
		}
	}
	for _, t := range s.Troubles {
		p.Troubles = append(p.Troubles, trouble{scopeOf(t.Namespace), t.Namespace, seconds(t.For), t.Err})
	}
	for _, n := range s.Reasons {
		p.Reasons = append(p.Reasons, reasonNoise{n.Type, n.Reason, n.Regarding.APIVersion, n.Regarding.Kind, n.Occurrences, n.Events})
	}
	for i := range s.Objects {
		n := &s.Objects[i]
		p.Objects = append(p.Objects, objectNoise{objectOf(&n.Regarding), n.Occurrences, n.Events})
	}
	for i := range s.Waiting {
		p.Waiting = append(p.Waiting, waitingOf(&s.Waiting[i]))
	}
	for i := range s.Refusals {
		p.Refusals = append(p.Refusals, refusalOf(&s.Refusals[i]))
	}
	for i := range s.Rejections {
		r := &s.Rejections[i]
		p.Rejections = append(p.Rejections, rejection{r.Time.UTC(), r.Times, r.Err, r.Type, r.Reason, objectOf(&r.Regarding)})
	}
	return p
}

func accountOf(s *eventrt.Stats) account {
	return account{
		Recorded: s.Recorded, Written: s.Written, Pending: s.Pending, LostInAll: s.Lost.Total(),
		Lost: []loss{
			{"rejected", s.Lost.Rejected}, {"shed", s.Lost.Shed}, {"refused", s.Lost.Refused},
			{"unacknowledged", s.Lost.Unacknowledged}, {"shutdown", s.Lost.Shutdown}, {"limited", s.Lost.Limited}, {"disabled", s.Lost.Disabled},
		},
		Creates: s.Creates, Updates: s.Updates, Retries: s.Retries, Failures: s.Failures, InFlight: s.InFlight, Stuck: s.Stuck,
		Identities: s.Identities, Objects: s.Objects, Bytes: s.Bytes,
	}
}

func waitingOf(w *broadcaster.Waiting) waiting {
	state := "waiting"
	switch {
	case w.InFlight:
		state = "being written"
	case w.Stuck:
		state = "stuck"
	}
	return waiting{
		Type: w.Type, Reason: w.Reason, Name: w.Name, Object: objectOf(&w.Regarding), Aggregate: w.Aggregate,
		Pending: w.Pending, Seconds: seconds(w.For), Attempts: w.Attempts, State: state,
	}
}

func refusalOf(r *broadcaster.Refusal) refusal {
	shown := refusal{
		Time: r.Time.UTC(), Times: r.Times, Outcome: r.Outcome, Type: r.Type, Reason: r.Reason, Object: objectOf(&r.Regarding), Error: r.Err,
	}
	if m := r.Missing; m != nil {
		shown.Rule = &rule{
			User: m.User, Namespace: m.Namespace,
			APIGroups: []string{m.Group}, Resources: []string{m.Resource}, Verbs: apiserver.RoleVerbs(m),
		}
	}
	return shown
}

func scopeOf(namespace string) string {
	if namespace == "" {
		return "server"
	}
	return "namespace"
}

func objectOf(r *eventrt.ObjectRef) object {
	return object{APIVersion: r.APIVersion, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// seconds has three digits behind the point.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }
