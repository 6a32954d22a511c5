package main

// scopes are the clauses of the promise that trouble has a scope.
var scopes = []clauses{{dispatch, promise}}

// noise lists the rules of docs/catalog.md on interval, note: latest, limits and alsoOn.
var noise = []clauses{
	{policies, []broken{
		{"two writes of one event start an interval apart", "schedule.go", `		return fixed
	}
	return c.interval(i.Step)`, `		return fixed / 2
	}
	return c.interval(i.Step)`},
		{"the first write starts at once", "schedule.go", `fixed > 0 && i.Step > 0`, `fixed > 0`},
		{"an interval is at most half of EventTTL", "schedule.go", `min(def.Correlation.Interval, c.opts.EventTTL/2)`, `def.Correlation.Interval`},
		{"an identity is remembered for its interval", "schedule.go", `max(c.window(i.Definition), c.fixedInterval(i.Definition))`, `c.window(i.Definition)`},
		{"Shutdown lifts the interval", "schedule.go", `if c.draining && a.Attempts == 0 {`, `if c.draining && a.Attempts == 0 && a.Definition.Correlation.Interval == 0 {`},
		{"an identity keeps the arguments of its latest occurrence", "schedule.go", `i.Definition.Correlation.LatestNote`, `false`},
		{"a write says that its note is the latest", "render.go", `w.LatestNote = i.Definition.Correlation.LatestNote && !w.Aggregate`, `w.LatestNote = false`},
		{"a create or an update takes a token", "waiting.go", `limit == nil || a.Paid || c.draining`, `limit == nil || a.Paid || a.Created() || c.draining`},
		{"what is tried again takes no token", "waiting.go", `		a.Paid = true
		return true`, `		return true`},
		{"the next write takes a token of its own", "answer.go", `a.Carried, a.Attempts, a.Failed, a.Paid = 0, 0, false, false`, `a.Carried, a.Attempts, a.Failed = 0, 0, false`},
		{"Warnings get tokens first", "buckets.go", `return q[i].warning
`, `return q[j].warning
`},
		{"who is due first gets the next token", "buckets.go", `return q[i].due < q[j].due`, `return q[i].due > q[j].due`},
		{"a newcomer takes no token past those that wait", "buckets.go", `len(t.queue) == 0 && t.take(now)`, `t.take(now)`},
		{"a bucket holds no more than its burst", "buckets.go", `time.Duration(max(l.Burst, 1))`, `time.Duration(max(l.Burst, 1) + 1)`},
		{"a token is earned at the rate", "buckets.go", `min(max(l.Every, 1), maxBudget/burst)`, `min(max(l.Every/2, 1), maxBudget/burst)`},
		{"what waits for a token frees its place in the order of its object", "waiting.go", `	c.unqueue(a)
	w := &waiter`, `	w := &waiter`},
		{"what waits for longer than its limit allows is lost", "waiting.go", `	if limit.Wait > 0 {
`, `	if false {
`},
		{"what is lost to a limit is counted as such", "waiting.go", `&c.counts.Lost.Limited`, `&c.counts.Lost.Refused`},
		{"Shutdown waits for no token", "waiting.go", `a.Paid || c.draining`, `a.Paid`},
	}},
	{shared, []broken{
		{"one bucket holds for all shards", "options.go", `	if o.Correlator.Buckets == nil {
`, `	if false {
`},
		{"what is lost to a limit is logged", "watch.go", `	b.say.limited(lost, stats.Pending)
`, ``},
	}},
	{definitions, []broken{
		{"an event with an interval shares limits with no other definition", "definition.go", `return c.Interval > 0 || c.Limit != nil`, `return c.Limit != nil`},
		{"an event with a limit shares limits with no other definition", "definition.go", `return c.Interval > 0 || c.Limit != nil`, `return c.Interval > 0`},
		{"each object has an event of its own", "target.go", `	for i := range targets {
		if records(targets, i) {
			r.EmitNew(`, `	for i := range targets[:1] {
		if records(targets, i) {
			r.EmitNew(`},
		{"an object that is nil gets no event", "target.go", `	if i > 0 {
		return false
	}
`, ``},
		{"a call whose objects are all nil is rejected once", "target.go", `			return false
		}
	}
	return true
`, `			return false
		}
	}
	return false
`},
		{"an object whose methods panic is no nil", "target.go", `return !o.present && (o.source == nil || isNilPointer(o.source))`, `return !o.present`},
	}},
	{forms, []broken{
		{"in events.k8s.io the latest note is an annotation", "patch.go", `return f == EventsV1 && w.LatestNote && !w.Aggregate`, `return false`},
		{"in core/v1 the message becomes the latest note", "patch.go", `return w.Aggregate || w.LatestNote`, `return w.Aggregate`},
	}},
}

// The suites that hold what catalogs say of noise.
var (
	policies = suite{folder: "runtime/correlator", skip: "TestAMillionObjects|TestSimulatedServerIsTheRealOne|Fuzz", flags: simulation, also: []suite{simulated}}
	shared   = suite{folder: "runtime/broadcaster", only: "TestSimulation|TestALimit", flags: []string{"-sim.seed=1", "-sim.histories=200"}}
	// simulated is the broadcaster's simulation alone.
	simulated   = suite{folder: "runtime/broadcaster", only: "TestSimulation", flags: []string{"-sim.seed=1", "-sim.histories=200"}}
	definitions = suite{folder: "runtime", flags: noFailFile, also: []suite{{folder: "runtime/correlator", skip: "TestAMillionObjects|TestSimulatedServerIsTheRealOne|Fuzz", flags: simulation}}}
	forms       = suite{folder: "runtime/internal/form", also: []suite{{folder: "runtime/sink"}, {folder: "runtime/sink/kube"}}}
)
