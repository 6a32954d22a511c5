// Package webhook has admission webhooks for events, which tests play trouble with.
package webhook

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync/atomic"

	admissionv1 "k8s.io/api/admission/v1"
	registrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// Hook is an admission webhook for the events of some namespaces. It is safe for concurrent use.
type Hook struct {
	// Calls counts the API server's calls.
	Calls atomic.Int64

	server  *httptest.Server
	judge   atomic.Pointer[Judge]
	clients kubernetes.Interface
	name    string
	up      context.Context // until Down
	down    context.CancelFunc
}

// Judge answers a webhook's request about an event of an object. It may return a JSON patch. An
// error denies the event, and a Judge that waits for the end of ctx makes the API server's call
// time out, after 10 s.
type Judge func(ctx context.Context, operation admissionv1.Operation, object string) (patch string, err error)

// Pass lets every event in.
func Pass(context.Context, admissionv1.Operation, string) (string, error) { return "", nil }

// Hang lets no call come back until the API server gives up.
func Hang(ctx context.Context, _ admissionv1.Operation, _ string) (string, error) {
	<-ctx.Done()
	return "", nil
}

// Refuse denies every event.
func Refuse(context.Context, admissionv1.Operation, string) (string, error) {
	return "", errors.New("no events today")
}

// New registers a webhook. The API server calls it a moment later. End it with Close.
func New(ctx context.Context, clients kubernetes.Interface, judge Judge, namespaces ...string) (*Hook, error) {
	h := &Hook{clients: clients}
	h.up, h.down = context.WithCancel(context.WithoutCancel(ctx))
	h.Set(judge)
	h.server = httptest.NewUnstartedServer(h)
	h.server.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of calls that are cut off
	h.server.StartTLS()
	made, err := clients.AdmissionregistrationV1().MutatingWebhookConfigurations().Create(ctx, h.configuration(namespaces), metav1.CreateOptions{})
	if err != nil {
		h.server.Close()
		return nil, err
	}
	h.name = made.Name
	return h, nil
}

func (h *Hook) configuration(namespaces []string) *registrationv1.MutatingWebhookConfiguration {
	fail, none := registrationv1.Fail, registrationv1.SideEffectClassNone
	return &registrationv1.MutatingWebhookConfiguration{
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
	}
}

// Set changes the webhook's answers.
func (h *Hook) Set(j Judge) { h.judge.Store(&j) }

// Down has nobody answer any more, for good. Calls that hang end with it, because the server does
// not always notice that their client is gone.
func (h *Hook) Down() {
	h.down()
	h.server.CloseClientConnections()
	h.server.Close()
}

// Unregister has the API server call no more.
func (h *Hook) Unregister(ctx context.Context) error {
	return h.clients.AdmissionregistrationV1().MutatingWebhookConfigurations().Delete(ctx, h.name, metav1.DeleteOptions{})
}

// Close ends the webhook. If the registration can't be deleted, the API server goes on calling, and
// refuses events.
func (h *Hook) Close(ctx context.Context) error {
	defer h.Down()
	return h.Unregister(ctx)
}

// ServeHTTP implements http.Handler.
func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var review admissionv1.AdmissionReview
	var event struct{ Regarding, InvolvedObject corev1.ObjectReference }
	if json.NewDecoder(r.Body).Decode(&review) != nil || json.Unmarshal(review.Request.Object.Raw, &event) != nil {
		http.Error(w, "expected an AdmissionReview of an event", http.StatusBadRequest)
		return
	}
	h.Calls.Add(1)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(h.up, cancel)()
	patch, err := (*h.judge.Load())(ctx, review.Request.Operation, event.Regarding.Name+event.InvolvedObject.Name)
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
