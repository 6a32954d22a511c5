package e2e

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// timedSink notes when each object's first event was stored.
type timedSink struct {
	sink.Sink
	mu     sync.Mutex
	stored map[string]time.Time
}

func timed(s sink.Sink) *timedSink { return &timedSink{Sink: s, stored: map[string]time.Time{}} }

func (s *timedSink) Write(ctx context.Context, w *sink.Write) sink.Answer {
	a := s.Sink.Write(ctx, w)
	if a.Outcome == sink.Done {
		s.mu.Lock()
		if key := w.Regarding.Namespace + "/" + w.Regarding.Name; s.stored[key].IsZero() {
			s.stored[key] = time.Now()
		}
		s.mu.Unlock()
	}
	return a
}

// slowest is the longest that an object waited for its first event, and how many were stored.
func (s *timedSink) slowest(recorded map[string]time.Time) (d time.Duration, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for object, at := range recorded {
		if done := s.stored[object]; !done.IsZero() {
			n++
			d = max(d, done.Sub(at))
		}
	}
	return d, n
}

// TestRestartsWithRightsFromRBAC restarts an API server while recorders whose rights come from RBAC
// record: for a moment after its start the server refuses everybody. Nothing may be lost.
func TestRestartsWithRightsFromRBAC(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	allowAll(t, clients, cluster.LimitedUser)
	all := parties(t, c.UserConfig(cluster.LimitedUser))
	ctx, cancel := context.WithCancel(t.Context())
	recorded := 0
	var recording sync.WaitGroup
	recording.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			each(all, namespace, fmt.Sprint("pod-", n%8), eventrt.Warning, "BackOff", "Back-off restarting failed container")
			recorded++
			if n%20 == 0 {
				each(all, namespace, fmt.Sprint("new-", n), eventrt.Normal, "Started", "it started")
				recorded++
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	for range restarts() {
		if err := c.StopAPIServer(); err != nil {
			t.Fatal(err)
		}
		if err := c.StartAPIServer(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
	}
	cancel()
	recording.Wait()
	for name, err := range endWithin(t, all, time.Minute) {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Logf("failed calls: %d of the pipeline, %d of the drop-in", all[0].stats().Retries, all[1].stats().Retries)
	checkNothingLost(t, c, namespace, all, recorded)
}

// allowAll lets a user write events in both groups.
func allowAll(t *testing.T, clients kubernetes.Interface, user string) {
	t.Helper()
	role := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "events"}, Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"", "events.k8s.io"}, Resources: []string{"events"}, Verbs: []string{"create", "patch"}},
	}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "events"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "events"},
	}
	if _, err := clients.RbacV1().ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := clients.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// TestANamespaceThatIsMadeAgain deletes a namespace while events about it are recorded, and makes
// it again at once.
func TestANamespaceThatIsMadeAgain(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startCluster(t)
	clients := newClientset(t, c)
	all := parties(t, c.RESTConfig())
	const name = "again"
	create := func() error {
		_, err := clients.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		return err
	}
	if err := create(); err != nil {
		t.Fatal(err)
	}
	recordSteadily(all, name, "first", 1, time.Second)
	removeNamespace(t, clients, name)
	recordSteadily(all, name, "gone", 100, 20*time.Millisecond)
	if err := create(); err != nil {
		t.Fatal(err)
	}
	recordSteadily(all, name, "late", 100, 20*time.Millisecond)
	awaitAll(t, c, name, 201)
	endWithin(t, all, time.Minute)
	checkNothingLost(t, c, name, all, 201)
}

// TestOneSeat leaves a user one seat of priority and fairness, for which rivals of the same user
// fight. No fewer events are stored than by client-go. The parties play one after another, and no
// other test beside them, since what one call takes decides here.
func TestOneSeat(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	allowAll(t, clients, cluster.LimitedUser)
	oneSeat(t, clients, cluster.LimitedUser)
	config := c.UserConfig(cluster.LimitedUser)
	config.QPS = -1
	rival, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	const n = 300
	stored := map[string]int32{}
	for i := range 3 {
		namespace := newNamespace(t, clients)
		stop := fight(t, rival, newNamespace(t, clients))
		time.Sleep(time.Second)
		all := parties(t, config)
		p := all[i : i+1]
		recordSteadily(p, namespace, "pod", n, 25*time.Millisecond)
		for progress := time.Now(); stored[p[0].name] < n && time.Since(progress) < faultBound; time.Sleep(500 * time.Millisecond) {
			if now := storedOccurrences(t, c, namespace); now > stored[p[0].name] {
				stored[p[0].name], progress = now, time.Now()
			}
		}
		endWithin(t, all, 10*time.Second)
		stop()
	}
	t.Logf("of %d events each, stored: %v", n, stored)
	if stored[ours] < stored[peer] || stored[dropin] < stored[peer] {
		t.Errorf("fewer are stored than by client-go: %v", stored)
	}
}

// fight has six clients write events as fast as they can, until stop is called.
func fight(t *testing.T, rival kubernetes.Interface, namespace string) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var rivals sync.WaitGroup
	for i := range 6 {
		rivals.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				_, _ = rival.CoreV1().Events(namespace).Create(ctx, &corev1.Event{
					ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("rival-%d-%d", i, n)}, InvolvedObject: corev1.ObjectReference{Namespace: namespace},
				}, metav1.CreateOptions{})
			}
		})
	}
	return func() { cancel(); rivals.Wait() }
}

// oneSeat gives a user a priority level of its own, with one seat and a short queue.
func oneSeat(t *testing.T, clients kubernetes.Interface, user string) {
	t.Helper()
	shares, none := int32(1), int32(0)
	level := &flowcontrolv1.PriorityLevelConfiguration{ObjectMeta: metav1.ObjectMeta{Name: "one-seat"}, Spec: flowcontrolv1.PriorityLevelConfigurationSpec{
		Type: flowcontrolv1.PriorityLevelEnablementLimited,
		Limited: &flowcontrolv1.LimitedPriorityLevelConfiguration{
			NominalConcurrencyShares: &shares, LendablePercent: &none, BorrowingLimitPercent: &none,
			LimitResponse: flowcontrolv1.LimitResponse{Type: flowcontrolv1.LimitResponseTypeQueue,
				Queuing: &flowcontrolv1.QueuingConfiguration{Queues: 1, HandSize: 1, QueueLengthLimit: 2}},
		},
	}}
	flow := &flowcontrolv1.FlowSchema{ObjectMeta: metav1.ObjectMeta{Name: "one-seat"}, Spec: flowcontrolv1.FlowSchemaSpec{
		PriorityLevelConfiguration: flowcontrolv1.PriorityLevelConfigurationReference{Name: "one-seat"}, MatchingPrecedence: 10,
		Rules: []flowcontrolv1.PolicyRulesWithSubjects{{
			Subjects: []flowcontrolv1.Subject{{Kind: flowcontrolv1.SubjectKindUser, User: &flowcontrolv1.UserSubject{Name: user}}},
			ResourceRules: []flowcontrolv1.ResourcePolicyRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"},
				ClusterScope: true, Namespaces: []string{"*"}}},
		}},
	}}
	if _, err := clients.FlowcontrolV1().PriorityLevelConfigurations().Create(t.Context(), level, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := clients.FlowcontrolV1().FlowSchemas().Create(t.Context(), flow, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * time.Second) // the server follows with a watch
}

// TestAPolicyThatDeniesOneReason holds that only what a policy denies is lost.
func TestAPolicyThatDeniesOneReason(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	denyReason(t, clients, "Secret")
	all := parties(t, c.RESTConfig())
	for n := range 50 {
		object := fmt.Sprint("pod-", n%10)
		each(all, namespace, object, eventrt.Warning, "Secret", fmt.Sprint("do not tell ", n))
		each(all, namespace, object, eventrt.Warning, "Failed", fmt.Sprint("it failed ", n%3))
	}
	awaitAll(t, c, namespace, 50)
	endWithin(t, all, time.Minute)
	for _, p := range all[:2] {
		if s := p.stats(); s.Lost.Refused != 50 || s.Lost.Total() != 50 || s.Written != 50 {
			t.Errorf("%s: %+v", p.name, s)
		}
	}
}

// denyReason has a ValidatingAdmissionPolicy deny events of a reason.
func denyReason(t *testing.T, clients kubernetes.Interface, reason string) {
	t.Helper()
	denyEvents(t, clients, fmt.Sprintf("object.reason != %q", reason), admissionv1.Create, admissionv1.Update)
	probe := newNamespace(t, clients)
	if !awaitWithin(faultBound, func() bool { return probeEvent(t.Context(), clients, probe, reason) != nil }) {
		t.Fatal("the policy denies nothing")
	}
}

// denyEvents makes a ValidatingAdmissionPolicy for events, which holds from some moment on.
func denyEvents(t *testing.T, clients kubernetes.Interface, expression string, operations ...admissionv1.OperationType) {
	t.Helper()
	admission := clients.AdmissionregistrationV1()
	policy := &admissionv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "reasons"}, Spec: admissionv1.ValidatingAdmissionPolicySpec{
		MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
			Operations: operations,
			Rule:       admissionv1.Rule{APIGroups: []string{"", "events.k8s.io"}, APIVersions: []string{"v1"}, Resources: []string{"events"}},
		}}}},
		Validations: []admissionv1.Validation{{Expression: expression}},
	}}
	binding := &admissionv1.ValidatingAdmissionPolicyBinding{ObjectMeta: metav1.ObjectMeta{Name: "reasons"}, Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{
		PolicyName: "reasons", ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny},
	}}
	if _, err := admission.ValidatingAdmissionPolicies().Create(t.Context(), policy, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := admission.ValidatingAdmissionPolicyBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// restartsVariable asks for another number of restarts than the gate's.
const restartsVariable = "EVENT_GEN_RESTARTS"

// restarts is how often the API server is restarted: ten times, which take a minute, or as often as
// is asked for.
func restarts() int {
	if n, err := strconv.Atoi(os.Getenv(restartsVariable)); err == nil {
		return n
	}
	return 10
}
