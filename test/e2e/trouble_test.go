package e2e

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/clientgo"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// timedSink notes when each object's first event was stored.
type timedSink struct {
	runtime.Sink
	mu     sync.Mutex
	stored map[string]time.Time
}

func timed(s runtime.Sink) *timedSink { return &timedSink{Sink: s, stored: map[string]time.Time{}} }

func (s *timedSink) Write(ctx context.Context, w *runtime.Write) runtime.Answer {
	a := s.Sink.Write(ctx, w)
	if a.Outcome == runtime.Done {
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

// TestAWebhookThatIsDownForOneNamespace records a thousand objects of a namespace whose webhook is down, and beside them 360 events of a
// healthy one, through the pipeline and through the drop-in.
func TestAWebhookThatIsDownForOneNamespace(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	bad, good := newNamespace(t, clients), newNamespace(t, clients)
	breakWebhook(t, clients, bad)
	sink := timed(kube.Auto(c.RESTConfig()))
	b := newBroadcaster(t, sink)
	r := runtime.NewRecorder(b)
	dropin := clientgo.NewBroadcaster()
	unlimited := c.RESTConfig()
	unlimited.QPS = -1
	peer, err := kubernetes.NewForConfig(unlimited)
	if err != nil {
		t.Fatal(err)
	}
	dropin.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: peer.CoreV1().Events("")})
	dropinRecorder := dropin.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "dropin"})
	for n := range 1000 {
		r.Forward(newPod(bad, fmt.Sprint("bad-", n)), runtime.Warning, "Failed", "Try", "it failed")
		dropinRecorder.Event(newPod(bad, fmt.Sprint("dropin-bad-", n)), corev1.EventTypeWarning, "Failed", "it failed")
	}
	time.Sleep(2 * time.Second)
	recorded := map[string]time.Time{}
	for n := range 360 {
		pod := newPod(good, fmt.Sprint("good-", n))
		recorded[good+"/"+pod.Name] = time.Now()
		r.Forward(pod, runtime.Normal, "Started", "Start", "it started")
		dropinRecorder.Event(newPod(good, fmt.Sprint("dropin-good-", n)), corev1.EventTypeNormal, "Started", "it started")
		time.Sleep(20 * time.Millisecond)
	}
	const most = 10 * time.Second
	awaitStored(t, c, good, 720, most)
	if d, n := sink.slowest(recorded); n != 360 || d > most {
		t.Errorf("%d of 360 events of a healthy namespace were stored, the slowest after %v", n, d)
	} else {
		t.Logf("the slowest of 360 events of a healthy namespace was stored after %v", d)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_ = dropin.ShutdownWithContext(ctx)
	_ = b.Shutdown(ctx)
}

// breakWebhook has events of a namespace refused by a webhook that nobody serves.
func breakWebhook(t *testing.T, clients kubernetes.Interface, namespace string) {
	t.Helper()
	nobody, fail, none := "https://127.0.0.1:9/", admissionv1.Fail, admissionv1.SideEffectClassNone
	_, err := clients.AdmissionregistrationV1().ValidatingWebhookConfigurations().Create(t.Context(), &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "down"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "down.example.com", FailurePolicy: &fail, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			ClientConfig:      admissionv1.WebhookClientConfig{URL: &nobody},
			NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelMetadataName: namespace}},
			Rules: []admissionv1.RuleWithOperations{{
				Operations: []admissionv1.OperationType{admissionv1.OperationAll},
				Rule:       admissionv1.Rule{APIGroups: []string{"", "events.k8s.io"}, APIVersions: []string{"*"}, Resources: []string{"events"}},
			}},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for {
		_, err := clients.CoreV1().Events(namespace).Create(t.Context(), &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{GenerateName: "probe-"}, InvolvedObject: corev1.ObjectReference{Namespace: namespace},
		}, metav1.CreateOptions{})
		if apierrors.IsInternalError(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the webhook refuses nothing: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// awaitStored waits until a namespace holds so many occurrences.
func awaitStored(t *testing.T, c *cluster.Cluster, namespace string, want int32, within time.Duration) {
	t.Helper()
	deadline := time.Now().Add(within)
	for {
		got := storedOccurrences(t, c, namespace)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Errorf("%d of %d stored after %v", got, want, within)
			return
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// TestRestartsWithRightsFromRBAC restarts an API server while a recorder whose rights come from RBAC records: for a moment after its start
// the server refuses everybody. Nothing may be lost.
func TestRestartsWithRightsFromRBAC(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	namespace := newNamespace(t, clients)
	allowAll(t, clients, cluster.LimitedUser)
	b := newBroadcaster(t, kube.Auto(c.UserConfig(cluster.LimitedUser)))
	r := runtime.NewRecorder(b)
	ctx, cancel := context.WithCancel(t.Context())
	var recording sync.WaitGroup
	recording.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			r.Forward(newPod(namespace, fmt.Sprint("pod-", n%8)), runtime.Warning, "BackOff", "Restart", "Back-off restarting failed container")
			if n%20 == 0 {
				r.Forward(newPod(namespace, fmt.Sprint("new-", n)), runtime.Normal, "Started", "Start", "it started")
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
		time.Sleep(1500 * time.Millisecond)
	}
	cancel()
	recording.Wait()
	shutdown(t, b)
	s := b.Stats()
	stored := storedOccurrences(t, c, namespace)
	t.Logf("%d recorded, %d stored, %d failed calls", s.Recorded, stored, s.Retries)
	if s.Lost.Total() != 0 || uint64(stored) != s.Recorded {
		t.Errorf("stored %d of %d: %+v", stored, s.Recorded, s)
	}
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

// TestANamespaceThatIsMadeAgain deletes a namespace while events about it are recorded, and makes it again at once.
func TestANamespaceThatIsMadeAgain(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	b := newBroadcaster(t, kube.Auto(c.RESTConfig()))
	r := runtime.NewRecorder(b)
	const name = "again"
	create := func() error {
		_, err := clients.CoreV1().Namespaces().Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		return err
	}
	remove := func() error {
		err := clients.CoreV1().Namespaces().Delete(t.Context(), name, metav1.DeleteOptions{})
		if err != nil {
			return err
		}
		// No controller runs that would finish: what it does is done here.
		_, err = clients.CoreV1().Namespaces().Finalize(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.UpdateOptions{})
		return err
	}
	if err := create(); err != nil {
		t.Fatal(err)
	}
	r.Forward(newPod(name, "first"), runtime.Normal, "Started", "Start", "it started")
	time.Sleep(time.Second)
	if err := remove(); err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		r.Forward(newPod(name, fmt.Sprint("pod-", n)), runtime.Normal, "Started", "Start", "it started")
		time.Sleep(20 * time.Millisecond)
	}
	if err := create(); err != nil {
		t.Fatal(err)
	}
	for n := range 100 {
		r.Forward(newPod(name, fmt.Sprint("late-", n)), runtime.Normal, "Started", "Start", "it started")
		time.Sleep(20 * time.Millisecond)
	}
	deadline := time.Now().Add(20 * time.Second)
	for b.Stats().Pending > 0 && time.Now().Before(deadline) {
		time.Sleep(100 * time.Millisecond)
	}
	if s := b.Stats(); s.Lost.Total() != 0 || s.Written != 201 {
		t.Errorf("accounts: %+v", s)
	}
	shutdown(t, b)
}

// TestOneSeat leaves a recorder one seat of priority and fairness, which another client of the same user fights for. No fewer events are
// stored than by client-go.
func TestOneSeat(t *testing.T) {
	c := startCluster(t)
	clients := newClientset(t, c)
	allowAll(t, clients, cluster.LimitedUser)
	oneSeat(t, clients, cluster.LimitedUser)
	config := c.UserConfig(cluster.LimitedUser)
	config.QPS = -1
	peers, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	play := func(begin func(namespace string) (record func(*corev1.Pod), end func())) int32 {
		namespace, other := newNamespace(t, clients), newNamespace(t, clients)
		ctx, cancel := context.WithCancel(t.Context())
		var rivals sync.WaitGroup
		for i := range 6 {
			rivals.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					_, _ = peers.CoreV1().Events(other).Create(ctx, &corev1.Event{
						ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("rival-%d-%d", i, n)}, InvolvedObject: corev1.ObjectReference{Namespace: other},
					}, metav1.CreateOptions{})
				}
			})
		}
		time.Sleep(time.Second)
		record, end := begin(namespace)
		for n := range 300 {
			record(newPod(namespace, fmt.Sprint("pod-", n)))
			time.Sleep(30 * time.Millisecond)
		}
		stored := int32(0)
		for deadline := time.Now().Add(10 * time.Second); stored < 300 && time.Now().Before(deadline); time.Sleep(500 * time.Millisecond) {
			stored = storedOccurrences(t, c, namespace)
		}
		end()
		cancel()
		rivals.Wait()
		return stored
	}
	theirs := play(func(string) (func(*corev1.Pod), func()) {
		b := record.NewBroadcaster()
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: peers.CoreV1().Events("")})
		r := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "peer"})
		return func(p *corev1.Pod) { r.Event(p, corev1.EventTypeWarning, "BackOff", "it backs off") }, b.Shutdown
	})
	ours := play(func(string) (func(*corev1.Pod), func()) {
		b := newBroadcaster(t, kube.CoreV1(c.UserConfig(cluster.LimitedUser)))
		r := runtime.NewRecorder(b)
		return func(p *corev1.Pod) { r.Forward(p, runtime.Warning, "BackOff", "Back", "it backs off") }, func() { shutdown(t, b) }
	})
	t.Logf("of 300 events client-go had %d stored, event-gen %d", theirs, ours)
	if ours < theirs {
		t.Errorf("client-go had %d stored, event-gen %d", theirs, ours)
	}
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
	b := newBroadcaster(t, kube.CoreV1(c.RESTConfig()))
	r := runtime.NewRecorder(b)
	for n := range 50 {
		pod := newPod(namespace, fmt.Sprint("pod-", n%10))
		r.Forward(pod, runtime.Warning, "Secret", "Tell", fmt.Sprint("do not tell ", n))
		r.Forward(pod, runtime.Warning, "Failed", "Try", fmt.Sprint("it failed ", n%3))
	}
	shutdown(t, b)
	s := b.Stats()
	if s.Lost.Refused != 50 || s.Lost.Total() != 50 || s.Written != 50 {
		t.Errorf("accounts: %+v", s)
	}
	if stored := countStored(t, c, namespace); len(stored) == 0 {
		t.Error("nothing is stored")
	} else if total := sum(maps.Values(stored)); total != 50 {
		t.Errorf("stored %d", total)
	}
}

func sum(counts func(yield func(int32) bool)) (n int32) {
	for _, c := range slices.Collect(counts) {
		n += c
	}
	return n
}

// denyReason has a ValidatingAdmissionPolicy deny events of a reason.
func denyReason(t *testing.T, clients kubernetes.Interface, reason string) {
	t.Helper()
	admission := clients.AdmissionregistrationV1()
	policy := &admissionv1.ValidatingAdmissionPolicy{ObjectMeta: metav1.ObjectMeta{Name: "reasons"}, Spec: admissionv1.ValidatingAdmissionPolicySpec{
		MatchConstraints: &admissionv1.MatchResources{ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
			Operations: []admissionv1.OperationType{admissionv1.Create, admissionv1.Update},
			Rule:       admissionv1.Rule{APIGroups: []string{"", "events.k8s.io"}, APIVersions: []string{"v1"}, Resources: []string{"events"}},
		}}}},
		Validations: []admissionv1.Validation{{Expression: fmt.Sprintf("object.reason != %q", reason)}},
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
	probe := newNamespace(t, clients)
	deadline := time.Now().Add(30 * time.Second)
	for n := 0; ; n++ {
		_, err := clients.CoreV1().Events(probe).Create(t.Context(), &corev1.Event{
			ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("probe-", n)}, InvolvedObject: corev1.ObjectReference{Namespace: probe}, Reason: reason,
		}, metav1.CreateOptions{})
		if err != nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the policy denies nothing")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// restartsVariable asks for another number of restarts than the gate's.
const restartsVariable = "EVENT_GEN_RESTARTS"

// restarts is how often the API server is restarted: three times, which take a quarter of a minute, or as often as is asked for.
func restarts() int {
	if n, err := strconv.Atoi(os.Getenv(restartsVariable)); err == nil {
		return n
	}
	return 3
}
