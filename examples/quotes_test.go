package examples

import (
	"errors"
	"fmt"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/examples/cronjobevents"
)

// TestQuotedTextsAreThoseOnTheWire compares messages with the formats of Kubernetes
// (pkg/controller/cronjob/cronjob_controllerv2.go), which quote with %q.
func TestQuotedTextsAreThoseOnTheWire(t *testing.T) {
	cronJob := &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "nightly"}}
	err := errors.New(`expected "five" fields`)
	for _, text := range []string{"* * * * *", `"* * * * *"`, `C:\cron`, "é\u200b", ""} {
		for _, c := range []struct{ got, want string }{
			{cronjobevents.NewUnparseableSchedule(cronJob, text, err).Message(), fmt.Sprintf("unparseable schedule: %q : %s", text, err)},
			{cronjobevents.NewUnsupportedSchedule(cronJob, text).Message(), fmt.Sprintf("CRON_TZ or TZ used in schedule %q is not officially supported, "+
				"see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details", text)},
			{cronjobevents.NewUnknownTimeZone(cronJob, text, err).Message(), fmt.Sprintf("invalid timeZone: %q: %s", text, err)},
		} {
			if c.got != c.want {
				t.Errorf("message %s\nwant    %s", c.got, c.want)
			}
		}
	}
}
