package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/event-gen/event-gen/test/e2e/faults"
	"github.com/event-gen/event-gen/test/e2e/webhook"
)

// A namespace does not count as healthy yet for a while after a trouble. Calls that hang come back
// within 10 s, so that the server's return is noticed within 12 s, as TestMixtures of the
// correlator holds. A namespace that was refused is asked every 30 s.
const (
	graceOfServer    = 12 * time.Second
	graceOfNamespace = 40 * time.Second
	graceOfProgram   = 5 * time.Second // a broadcaster that begins has nothing to try again
	slowGrace        = 2 * time.Second
)

// patience is how long ending a trouble may take: a server has two minutes to become ready.
const patience = 3 * time.Minute

// end undoes a trouble; nil: there is nothing to undo.
type end func(context.Context) error

// trouble is one of a kind. Its begin may take time.
type trouble struct {
	name        string
	least, most time.Duration
	begin       func(ctx context.Context, s *soak, random *rand.Rand, namespaces []string) (end, error)
}

// ofServer troubles concern everything.
var ofServer = []trouble{
	{"server killed", 2 * time.Second, 15 * time.Second, func(_ context.Context, s *soak, _ *rand.Rand, _ []string) (end, error) {
		return startServer(s), s.cluster.KillAPIServer()
	}},
	{"server stopped", 2 * time.Second, 15 * time.Second, func(_ context.Context, s *soak, _ *rand.Rand, _ []string) (end, error) {
		return startServer(s), s.cluster.StopAPIServer()
	}},
	{"server hangs", 3 * time.Second, 25 * time.Second, func(_ context.Context, s *soak, _ *rand.Rand, _ []string) (end, error) {
		return func(context.Context) error { return s.cluster.ResumeAPIServer() }, s.cluster.PauseAPIServer()
	}},
	{"etcd killed", time.Second, 10 * time.Second, func(_ context.Context, s *soak, _ *rand.Rand, _ []string) (end, error) {
		return s.cluster.StartEtcd, s.cluster.KillEtcd()
	}},
	{"429 or 503 with Retry-After", 2 * time.Second, 10 * time.Second, retryAfter},
	{"replies lost", 5 * time.Second, 15 * time.Second, either(faults.LoseReply(), faults.LoseReplyAndConnection())},
	{"requests late", 5 * time.Second, 15 * time.Second, either(faults.Late(15 * time.Second))},
	{"requests repeated", 5 * time.Second, 15 * time.Second, repeat},
}

// shutDown is the trouble of the broadcaster's program.
const shutDown = "broadcaster shut down, another begins"

// ofPrograms troubles end the programs: the broadcaster's, or the operator, which concerns no
// namespace of the broadcaster's.
var ofPrograms = []trouble{
	{shutDown, 0, 0, func(ctx context.Context, s *soak, random *rand.Rand, _ []string) (end, error) {
		return nil, s.plain.restart(ctx, 2*time.Second+time.Duration(random.Float64()*float64(18*time.Second)))
	}},
	{"operator: SIGTERM", 0, 0, func(_ context.Context, s *soak, _ *rand.Rand, _ []string) (end, error) {
		return nil, s.operator.signal(syscall.SIGTERM)
	}},
	{"operator: SIGKILL", 0, 0, func(_ context.Context, s *soak, _ *rand.Rand, _ []string) (end, error) {
		return nil, s.operator.signal(syscall.SIGKILL)
	}},
}

// ofNamespaces troubles concern some namespaces only.
var ofNamespaces = []trouble{
	{"webhook hangs", 10 * time.Second, 40 * time.Second, hooked(webhook.Hang)},
	{"webhook refuses", 10 * time.Second, 40 * time.Second, refuse},
	{"rights taken", 10 * time.Second, 60 * time.Second, takeRights},
	{"events deleted", 0, 0, deleteEvents},
	{"events relabelled", 0, 0, relabelEvents},
}

func startServer(s *soak) end {
	return func(ctx context.Context) error { return s.cluster.StartAPIServer(ctx) }
}

// retryAfter has the proxies answer in the server's place.
func retryAfter(ctx context.Context, s *soak, random *rand.Rand, _ []string) (end, error) {
	codes := []int{http.StatusTooManyRequests, http.StatusServiceUnavailable}
	return some(faults.Status(codes[random.IntN(len(codes))], time.Duration(1+random.IntN(8))*time.Second))(ctx, s, random, nil)
}

// either plays one of some faults.
func either(all ...faults.Fault) func(context.Context, *soak, *rand.Rand, []string) (end, error) {
	return func(ctx context.Context, s *soak, random *rand.Rand, _ []string) (end, error) {
		return some(all[random.IntN(len(all))])(ctx, s, random, nil)
	}
}

// some has the proxies play a fault to a share of the requests.
func some(f faults.Fault) func(context.Context, *soak, *rand.Rand, []string) (end, error) {
	return func(_ context.Context, s *soak, random *rand.Rand, _ []string) (end, error) {
		share := 0.2 + 0.8*random.Float64()
		proxies := []*faults.Proxy{s.plain.proxy, s.operator.proxy}
		for _, p := range proxies {
			p.Play(faults.Step{Fault: f, Share: share})
		}
		return func(context.Context) error {
			for _, p := range proxies {
				p.Play()
			}
			return nil
		}, nil
	}
}

func hooked(j webhook.Judge) func(context.Context, *soak, *rand.Rand, []string) (end, error) {
	return func(ctx context.Context, s *soak, _ *rand.Rand, namespaces []string) (end, error) {
		h, err := webhook.New(ctx, s.clients, j, namespaces...)
		if err != nil {
			return nil, err
		}
		return func(ctx context.Context) error { return untilDone(ctx, h.Unregister, h.Down) }, nil
	}
}

// repeat has the proxies send requests twice, while no webhook begins to refuse: a write that is
// stored and whose repeat is refused counts twice (docs/design/0015).
func repeat(ctx context.Context, s *soak, random *rand.Rand, _ []string) (end, error) {
	s.apart.Lock()
	undo, err := some(faults.Repeat())(ctx, s, random, nil)
	return func(ctx context.Context) error {
		defer s.apart.Unlock()
		return undo(ctx)
	}, err
}

// webhookDelay is the time after which an API server certainly calls a webhook.
const webhookDelay = 5 * time.Second

func refuse(ctx context.Context, s *soak, random *rand.Rand, namespaces []string) (end, error) {
	s.apart.Lock()
	defer s.apart.Unlock()
	undo, err := hooked(webhook.Refuse)(ctx, s, random, namespaces)
	wait(ctx, webhookDelay)
	return undo, err
}

func takeRights(ctx context.Context, s *soak, _ *rand.Rand, namespaces []string) (end, error) {
	for _, n := range namespaces {
		if err := untilDone(ctx, func(ctx context.Context) error { return s.revoke(ctx, n) }, nil); err != nil {
			return nil, err
		}
	}
	return func(ctx context.Context) error {
		for _, n := range namespaces {
			if err := untilDone(ctx, func(ctx context.Context) error { return s.grant(ctx, n) }, nil); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func deleteEvents(ctx context.Context, s *soak, random *rand.Rand, _ []string) (end, error) {
	return nil, s.clients.EventsV1().Events(namespace(random.IntN(deletable))).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
}

// relabelEvents changes the resource versions of some events behind the recorder's back.
func relabelEvents(ctx context.Context, s *soak, random *rand.Rand, namespaces []string) (end, error) {
	label := fmt.Appendf(nil, `{"metadata":{"labels":{"soak":"%d"}}}`, random.IntN(1000))
	list, err := s.clients.EventsV1().Events(namespaces[0]).List(ctx, metav1.ListOptions{Limit: 100})
	if err != nil {
		return nil, err
	}
	for i := range list.Items {
		_, err := s.clients.EventsV1().Events(namespaces[0]).Patch(ctx, list.Items[i].Name, types.MergePatchType, label, metav1.PatchOptions{})
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// untilDone tries until it works or ctx ends; the server may be away because of another trouble.
// last is done in any case.
func untilDone(ctx context.Context, try func(context.Context) error, last func()) error {
	if last != nil {
		defer last()
	}
	for {
		within, cancel := context.WithTimeout(ctx, 10*time.Second)
		err := try(within)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(time.Second):
		}
	}
}

// span is a trouble that took place.
type span struct {
	name       string
	namespaces []string // nil: all
	from, to   time.Time
	failed     string // why it could not be made
}

// troubles makes them, and knows who is healthy.
type troubles struct {
	s     *soak
	mu    sync.Mutex
	spans []*span
	slows []span // when direct calls were slow
	// calling is when the direct call began that is out; zero: none is.
	calling time.Time
}

func newTroubles(s *soak) *troubles { return &troubles{s: s} }

// make makes troubles until ctx ends: those of the server one after another, with pauses in which
// namespaces can be healthy; beside them those of namespaces, and those of programs.
func (t *troubles) make(ctx context.Context, random *rand.Rand) {
	var lines sync.WaitGroup
	defer lines.Wait()
	servers, spaces := rand.New(rand.NewPCG(random.Uint64(), 0)), rand.New(rand.NewPCG(random.Uint64(), 0))
	programs := rand.New(rand.NewPCG(random.Uint64(), 0))
	lines.Go(func() { t.deal(ctx, servers, ofServer, 5*time.Second, 20*time.Second, func() []string { return nil }) })
	lines.Go(func() { t.endPrograms(ctx, programs) })
	lines.Go(func() {
		t.deal(ctx, spaces, ofNamespaces, 2*time.Second, 15*time.Second, func() []string {
			some := make([]string, 1+spaces.IntN(10))
			for i, n := range spaces.Perm(namespaces - deletable)[:len(some)] {
				some[i] = namespace(deletable + n)
			}
			return some
		})
	})
}

// deal makes each kind of trouble once, in random order, and then again.
func (t *troubles) deal(ctx context.Context, random *rand.Rand, kinds []trouble, pause, more time.Duration, where func() []string) {
	for {
		for _, i := range random.Perm(len(kinds)) {
			kind, namespaces := kinds[i], where()
			lasts := kind.least + time.Duration(random.Float64()*float64(kind.most-kind.least))
			wait(ctx, pause+time.Duration(random.Float64()*float64(more)))
			if ctx.Err() != nil {
				return
			}
			t.one(ctx, random, kind, namespaces, lasts)
			if namespaces == nil && kind.most > 0 {
				wait(ctx, graceOfServer)
			}
		}
	}
}

// endPrograms makes each kind of trouble of programs in turn. Half of them wait for a trouble in
// which requests get no answer, so that programs also end while the server is away.
func (t *troubles) endPrograms(ctx context.Context, random *rand.Rand) {
	for n := 0; ; n++ {
		wait(ctx, 10*time.Second+time.Duration(random.Float64()*float64(20*time.Second)))
		kind := ofPrograms[n%len(ofPrograms)]
		if n/len(ofPrograms)%2 == 0 {
			for ctx.Err() == nil && !t.unanswered() {
				wait(ctx, 100*time.Millisecond)
			}
			wait(ctx, 2*time.Second)
		}
		if ctx.Err() != nil {
			return
		}
		var namespaces []string
		if kind.name != shutDown {
			namespaces = []string{}
		}
		t.one(ctx, random, kind, namespaces, 0)
	}
}

// withoutAnswer are the troubles in which requests get no answer.
var withoutAnswer = map[string]bool{"server hangs": true, "replies lost": true, "requests late": true, "webhook hangs": true}

// unanswered reports whether such a trouble goes on.
func (t *troubles) unanswered() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.spans, func(s *span) bool { return s.to.IsZero() && withoutAnswer[s.name] })
}

// one makes a trouble, and ends it, also when ctx has ended.
func (t *troubles) one(ctx context.Context, random *rand.Rand, kind trouble, namespaces []string, lasts time.Duration) {
	s := &span{name: kind.name, namespaces: namespaces, from: time.Now()}
	t.mu.Lock()
	t.spans = append(t.spans, s)
	t.mu.Unlock()
	fmt.Printf("%s %s %v\n", t.s.since(), kind.name, namespaces)
	working, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	undo, err := kind.begin(working, t.s, random, namespaces)
	if err == nil && lasts > 0 {
		wait(ctx, lasts)
	}
	if undo != nil {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		if ended := undo(ending); ended != nil {
			t.s.findings.add(t.s.since(), "soak itself", "%s can't be ended: %v", kind.name, ended)
		}
		cancel()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	s.to = time.Now()
	if err != nil {
		s.failed = err.Error()
	}
}

// healthy reports whether no trouble concerned a namespace for a time, nor shortly before. Troubles
// of other namespaces concern it not.
func (t *troubles) healthy(namespace string, from, to time.Time) bool {
	return t.concerning(namespace, from, to) == ""
}

// Whose trouble keeps a wait from being judged.
const (
	ofTheServer    = "the server"
	ofTheProgram   = "the program"
	ofTheNamespace = "the namespace itself"
)

// concerning returns whose trouble concerned a namespace for a time, or shortly before; empty:
// none.
func (t *troubles) concerning(namespace string, from, to time.Time) (whose string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.calling.IsZero() && to.Sub(t.calling) > slowCall {
		return ofTheServer
	}
	for i := len(t.slows) - 1; i >= 0 && !t.slows[i].to.Add(slowGrace).Before(from); i-- {
		if !t.slows[i].from.After(to) {
			return ofTheServer
		}
	}
	for _, s := range t.spans {
		by, grace := ofTheNamespace, graceOfNamespace
		switch {
		case s.name == shutDown:
			by, grace = ofTheProgram, graceOfProgram
		case s.namespaces == nil:
			by, grace = ofTheServer, graceOfServer
		}
		if over := !s.to.IsZero() && s.to.Add(grace).Before(from); !over && !s.from.After(to) && s.concerns(namespace) {
			return by
		}
	}
	return ""
}

func (s *span) concerns(namespace string) bool {
	if s.namespaces == nil {
		return true
	}
	for _, n := range s.namespaces {
		if n == namespace {
			return true
		}
	}
	return false
}

// direct makes a call past the proxies, and notes whether it was slow: then the server or the
// machine was slow for all.
func (t *troubles) direct(call func() error) (took time.Duration) {
	begin := time.Now()
	t.mu.Lock()
	t.calling = begin
	t.mu.Unlock()
	err := call()
	end := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calling = time.Time{}
	if took = end.Sub(begin); err != nil || took > slowCall {
		t.slows = append(t.slows, span{from: begin, to: end})
	}
	return took
}

func (t *troubles) list() []span {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []span
	for _, s := range t.spans {
		all = append(all, *s)
	}
	return all
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
