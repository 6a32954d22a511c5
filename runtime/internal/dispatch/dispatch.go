package dispatch

import (
	"time"

	"k8s.io/utils/buffer"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/correlator"
)

// Dispatcher knows which shards have something to write in which lanes, which scopes are in trouble, and which calls are in flight. It
// is not safe for concurrent use.
type Dispatcher struct {
	opts     Options
	spaces   map[string]*space
	sweepAt  int
	byLocal  [][]*lane // by shard, then by what the shard calls the namespace, and door
	groups   [correlator.Doors]trouble
	server   trouble
	rings    [correlator.Kinds]*buffer.Ring[*lane]
	refusals *buffer.Ring[*lane]
	sick     sickScopes
	budget   budget
	slots    slots
	serial   uint64
	away     time.Duration // when the server itself failed last: a starting one refuses everybody
	draining bool
	retried  bool // the last try was one of a well lane's failing objects
}

// New returns a dispatcher with nothing to do.
func New(opts Options) *Dispatcher {
	d := &Dispatcher{
		opts: opts, spaces: map[string]*space{}, sweepAt: minSpaces, byLocal: make([][]*lane, opts.Shards),
		budget: budget{most: opts.part(4), bound: opts.Workers}, slots: newSlots(&opts), refusals: newRing(),
	}
	for k := range d.rings {
		d.rings[k] = newRing()
	}
	d.server = trouble{scope: ofServer, full: opts.most(), rests: opts.rests()}
	for door := range d.groups {
		d.groups[door] = trouble{scope: ofGroup, door: correlator.Door(door), full: opts.most(), rests: opts.rests()}
	}
	return d
}

// newRing is a queue of lanes that gives room back when it is empty.
func newRing() *buffer.Ring[*lane] {
	return buffer.NewRing[*lane](buffer.RingOptions{InitialSize: 8, NormalSize: 64})
}

// Job is the next task of a worker: one write of a shard's lane, or the refusal of everything that is due in the lane.
type Job struct {
	Shard int
	Lane  correlator.Lane
	// Refuse asks the shard to refuse everything due in the lane. The worker then calls Refused and makes no write.
	Refuse bool

	lane *lane
	slot int
	try  bool // counts in the budget of sick scopes
}

// at returns the shard's name for a lane.
func (l *lane) at(shard int, k correlator.Kind) correlator.Lane {
	return correlator.Lane{ID: l.local[shard], Namespace: l.laneKey.namespace, Door: l.door, Kind: k}
}

// Ready notes that a shard has something to write in a lane. It reports whether NextTry may be earlier now, though Busy does not report a
// job.
func (d *Dispatcher) Ready(shard int, at *correlator.Lane, now time.Duration) (sooner bool) {
	return d.ready(d.laneOf(shard, at), shard, at.Kind, now)
}

// laneOf returns the lane that a shard names. The shard may use a name again for another lane.
func (d *Dispatcher) laneOf(shard int, at *correlator.Lane) *lane {
	known, place := d.byLocal[shard], int(at.ID)*int(correlator.Doors)+int(at.Door)
	for place >= len(known) {
		known = append(known, nil)
	}
	d.byLocal[shard] = known
	l := known[place]
	if l == nil || l.namespace == nil || l.door != at.Door || l.laneKey.namespace != at.Namespace {
		l = d.lookUp(at.Namespace, at.Door)
		known[place] = l
	}
	l.local[shard] = at.ID
	return l
}

func (d *Dispatcher) ready(l *lane, shard int, k correlator.Kind, now time.Duration) (sooner bool) {
	if l.doubt.believed && (now < l.own.next || l.own.tries > 0) {
		d.refuse(l, 1<<shard)
		return false
	}
	l.ready[k] |= 1 << shard
	t := l.heldBy
	if t == nil {
		d.queue(l)
		return false
	}
	if !t.promote(l) {
		return false
	}
	d.sick.await(t)
	return true
}

// queue puts a lane into the rings of all it has.
func (d *Dispatcher) queue(l *lane) {
	for k := range l.ready {
		if l.ready[k] != 0 && !l.queued[k] {
			l.queued[k] = true
			d.rings[k].WriteOne(l)
		}
	}
}

// Busy reports whether there may be a job at once.
func (d *Dispatcher) Busy() bool {
	return d.refusals.Len() > 0 || d.rings[correlator.Warning].Len() > 0 || d.rings[correlator.Normal].Len() > 0 || d.rings[correlator.Retry].Len() > 0
}

// Relief returns when a call may begin though all workers are held up: 0 if calls are stuck already, otherwise when one will be; negative: never.
func (d *Dispatcher) Relief() time.Duration {
	at, ok := d.slots.admits()
	if ok {
		return 0
	}
	return at
}

// Drain notes that recording has ended. From then on the dispatcher believes at once that a namespace is gone.
func (d *Dispatcher) Drain() {
	d.draining = true
	d.server.vain = 0
	for i := range d.groups {
		d.groups[i].vain = 0
	}
	for _, s := range d.spaces {
		s.health.vain = 0
		for _, l := range s.lanes {
			if l != nil {
				l.own.vain = 0
			}
		}
	}
}

// Take returns the next job. If there is none, at is when there may be one without another call of Ready or Done; negative: never.
func (d *Dispatcher) Take(now time.Duration) (j Job, at time.Duration, ok bool) {
	if j, ok = d.takeRefusal(); ok {
		return j, 0, true
	}
	d.suspect(now)
	if at, ok = d.slots.admits(); !ok {
		return Job{}, at, false
	}
	for _, take := range [...]func(time.Duration) (Job, bool){d.takeTry, d.takeWarning, d.takeNormal} {
		if j, ok = take(now); ok {
			return j, 0, true
		}
	}
	return Job{}, d.NextTry(now), false
}

func (d *Dispatcher) takeWarning(now time.Duration) (Job, bool) {
	return d.takeFrom(correlator.Warning, now)
}
func (d *Dispatcher) takeNormal(now time.Duration) (Job, bool) {
	return d.takeFrom(correlator.Normal, now)
}

// takeTry returns a call for a sick scope, or for an object that has failed before, if one may begin. Lanes that are not known to fail go
// first, and the others leave them a slot.
func (d *Dispatcher) takeTry(now time.Duration) (j Job, ok bool) {
	if d.rings[correlator.Retry].Len() == 0 && len(d.sick.fresh) == 0 && len(d.sick.failing) == 0 {
		return Job{}, false
	}
	if at := d.budget.admits(now, true); at != now {
		return Job{}, false
	}
	if j, ok = d.takeSick(&d.sick.fresh, now); ok {
		return j, true
	}
	if at := d.budget.admits(now, false); at != now {
		return Job{}, false
	}
	d.retried = !d.retried
	if d.retried {
		if j, ok = d.takeFrom(correlator.Retry, now); ok {
			return j, true
		}
	}
	if j, ok = d.takeSick(&d.sick.failing, now); ok || d.retried {
		return j, ok
	}
	return d.takeFrom(correlator.Retry, now)
}

// NextTry returns when a sick scope, or an object that has failed before, may be tried; negative: not before something else happens.
func (d *Dispatcher) NextTry(now time.Duration) time.Duration {
	at := time.Duration(-1)
	if len(d.sick.fresh) > 0 {
		at = d.later(d.budget.admits(now, true), d.sick.fresh[0].due())
	}
	opens := d.budget.admits(now, false)
	if d.rings[correlator.Retry].Len() > 0 {
		at = earlier(at, d.later(opens, now))
	}
	if len(d.sick.failing) > 0 {
		at = earlier(at, d.later(opens, d.sick.failing[0].due()))
	}
	if d.slots.stuckAt != never && d.waitsForFlight() {
		at = earlier(at, d.slots.stuckAt)
	}
	return at
}

// waitsForFlight reports whether lanes wait at the server or an API group for calls in flight. Somebody must look when such a call becomes
// stuck.
func (d *Dispatcher) waitsForFlight() bool {
	waits := d.server.tries > 0 && d.server.holds()
	for i := range d.groups {
		waits = waits || d.groups[i].tries > 0 && d.groups[i].holds()
	}
	return waits
}

// later returns when a try may begin: not before the budget opens, and not before the try is due. While tries in flight fill the budget,
// it opens when one of them becomes stuck.
func (d *Dispatcher) later(opens, due time.Duration) time.Duration {
	switch {
	case opens >= 0:
		return max(opens, due)
	case d.slots.stuckAt == never:
		return -1
	}
	return max(d.slots.stuckAt, due)
}

// earlier returns the earlier of two moments; a negative moment never comes.
func earlier(a, b time.Duration) time.Duration {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	}
	return min(a, b)
}

// takeSick returns a call of the sick scope that is due first.
func (d *Dispatcher) takeSick(h *sickHeap, now time.Duration) (j Job, ok bool) {
	for len(*h) > 0 {
		t := (*h)[0]
		if t.due() > now {
			return Job{}, false
		}
		l := t.candidate()
		if l == nil {
			d.sick.remove(t)
			continue
		}
		if o := l.obstacleBeside(t, now); o != nil {
			d.hold(l, o)
			d.sick.await(t)
			continue
		}
		return d.begin(l, l.first(), now, t), true
	}
	return Job{}, false
}

// takeFrom returns the next job of a kind, from lanes in turns. A lane that must wait is held at the trouble that it waits for.
func (d *Dispatcher) takeFrom(k correlator.Kind, now time.Duration) (Job, bool) {
	for l, ok := d.rings[k].ReadOne(); ok; l, ok = d.rings[k].ReadOne() {
		l.queued[k] = false
		if l.heldBy != nil {
			continue
		}
		if l.ready[k] == 0 {
			d.divert(l)
			continue
		}
		if o := l.obstacle(); o != nil {
			d.divert(l)
			d.hold(l, o)
			continue
		}
		return d.begin(l, k, now, nil), true
	}
	return Job{}, false
}

// divert lets another lane go if this one was let go and does not use its place.
func (d *Dispatcher) divert(l *lane) {
	if t := l.from; t != nil {
		l.from = nil
		d.letGo(t, 1)
	}
}

// hold keeps a lane at a trouble.
func (d *Dispatcher) hold(l *lane, t *trouble) {
	t.hold(l)
	d.sick.await(t)
}

// begin makes the job of a lane's kind. t is the sick scope that the job tries, or nil.
func (d *Dispatcher) begin(l *lane, k correlator.Kind, now time.Duration, t *trouble) Job {
	j := Job{lane: l, try: t != nil || k == correlator.Retry}
	j.Shard = l.shard(k)
	j.Lane = l.at(j.Shard, k)
	var f *flight
	j.slot, f = d.slots.take(now, l, j.try)
	l.from = nil
	for i, c := range l.chain() {
		c.inFlight++
		c.tries++
		f.phases[i], f.tried[i] = c.phase, c.sick
		d.sick.remove(c)
	}
	if j.try {
		d.budget.flying++
	}
	d.requeue(l, t)
	return j
}

// requeue queues a lane that has more, or holds it at the scope that is being tried.
func (d *Dispatcher) requeue(l *lane, t *trouble) {
	switch {
	case l.heldBy != nil || !l.has():
	case t != nil:
		t.hold(l)
	default:
		d.queue(l)
	}
}

// suspect counts stuck calls as failures of their lane and namespace, so that a namespace that hangs is sick before its calls time out.
func (d *Dispatcher) suspect(now time.Duration) {
	for now >= d.slots.stuckAt {
		c, n := d.slots.nextStuck(now)
		if c == nil {
			return
		}
		if c.try {
			d.budget.stuck++
		}
		d.pass(c)
		for _, t := range [...]*trouble{&c.lane.namespace.health, &c.lane.own} {
			if !t.sick && t.memberFailed(^uint64(n)) {
				t.fall(now)
				t.limited = false
				t.soon, t.next = now+t.rests, now+d.opts.Delay
				d.sick.await(t)
			}
		}
		d.demote(c.lane.namespace)
	}
}

// demote moves lanes of a namespace that has failed behind those that have not, where they wait for a wider scope.
func (d *Dispatcher) demote(s *space) {
	for _, l := range s.lanes {
		if l != nil && l.heldBy != nil && l.heldBy.demote(l) {
			d.sick.await(l.heldBy)
		}
	}
}

// pass makes the scopes around the namespace of a stuck call stop waiting for it.
func (d *Dispatcher) pass(c *flight) {
	for i, t := range [...]*trouble{c.lane.server, c.lane.group} {
		if c.phases[i] == t.phase {
			t.tries--
			c.phases[i]--
			d.letGo(t, t.room())
			d.sick.await(t)
		}
	}
}

// Nothing takes back a job for which the shard had no write.
func (d *Dispatcher) Nothing(j *Job) {
	d.end(j)
	d.settle(j.lane)
}

// Refused ends a job that refuses. more is true if the shard has more to refuse.
func (d *Dispatcher) Refused(j *Job, more bool) {
	if more {
		d.refuse(j.lane, 1<<j.Shard)
	}
}

// end returns the job's slot and its places in the scopes.
func (d *Dispatcher) end(j *Job) (f flight) {
	f = d.slots.give(j.slot)
	if j.try {
		d.budget.flying--
	}
	if j.try && f.stuck {
		d.budget.stuck--
	}
	for i, t := range j.lane.chain() {
		t.inFlight--
		if f.phases[i] == t.phase {
			t.tries--
		}
	}
	return f
}

// settle lets lanes go as far as there is room, and queues sick scopes for their next try.
func (d *Dispatcher) settle(l *lane) {
	for _, t := range l.chain() {
		d.letGo(t, t.room())
		d.sick.await(t)
	}
}

// letGo puts up to n of the lanes that a well scope holds back into the rings.
func (d *Dispatcher) letGo(t *trouble, n int) {
	for ; n > 0 && t.admits() && t.holds(); n-- {
		l := t.candidate()
		if l == nil {
			return
		}
		l.from = t
		d.queue(l)
	}
}

// Verdict is the conclusion of Done.
type Verdict struct {
	Fate correlator.Fate
	News []News
}

// Done takes up the answer to a job's write. object is a hash of the object that the write is about.
func (d *Dispatcher) Done(j *Job, object uint64, a *runtime.Answer, now time.Duration) (v Verdict) {
	f := d.end(j)
	l := j.lane
	switch {
	case a.Outcome == runtime.Forbidden:
		v = d.denied(l, &f, noRight, a, now)
	case a.Outcome == runtime.RefusedQuietly:
		v = d.denied(l, &f, noNamespace, a, now)
	case a.Outcome == runtime.Retry && a.Limited:
		v = d.limited(j, a, now)
	case a.Outcome == runtime.Retry && !a.Conflict:
		v = d.failed(j, &f, object, a, now)
	default:
		v = d.proven(l, now, false) // the server has dealt with the write
	}
	d.settle(l)
	return v
}

// proven notes that the scopes of a lane are well. If vague is set, scopes stay sick that the server itself called sick: an answer about
// one object may come from admission while the storage behind it is away.
func (d *Dispatcher) proven(l *lane, now time.Duration, vague bool) (v Verdict) {
	if l.doubt.believed {
		v.News = append(v.News, l.own.news(Granted, now))
		l.own.told = false
	}
	l.doubt = doubt{}
	l.namespace.proven = true
	for _, t := range l.chain() {
		if vague && t.sick && t.sure || !t.succeeded(now) {
			continue
		}
		if t.scope < ofNamespace {
			d.excuse()
		}
		if t.told {
			t.told = false
			v.News = append(v.News, t.news(Well, now))
		}
	}
	return v
}

// excuse makes sick scopes due soon that failed in an outage of a wider scope. That outage is over.
func (d *Dispatcher) excuse() {
	for _, s := range d.spaces {
		s.health.forgive(&d.sick)
		for _, l := range s.lanes {
			if l != nil {
				l.own.forgive(&d.sick)
			}
		}
	}
}

func (t *trouble) forgive(s *sickScopes) {
	if t.sick && t.excused {
		t.excused, t.step, t.next = false, 0, t.soon
		s.await(t)
	}
}

// denied takes up a refusal that may end by itself.
func (d *Dispatcher) denied(l *lane, f *flight, cause refusal, a *runtime.Answer, now time.Duration) (v Verdict) {
	d.budget.fail(now)
	l.own.err, l.own.reach = a.Err, a.Scope
	before := l.doubt.believed
	v.Fate = correlator.Kept
	if l.refused(f, cause, now, d) {
		v.Fate = correlator.Refused
		what := Gone
		if cause == noRight {
			what = Denied
		}
		if !before || what == Denied {
			v.News = append(v.News, l.own.news(what, now))
		}
	}
	return v
}

// limited notes that a scope takes calls at a rate, and that this call exceeded it.
func (d *Dispatcher) limited(j *Job, a *runtime.Answer, now time.Duration) (v Verdict) {
	l := j.lane
	t := &l.own
	switch a.Scope {
	case runtime.ScopeWrite, runtime.ScopeObject:
		if j.try {
			d.budget.fail(now)
		}
		if a.Scope == runtime.ScopeObject {
			v = d.proven(l, now, true)
		}
		return v
	case runtime.ScopeNamespace:
		t = &l.namespace.health
	case runtime.ScopeGroup:
		t = l.group
	case runtime.ScopeServer:
		t = l.server
	}
	d.budget.fail(now)
	t.err, t.reach = a.Err, a.Scope
	t.narrow(now, min(a.RetryAfter, d.opts.MaxPatience))
	v.Fate = correlator.Kept
	if t.vain >= several && !t.told { // it takes nothing at all
		t.told = true
		v.News = []News{t.news(Sick, now)}
	}
	return v
}

// failed takes up a failure whose cause may reach further than the write's object.
func (d *Dispatcher) failed(j *Job, f *flight, object uint64, a *runtime.Answer, now time.Duration) (v Verdict) {
	l := j.lane
	known := j.Lane.Kind == correlator.Retry
	if j.try {
		d.budget.fail(now)
	}
	switch a.Scope {
	case runtime.ScopeObject:
		v = d.proven(l, now, true)
		if l.obstacleSick() {
			v.Fate = correlator.Excused
		}
		return v
	case runtime.ScopeWrite:
		return v
	}
	l.undoubted(now)
	excused, certain := false, a.Scope == runtime.ScopeServer
	if certain {
		d.away = now
	}
	sickBefore := l.own.sick || l.namespace.health.sick
	for i, t := range l.chain() {
		if !t.reaches(a.Scope) {
			continue
		}
		t.err, t.reach, t.sure = a.Err, a.Scope, certain
		switch {
		case f.tried[i] && known && !certain:
			t.rest(now)
		case f.tried[i]:
			t.excused = excused
			excused = true
			if l.standing(t) <= forUnknown {
				t.checks = min(t.checks+1, crossChecks)
			}
			t.pause(now, d.opts.Delay, d.opts.MaxDelay, min(a.RetryAfter, d.opts.MaxPatience))
		case t.sick || (!certain && (known || sickBefore && t.scope < ofNamespace)):
		case t.memberFailed(d.member(l, t, object, certain)), certain && a.RetryAfter > 0:
			t.fall(now)
			t.limited = false
			t.pause(now, d.opts.Delay, d.opts.MaxDelay, min(a.RetryAfter, d.opts.MaxPatience))
		}
	}
	d.demote(l.namespace)
	v.News = l.outbreak(now)
	if l.obstacleSick() {
		v.Fate = correlator.Excused
	}
	return v
}

// reaches reports whether an answer can speak of a scope as wide as t's.
func (t *trouble) reaches(s runtime.Scope) bool {
	switch s {
	case runtime.ScopeObject, runtime.ScopeWrite:
		return false
	case runtime.ScopeNamespace:
		return t.scope >= ofNamespace
	case runtime.ScopeGroup:
		return t.scope != ofServer
	}
	return true
}

// member returns the member that has failed in a scope: an object of a lane or a namespace, a namespace of an API group or a server. Each
// answer that is certainly about the server counts as a member of its own.
func (d *Dispatcher) member(l *lane, t *trouble, object uint64, certain bool) uint64 {
	switch {
	case certain:
		d.serial++
		return d.serial
	case t.scope < ofNamespace:
		return l.namespace.hash
	}
	return object
}

// Hopeless reports whether calls that speak for a lane have failed the given number of times since Drain.
func (d *Dispatcher) Hopeless(namespace string, door correlator.Door, times int) bool {
	s := d.spaces[namespace]
	if s == nil || s.lanes[door] == nil {
		return false
	}
	for _, t := range s.lanes[door].chain() {
		if t.sick && t.vain >= times {
			return true
		}
	}
	return false
}

// InDoubt reports whether anything waits because a right may be missing, and that is not known yet.
func (d *Dispatcher) InDoubt() bool {
	for _, s := range d.spaces {
		for _, l := range s.lanes {
			if l != nil && l.doubt.cause == noRight && !l.doubt.believed && (l.has() || l.own.inFlight > 0) {
				return true
			}
		}
	}
	return false
}

// obstacleSick reports whether a scope of the lane is sick.
func (l *lane) obstacleSick() bool {
	for _, t := range l.chain() {
		if t.sick {
			return true
		}
	}
	return false
}
