// Package certmanager shows how a reporter uses one text in three places.
package certmanager

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/examples/certmanager/certificateevents"
	"github.com/event-gen/event-gen/examples/certmanager/certmanagerv1"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// reporter reports what happens to Certificates: to people as events, to programs as conditions, to
// operators in the log.
type reporter struct {
	events certificateevents.Recorder
	log    *slog.Logger
}

// fail reports that issuing has failed. It makes the event once. Condition and log take reason and
// message from the event, so that the three can't differ.
func (r reporter) fail(certificate *certmanagerv1.Certificate, outcome certificateevents.IssuingFailedOutcome, why string) {
	event := certificateevents.NewIssuingFailed(certificate, outcome, why)
	certificate.Conditions = append(certificate.Conditions, metav1.Condition{
		Type: "Issuing", Status: metav1.ConditionFalse, Reason: event.Reason(), Message: event.Message(),
	})
	r.log.Info(event.Message(), "reason", event.Reason(), "certificate", certificate.Name)
	r.events.Emit(event)
}

// printer is a publisher that prints events.
type printer struct{}

func (printer) Publish(e eventrt.Event) {
	fmt.Printf("event: %s %s %s: %s\n", e.ReportingController(), e.Type(), e.Reason(), e.Message())
}

func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

func Example() {
	recorder := eventrt.NewRecorder(printer{}).WithReportingController("cert-manager-certificates-issuing")
	r := reporter{
		events: certificateevents.NewRecorder(recorder),
		log:    slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: withoutTime})),
	}
	certificate := &certmanagerv1.Certificate{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "shop"}}
	r.fail(certificate, certificateevents.IssuingFailedOutcomeDenied, "policy forbids *.example.com")
	c := certificate.Conditions[0]
	fmt.Printf("condition: %s=%s %s: %s\n", c.Type, c.Status, c.Reason, c.Message)
	// Output:
	// level=INFO msg="The certificate request has failed to complete and will be retried: policy forbids *.example.com" reason=Denied certificate=web
	// event: cert-manager-certificates-issuing Warning Denied: The certificate request has failed to complete and will be retried: policy forbids *.example.com
	// condition: Issuing=False Denied: The certificate request has failed to complete and will be retried: policy forbids *.example.com
}

// TestUnknownOutcome checks that an outcome that the catalog does not have can't be parsed, and
// that the zero value is rejected.
func TestUnknownOutcome(t *testing.T) {
	certificate := &certmanagerv1.Certificate{ObjectMeta: metav1.ObjectMeta{Name: "web"}}
	outcome, ok := certificateevents.ParseIssuingFailedOutcome("Timeout")
	if e := certificateevents.NewIssuingFailed(certificate, outcome, "x"); ok || !strings.Contains(e.Problem().String(), "none of its enum's constants") {
		t.Errorf("known: %t, problem %v", ok, e.Problem())
	}
}
