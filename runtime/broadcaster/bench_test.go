package broadcaster_test

import (
	"context"
	"fmt"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/sink"
)

func cronJob(n int) *batchv1.CronJob {
	uid := types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", n))
	return &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("nightly-%d", n), Namespace: "prod", UID: uid, ResourceVersion: "123456"}}
}

// benchmark gives a function a recorder whose sink does nothing.
func benchmark(b *testing.B, prepare func(*broadcaster.Broadcaster), run func(cronjobevents.Recorder)) {
	target := sinkFunc(func(context.Context, *sink.Write) sink.Answer { return sink.Answer{Outcome: sink.Done} })
	bc, err := broadcaster.New(broadcaster.Options{Sink: target})
	if err != nil {
		b.Fatal(err)
	}
	defer bc.Shutdown(context.Background())
	prepare(bc)
	b.ReportAllocs()
	b.ResetTimer()
	run(cronjobevents.NewRecorder(eventrt.NewRecorder(bc)))
	b.StopTimer()
}

func asItIs(*broadcaster.Broadcaster) {}

// The cost of a repeat with each feature that may look at an event.
func BenchmarkRepeatWith(b *testing.B) {
	uses := []struct {
		name    string
		prepare func(*broadcaster.Broadcaster)
	}{
		{"nothing", asItIs},
		{"function as filter", func(bc *broadcaster.Broadcaster) { bc.SetFilter(eventfilter.Func(inProd)) }},
		{"filter of 50 rules", func(bc *broadcaster.Broadcaster) { bc.SetFilter(manyRules(50, aboutEvents)) }},
		{"filter of 50 rules about objects", func(bc *broadcaster.Broadcaster) { bc.SetFilter(manyRules(50, aboutObjects)) }},
		{"observer", func(bc *broadcaster.Broadcaster) {
			bc.AttachObserver(broadcaster.Observer{Recorded: func(*eventrt.Definition) {}})
		}},
		{"subscriber", func(bc *broadcaster.Broadcaster) { bc.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) {}}) }},
		{"recording off", func(bc *broadcaster.Broadcaster) { bc.SetEnabled(false) }},
	}
	for _, u := range uses {
		b.Run(u.name, func(b *testing.B) {
			benchmark(b, u.prepare, func(rec cronjobevents.Recorder) {
				c := cronJob(1)
				for b.Loop() {
					rec.JobAlreadyActive(c)
				}
			})
		})
	}
}
