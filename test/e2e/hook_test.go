package e2e

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// hook is an admission webhook for the events of some namespaces.
type hook struct {
	server *httptest.Server
	calls  atomic.Int64
	judge  atomic.Pointer[judge]
}

// judge answers a webhook's request about an event of an object. It may return a JSON patch. An error denies the event, and a judge that
// waits for the end of ctx makes the API server's call time out, after 10 s.
type judge func(ctx context.Context, operation admissionv1.Operation, object string) (patch string, err error)

// newHook registers a webhook that lets everything in, and returns when the API server calls it.
func newHook(t *testing.T, clients kubernetes.Interface, namespaces ...string) *hook {
	t.Helper()
	h := &hook{}
	h.pass()
	h.server = httptest.NewUnstartedServer(h)
	h.server.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of calls that are cut off
	h.server.StartTLS()
	t.Cleanup(func() {
		h.server.CloseClientConnections()
		h.server.Close()
	})
	fail, none := registrationv1.Fail, registrationv1.SideEffectClassNone
	configuration, err := clients.AdmissionregistrationV1().MutatingWebhookConfigurations().Create(t.Context(), &registrationv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "hook-"},
		Webhooks: []registrationv1.MutatingWebhook{{
			Name: "hook.example.com", FailurePolicy: &fail, SideEffects: &none, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: registrationv1.WebhookClientConfig{URL: &h.server.URL,
				CABundle: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: h.server.Certificate().Raw})},
			NamespaceSelector: &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
				{Key: corev1.LabelMetadataName, Operator: metav1.LabelSelectorOpIn, Values: namespaces}}},
			Rules: []registrationv1.RuleWithOperations{{
				Operations: []registrationv1.OperationType{registrationv1.Create, registrationv1.Update},
				Rule:       registrationv1.Rule{APIGroups: []string{"", "events.k8s.io"}, APIVersions: []string{"*"}, Resources: []string{"events"}},
			}},
		}},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = clients.AdmissionregistrationV1().MutatingWebhookConfigurations().Delete(context.WithoutCancel(t.Context()), configuration.Name, metav1.DeleteOptions{})
	})
	called := awaitWithin(faultBound, func() bool {
		probeEvent(t, clients, namespaces[0], "probe")
		time.Sleep(50 * time.Millisecond)
		return h.calls.Load() > 0
	})
	if !called {
		t.Fatal("the API server does not call the webhook")
	}
	return h
}

func (h *hook) set(j judge) { h.judge.Store(&j) }

// pass lets every event in.
func (h *hook) pass() {
	h.set(func(context.Context, admissionv1.Operation, string) (string, error) { return "", nil })
}

// hang lets no call come back until the API server gives up.
func (h *hook) hang() {
	h.set(func(ctx context.Context, _ admissionv1.Operation, _ string) (string, error) {
		<-ctx.Done()
		return "", nil
	})
}

// ServeHTTP implements http.Handler.
func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	var event struct{ Regarding, InvolvedObject corev1.ObjectReference }
	if json.NewDecoder(r.Body).Decode(&review) != nil || json.Unmarshal(review.Request.Object.Raw, &event) != nil {
		http.Error(w, "expected an AdmissionReview of an event", http.StatusBadRequest)
		return
	}
	h.calls.Add(1)
	patch, err := (*h.judge.Load())(r.Context(), review.Request.Operation, event.Regarding.Name+event.InvolvedObject.Name)
	review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Allowed: err == nil}
	if err != nil {
		review.Response.Result = &metav1.Status{Message: err.Error()}
	}
	if patch != "" {
		kind := admissionv1.PatchTypeJSONPatch
		review.Response.Patch, review.Response.PatchType = []byte(patch), &kind
	}
	_ = json.NewEncoder(w).Encode(review) // the API server may have given up
}

// probeEvent makes an event of the core group, and returns how the server refuses it.
func probeEvent(t *testing.T, clients kubernetes.Interface, namespace, reason string) error {
	t.Helper()
	_, err := clients.CoreV1().Events(namespace).Create(t.Context(), &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "probe-"}, InvolvedObject: corev1.ObjectReference{Namespace: namespace, Name: "probe"}, Reason: reason,
	}, metav1.CreateOptions{})
	return err
}
