package manager

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	authv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/event-gen/event-gen/internal/adoption/rights"
	programrights "github.com/event-gen/event-gen/internal/adoption/rights/program"
	"github.com/event-gen/event-gen/internal/adoption/scan"
	"github.com/event-gen/event-gen/internal/plumbing/diag"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/ctrlevents"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// outcome is how many occurrences are stored, by reason. All events of leader election together
// count as one.
type outcome map[string]int

// The reasons. A program records each twice, except that leader election records by itself.
const (
	recorded = "Recorded"
	legacy   = "Legacy"
	election = "LeaderElection"
)

// right is a verb on events of a group.
type right struct{ group, verb string }

var (
	createCore, patchCore     = right{rights.CoreGroup, "create"}, right{rights.CoreGroup, "patch"}
	createEvents, patchEvents = right{rights.EventsGroup, "create"}, right{rights.EventsGroup, "patch"}

	// once is an outcome without the right to patch, none one without the right to create.
	once, none = outcome{recorded: 1}, outcome{}
	ofCore     = map[right]outcome{createCore: none, patchCore: once}
	ofEvents   = map[right]outcome{createEvents: none, patchEvents: once}
	ofEither   = map[right]outcome{createCore: none, patchCore: once, createEvents: none, patchEvents: once}
)

// constructors has a program for each constructor of recorders. Of lacking, each element is what is
// stored if one right of a minimal set is missing.
var constructors = []struct {
	run     func(*running)
	all     outcome
	lacking map[right]outcome
}{
	{recordBroadcaster, outcome{recorded: 2}, ofCore},
	{eventsBroadcaster, outcome{recorded: 2}, ofEvents},
	{eventsAdapter, outcome{recorded: 2, legacy: 2}, map[right]outcome{
		createCore: {recorded: 2}, patchCore: {recorded: 2, legacy: 1}, createEvents: {legacy: 2}, patchEvents: {recorded: 1, legacy: 2},
	}},
	{dropIn, outcome{recorded: 2}, ofCore},
	{dropInEvents, outcome{recorded: 2}, ofEvents},
	{dropInAdapter, outcome{recorded: 2}, ofEither},
	{coreSink, outcome{recorded: 2}, ofCore},
	{eventsSink, outcome{recorded: 2}, ofEvents},
	{autoSink, outcome{recorded: 2}, ofEither},
	{controllerRuntime, outcome{recorded: 2, legacy: 2, election: 1}, map[right]outcome{
		createCore: {recorded: 2}, patchCore: {recorded: 2, legacy: 1, election: 1},
		createEvents: {legacy: 2, election: 1}, patchEvents: {recorded: 1, legacy: 2, election: 1},
	}},
	{withoutElection, outcome{recorded: 2}, ofEvents},
	{ourManager, outcome{recorded: 2, legacy: 2, election: 1}, map[right]outcome{
		createCore: {}, patchCore: {recorded: 1, legacy: 1, election: 1},
	}},
}

// TestMinimalRights runs each program with each smallest set of rights that scan --rbac asks for,
// and with each of these sets without one right. With the set everything is stored; without the
// right to create, nothing of its recorder is; without the right to patch, repeats are not counted.
// No right of a set can be missing, and no set lacks one.
func TestMinimalRights(t *testing.T) {
	for i, needs := range needsOf(t) {
		p := constructors[i]
		for _, groups := range minimal(needs.Needs) {
			set := rightsOf(groups)
			t.Run(fmt.Sprintf("%s/%q", shortName(p.run), groups), func(t *testing.T) {
				t.Parallel() // it waits for the most part
				checkStored(t, p.run, set, right{}, p.all)
			})
			for _, missing := range set {
				t.Run(fmt.Sprintf("%s/%q/without %s %q", shortName(p.run), groups, missing.verb, missing.group), func(t *testing.T) {
					t.Parallel()
					want, ok := p.lacking[missing]
					if !ok {
						t.Fatal("the table does not say what is missing")
					}
					left := slices.DeleteFunc(slices.Clone(set), func(r right) bool { return r == missing })
					checkStored(t, p.run, left, missing, want)
				})
			}
		}
	}
}

// needsOf has the tool read the programs of this file.
func needsOf(t *testing.T) []rights.Program {
	t.Helper()
	t.Setenv("GOWORK", "off")
	l, err := scan.Read(t.Context(), scan.Options{Patterns: []string{"."}, Tests: true})
	if err != nil {
		t.Fatal(err)
	}
	all, err := l.Program(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range constructors {
		names = append(names, runtime.FuncForPC(reflect.ValueOf(p.run).Pointer()).Name())
	}
	found := programrights.Functions(all, names, func(pos token.Pos) diag.Pos {
		at := all.Fset.Position(pos)
		return diag.Pos{File: filepath.Base(at.Filename), Line: at.Line, Column: at.Column}
	})
	for _, p := range found {
		if len(p.Needs) == 0 || len(p.Unread) > 0 {
			t.Errorf("%s is not understood: %+v", p.Name, p)
		}
	}
	return found
}

func shortName(run func(*running)) string {
	name := runtime.FuncForPC(reflect.ValueOf(run).Pointer()).Name()
	return name[strings.LastIndex(name, ".")+1:]
}

// minimal returns the smallest sets of groups that meet all needs.
func minimal(needs []rights.Need) [][]string {
	both := []string{rights.CoreGroup, rights.EventsGroup}
	var sets [][]string
	for _, groups := range [][]string{both[:1], both[1:], both} {
		enough := !slices.ContainsFunc(needs, func(n rights.Need) bool {
			return !slices.Contains(groups, n.Group) && !(n.Fallback && slices.Contains(groups, rights.CoreGroup))
		})
		if enough && (len(groups) == 1 || len(sets) == 0) {
			sets = append(sets, groups)
		}
	}
	return sets
}

func rightsOf(groups []string) (set []right) {
	for _, g := range groups {
		set = append(set, right{g, "create"}, right{g, "patch"})
	}
	return set
}

// running is what a program gets. It records once, waits for again, records once more, and ends
// with ctx.
type running struct {
	ctx       context.Context
	config    *rest.Config
	namespace string
	again     chan struct{}
	failed    func(error)
}

// checkStored runs a program with rights until the wanted outcome is stored and the missing right
// was refused, ends it, and demands the same outcome.
func checkStored(t *testing.T, run func(*running), set []right, missing right, want outcome) {
	t.Helper()
	_, clients, namespace := server(t)
	refused := &refusals{}
	config := started.UserConfig(cluster.LimitedUser)
	config.QPS = -1
	config.Wrap(refused.wrap)
	allow(t, clients, config, namespace, set)
	ctx, stop := context.WithCancel(t.Context())
	p := &running{ctx: ctx, config: config, namespace: namespace, again: make(chan struct{}), failed: func(err error) { t.Error(err) }}
	ended := make(chan struct{})
	go func() { defer close(ended); run(p) }()
	defer func() { stop(); <-ended }()
	await(t, "the first occurrences", func() bool {
		got := tallied(t, clients, namespace)
		return missing.verb != "create" && len(got) == len(want) || missing.verb == "create" && len(got) == len(want) && refused.has(missing)
	})
	close(p.again)
	await(t, fmt.Sprintf("the outcome %v", want), func() bool {
		return maps.Equal(tallied(t, clients, namespace), want) && (missing == right{} || refused.has(missing))
	})
	stop()
	<-ended
	if got := tallied(t, clients, namespace); !maps.Equal(got, want) {
		t.Errorf("stored %v in the end, want %v", got, want)
	}
}

func await(t *testing.T, what string, reached func() bool) {
	t.Helper()
	err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, 2*time.Minute, true, func(context.Context) (bool, error) { return reached(), nil })
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func tallied(t *testing.T, clients kubernetes.Interface, namespace string) outcome {
	t.Helper()
	got := outcome{}
	for _, e := range stored(t, clients, namespace) {
		if got[e.Reason] += cluster.Occurrences(&e); e.Reason == election {
			got[e.Reason] = 1
		}
	}
	return got
}

// refusals are the missing rights because of which requests were refused.
type refusals struct {
	mu  sync.Mutex
	all map[right]bool
}

func (r *refusals) has(missing right) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[missing]
}

func (r *refusals) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if err == nil && resp.StatusCode == http.StatusForbidden && strings.Contains(req.URL.Path, "/events") {
			refused := right{rights.CoreGroup, map[string]string{http.MethodPost: "create", http.MethodPatch: "patch"}[req.Method]}
			if strings.HasPrefix(req.URL.Path, "/apis/"+rights.EventsGroup+"/") {
				refused.group = rights.EventsGroup
			}
			r.mu.Lock()
			if r.all == nil {
				r.all = map[right]bool{}
			}
			r.all[refused] = true
			r.mu.Unlock()
		}
		return resp, err
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// allow gives the user rights to events and to leases in a namespace, and waits until the server
// knows.
func allow(t *testing.T, clients kubernetes.Interface, config *rest.Config, namespace string, set []right) {
	t.Helper()
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Name: "program"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Verbs: []string{"get", "create", "update"}},
	}}
	for _, r := range set {
		role.Rules = append(role.Rules, rbacv1.PolicyRule{APIGroups: []string{r.group}, Resources: []string{"events"}, Verbs: []string{r.verb}})
	}
	if _, err := clients.RbacV1().Roles(namespace).Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: role.ObjectMeta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: cluster.LimitedUser}},
	}
	if _, err := clients.RbacV1().RoleBindings(namespace).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	user := clientsOf(config)
	await(t, "the rights", func() bool {
		review := &authv1.SelfSubjectAccessReview{Spec: authv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authv1.ResourceAttributes{
			Namespace: namespace, Verb: "create", Group: "coordination.k8s.io", Resource: "leases",
		}}}
		answer, err := user.AuthorizationV1().SelfSubjectAccessReviews().Create(t.Context(), review, metav1.CreateOptions{})
		return err == nil && answer.Status.Allowed
	})
}

func clientsOf(config *rest.Config) kubernetes.Interface { return kubernetes.NewForConfigOrDie(config) }

// twice records, and once more when the first occurrence was answered.
func (p *running) twice(record func(*corev1.Pod)) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: p.namespace, Name: "web", UID: "uid-web"}}
	record(pod)
	select {
	case <-p.again:
		record(pod)
		<-p.ctx.Done()
	case <-p.ctx.Done():
	}
}

func (p *running) onRecord(r record.EventRecorder, reason string) {
	p.twice(func(pod *corev1.Pod) { r.Event(pod, corev1.EventTypeNormal, reason, "It happened") })
}

func (p *running) onEvents(r interface {
	Eventf(regarding, related k8sruntime.Object, eventtype, reason, action, note string, args ...any)
}, reason string) {
	p.twice(func(pod *corev1.Pod) { r.Eventf(pod, nil, corev1.EventTypeNormal, reason, "Happen", "It happened") })
}

// both records on two recorders at once.
func (p *running) both(first, second func()) {
	var wg sync.WaitGroup
	wg.Go(first)
	wg.Go(second)
	wg.Wait()
}

// ending bounds the end of a program whose pending events have no right.
func ending() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

var component = corev1.EventSource{Component: "program"}

const reportedBy = "example.com/program"

func recordBroadcaster(p *running) {
	b := record.NewBroadcaster()
	defer b.Shutdown()
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clientsOf(p.config).CoreV1().Events("")})
	p.onRecord(b.NewRecorder(scheme.Scheme, component), recorded)
}

func eventsBroadcaster(p *running) {
	b := events.NewBroadcaster(&events.EventSinkImpl{Interface: clientsOf(p.config).EventsV1()})
	defer b.Shutdown()
	if err := b.StartRecordingToSinkWithContext(p.ctx); err != nil {
		p.failed(err)
	}
	p.onEvents(b.NewRecorder(scheme.Scheme, reportedBy), recorded)
}

func eventsAdapter(p *running) {
	a := events.NewEventBroadcasterAdapterWithContext(p.ctx, clientsOf(p.config))
	defer a.Shutdown()
	a.StartRecordingToSink(p.ctx.Done())
	p.both(func() { p.onEvents(a.NewRecorder(reportedBy), recorded) }, func() { p.onRecord(a.DeprecatedNewLegacyRecorder("program"), legacy) })
}

func dropIn(p *running) {
	b := clientgo.NewBroadcaster()
	defer func() { _ = b.ShutdownWithContext(ending()) }()
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: clientsOf(p.config).CoreV1().Events("")})
	p.onRecord(b.NewRecorder(scheme.Scheme, component), recorded)
}

func dropInEvents(p *running) {
	b := clientgo.NewEventsBroadcaster(&events.EventSinkImpl{Interface: clientsOf(p.config).EventsV1()})
	defer func() { _ = b.ShutdownWithContext(ending()) }()
	if err := b.StartRecordingToSinkWithContext(context.Background()); err != nil {
		p.failed(err)
	}
	p.onEvents(b.NewRecorder(scheme.Scheme, reportedBy), recorded)
}

func dropInAdapter(p *running) {
	a := clientgo.NewEventBroadcasterAdapter(context.Background(), clientsOf(p.config))
	defer func() { _ = a.ShutdownWithContext(ending()) }()
	a.StartRecordingToSink(make(chan struct{}))
	p.onEvents(a.NewRecorder(reportedBy), recorded)
}

func coreSink(p *running) { p.onSink(kube.CoreV1(p.config)) }

func eventsSink(p *running) { p.onSink(kube.EventsV1(p.config)) }

func autoSink(p *running) { p.onSink(kube.Auto(p.config)) }

func (p *running) onSink(target sink.Sink) {
	b, err := broadcaster.New(broadcaster.Options{Sink: target})
	if err != nil {
		p.failed(err)
		return
	}
	defer func() { _ = b.Shutdown(ending()) }()
	p.typed(eventrt.NewRecorder(b))
}

func (p *running) typed(r *eventrt.Recorder) {
	r = r.WithReportingController(reportedBy)
	p.twice(func(pod *corev1.Pod) { r.Forward(pod, corev1.EventTypeNormal, recorded, "Happen", "It happened") })
}

func controllerRuntime(p *running) {
	m, err := ctrl.NewManager(p.config, manager.Options{
		Metrics:        metricsserver.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "program", LeaderElectionNamespace: p.namespace,
	})
	p.start(m, err, func() {
		p.both(func() { p.onEvents(m.GetEventRecorder(reportedBy), recorded) }, func() { p.onRecord(m.GetEventRecorderFor("program"), legacy) })
	})
}

func withoutElection(p *running) {
	m, err := ctrl.NewManager(p.config, manager.Options{Metrics: metricsserver.Options{BindAddress: "0"}})
	p.start(m, err, func() { p.onEvents(m.GetEventRecorder(reportedBy), recorded) })
}

func ourManager(p *running) {
	m, err := ctrlevents.NewManager(p.config, manager.Options{
		Metrics:        metricsserver.Options{BindAddress: "0"},
		LeaderElection: true, LeaderElectionID: "program", LeaderElectionNamespace: p.namespace,
	}, ctrlevents.Options{NoMetrics: true, ShutdownTimeout: time.Millisecond})
	p.start(m, err, func() {
		p.both(func() { p.typed(m.Events()) }, func() { p.onRecord(m.GetEventRecorderFor("program"), legacy) })
	})
}

// start runs a manager whose only runnable records. What is pending at its end has no right, and is
// an error.
func (p *running) start(m manager.Manager, err error, record func()) {
	if err == nil {
		err = m.Add(manager.RunnableFunc(func(context.Context) error { record(); return nil }))
	}
	if err != nil {
		p.failed(err)
		return
	}
	_ = m.Start(p.ctx)
}
