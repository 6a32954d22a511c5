package eventrt

import "slices"

// Condition is the part of a condition of an object's status on which transitions depend. Generated
// code makes it from any struct that has these fields.
type Condition struct {
	Type, Status, Reason, Message string
}

// Transition is the change of a condition that an event stands for. Generated code holds them.
type Transition struct {
	Definition *Definition
	// Condition is the condition's type, Status what it becomes.
	Condition string
	Status    string
	// Reason is the reason that it becomes; empty: any.
	Reason string
	// From is the former status; empty: any, and none if the condition was not there.
	From string
}

// The names of the params that take values of a condition.
const (
	conditionReason  = "conditionReason"
	conditionMessage = "conditionMessage"
)

// Transitions records the events of the transitions of one object's conditions. It is for use by
// one goroutine.
type Transitions struct {
	rec    *Recorder
	rules  []Transition
	before []Condition
}

// Transitions remembers the conditions of an object before they change; generated code calls it.
func (r *Recorder) Transitions(rules []Transition, before []Condition) *Transitions {
	return &Transitions{rec: r, rules: rules, before: before}
}

// Record records, for each condition type of the rules, the event of the transition from the
// remembered conditions to those of stored, the object that the API server returned; and remembers
// these, so that a second call records nothing anew. An event stands for the states of a condition
// that its rule covers, unless a more specific rule covers them: one with a reason, or else one
// with a former status. It is recorded if the condition is in such a state now and was not before.
func (t *Transitions) Record(stored ClientObject, after []Condition) {
	if len(after) == 0 {
		return
	}
	for i := range after {
		if rule := decide(t.rules, find(t.before, after[i].Type), &after[i]); rule != nil {
			t.rec.EmitOf(rule.Definition, stored, nil, conditionArgs(rule.Definition, &after[i])...)
		}
	}
	t.before = after
}

// decide returns the rule of the event that a condition's change stands for; nil if there is none.
// A nil before was not there.
func decide(rules []Transition, before, after *Condition) (decides *Transition) {
	if before != nil && before.Status == after.Status && before.Reason == after.Reason {
		return nil
	}
	for i := range rules {
		r := &rules[i]
		if r.covers(after) && r.leaves(before) && (decides == nil || r.specificity() > decides.specificity()) {
			decides = r
		}
	}
	if decides == nil || !decides.covers(before) {
		return decides
	}
	withReason := func(r Transition) bool { return r.Reason != "" && r.covers(before) }
	if decides.Reason == "" && slices.ContainsFunc(rules, withReason) {
		return decides // the state before belonged to a more specific event
	}
	return nil
}

// covers reports whether a condition is in the state that a rule describes.
func (r *Transition) covers(c *Condition) bool {
	return c != nil && r.Condition == c.Type && r.Status == c.Status && (r.Reason == "" || r.Reason == c.Reason)
}

// leaves reports whether the former state is one that a rule allows.
func (r *Transition) leaves(before *Condition) bool {
	return r.From == "" || before != nil && r.From == before.Status
}

func (r *Transition) specificity() (n int) {
	if r.Reason != "" {
		n += 2
	}
	if r.From != "" {
		n++
	}
	return n
}

func find(list []Condition, conditionType string) *Condition {
	i := slices.IndexFunc(list, func(c Condition) bool { return c.Type == conditionType })
	if i < 0 {
		return nil
	}
	return &list[i]
}

// conditionArgs returns the arguments of an event's params.
func conditionArgs(def *Definition, c *Condition) []Arg {
	var args []Arg
	for i := range def.Params {
		switch def.Params[i].Name {
		case conditionReason:
			args = append(args, String(c.Reason))
		case conditionMessage:
			args = append(args, String(c.Message))
		}
	}
	return args
}
