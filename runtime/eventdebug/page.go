package eventdebug

import (
	"iter"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
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
	// RefusedLately is the number of writes refused in the last ten minutes.
	RefusedLately int `json:"refusedInTenMinutes"`
	// Skipped is that of broadcaster.Snapshot.
	Skipped uint64 `json:"skippedCalls"`
	// Rejections are events that were never sent: unusable ones, and those that came after
	// Shutdown.
	Rejections []rejection `json:"rejections"`
}

// account is recorded = written + pending + lost.
type account struct {
	Recorded  uint64 `json:"recorded"`
	Written   uint64 `json:"written"`
	Pending   uint64 `json:"pending"`
	Lost      []loss `json:"lost"` // every cause
	LostInAll uint64 `json:"lostTotal"`
	Creates   uint64 `json:"creates"`
	Updates   uint64 `json:"updates"`
	Retries   uint64 `json:"retries"`
	Failures  uint64 `json:"failures"`
	// LabelsLeftOut counts labels that new events lack, because the server would refuse them.
	LabelsLeftOut uint64 `json:"labelsLeftOut"`
	InFlight      int    `json:"inFlight"`
	// OldestSeconds is how long the oldest write in flight has had no answer.
	OldestSeconds float64 `json:"oldestInFlightSeconds"`
	Failing       int     `json:"failing"`
	Identities    int     `json:"identities"`
	Objects       int     `json:"objects"`
	Bytes         int64   `json:"bytes"`
	MaxBytes      int64   `json:"maxBytes"`
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
	State     string  `json:"state"` // waiting, being written or failing
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
	missing sink.Right
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

// state joins what all broadcasters hold. It is disabled, or ended, if all of them are.
func (p *Page) state() *page {
	s := &page{
		Time: time.Now().UTC(), Filter: []filterRule{}, Troubles: []trouble{}, Writers: []string{},
		Refusals: p.refusals.list(), RefusedLately: p.refusals.lately(time.Now()), Rejections: []rejection{},
	}
	all := p.broadcasters()
	v := survey{reasons: map[reasonKey]*reasonNoise{}, objects: map[corev1.ObjectReference]*objectNoise{}, waiting: []waiting{}}
	var sum eventrt.Stats
	var filters []broadcaster.Filter
	states, maxBytes, oldest := map[string]int{}, int64(0), time.Duration(0)
	for _, b := range all {
		one := b.Snapshot()
		sum.Add(&one.Stats)
		maxBytes += one.MaxBytes
		oldest = max(oldest, one.OldestCall)
		s.Skipped += one.Skipped
		states[one.State]++
		filters = append(filters, one.Filters...)
		for _, t := range one.Troubles {
			s.Troubles = append(s.Troubles, trouble{scopeOf(t.Namespace), t.Namespace, seconds(t.For), t.Err})
		}
		s.Writers = append(s.Writers, one.Writers...)
		for state := range b.States() {
			v.add(state)
		}
	}
	s.State, s.Account = "recording", accountOf(&sum)
	s.Account.MaxBytes, s.Account.OldestSeconds = maxBytes, seconds(oldest)
	switch len(all) {
	case 0: // none has begun
	case states["ended"]:
		s.State = "ended"
	case states["ended"] + states["disabled"]:
		s.State = "disabled"
	}
	s.filters(filters)
	s.Reasons, s.Objects, s.Waiting = v.noisiestReasons(), v.noisiestObjects(), v.waiting
	for _, r := range p.rejections.list() {
		s.Rejections = append(s.Rejections, rejection{r.Time, r.Times, r.Error, r.Type, r.Reason, r.Object})
	}
	return s
}

// filters lists the rules of filters. Several broadcasters may have the same one.
func (s *page) filters(all []broadcaster.Filter) {
	for i, f := range all {
		f, ok := f.(ruled)
		if !ok || slices.Contains(all[:i], all[i]) {
			continue
		}
		for rule, dropped := range f.Rules() {
			s.Filter = append(s.Filter, filterRule{rule, dropped})
		}
		if err := f.Err(); err != nil {
			s.FilterError = err.Error()
		}
	}
}

func accountOf(s *eventrt.Stats) account {
	return account{
		Recorded: s.Recorded, Written: s.Written, Pending: s.Pending, LostInAll: s.Lost.Total(),
		Lost: []loss{
			{"rejected", s.Lost.Rejected}, {"evicted", s.Lost.Evicted}, {"refused", s.Lost.Refused},
			{"unacknowledged", s.Lost.Unacknowledged}, {"shutdown", s.Lost.Shutdown}, {"limited", s.Lost.Limited}, {"disabled", s.Lost.Disabled},
		},
		Creates: s.Creates, Updates: s.Updates, Retries: s.Retries, Failures: s.Failures,
		LabelsLeftOut: s.LabelsLeftOut, InFlight: s.InFlight, Failing: s.Failing,
		Identities: s.Identities, Objects: s.Objects, Bytes: s.Bytes,
	}
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
