package args

import (
	"errors"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/internal/output/emit/testdata/golden/args/argsevents"
	eventrt "github.com/event-gen/event-gen/runtime"
)

func TestArgs(t *testing.T) {
	var published eventrt.Event
	rec := eventrt.NewRecorder(publisher(func(e eventrt.Event) { published = e })).WithReportingController("host.example.com/x")
	r := argsevents.NewEventRecorder(rec)
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "d"}}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}}

	r.ScaleFailed(deployment, node, argsevents.ScaleFailedArgs{From: 1, To: 2, Cause: errors.New("no")})
	if got, want := published.Message(), "Cannot scale from 1 to 2 on n: no"; got != want {
		t.Errorf("the message is %q, want %q", got, want)
	}
	if got, want := published.ReportingController(), "host.example.com/x"; got != want {
		t.Errorf("the controller is %q, want that of the host, %q", got, want)
	}
	r.ScaleFailed(deployment, node, argsevents.ScaleFailedArgs{From: 2})
	now := published
	r.FailedScale(deployment, node, argsevents.FailedScaleArgs{From: 2})
	if got, made := published.Message(), argsevents.NewFailedScale(deployment, node, argsevents.FailedScaleArgs{From: 2}); got != now.Message() || made.Message() != got {
		t.Errorf("by its former name the event is %q, and made %q; want %q", got, made.Message(), now.Message())
	}
	r.EndedOnNode(node, argsevents.EndedArgs{Outcome: argsevents.EndedOutcomeWon, UID: "u"})
	if got, want := published.Reason()+" "+published.Type()+" "+published.Message(), "Won Normal u ended: Won"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

type publisher func(eventrt.Event)

func (p publisher) Publish(e eventrt.Event) { p(e) }
