package broadcaster_test

import (
	"context"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/eventfilter"
	"github.com/event-gen/event-gen/runtime/internal/fixture/cronjobevents"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

var nightly = &batchv1.CronJob{ObjectMeta: metav1.ObjectMeta{Namespace: "prod", Name: "nightly"}}

func Example() {
	stored := memory.New() // or kube.Auto(restConfig)
	b, err := broadcaster.New(broadcaster.Options{Sink: stored})
	if err != nil {
		panic(err)
	}
	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	for range 3 {
		rec.JobAlreadyActive(nightly)
	}
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err) // it says what is left
	}
	for _, e := range stored.List() {
		fmt.Println(e.Series.Count, e.Reason, e.Note)
	}
	// Output:
	// 3 JobAlreadyActive Not starting job because prior execution is running and concurrency policy is Forbid
}

// A subscriber sees every occurrence, merged or not.
func ExampleBroadcaster_Attach() {
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New()})
	if err != nil {
		panic(err)
	}
	b.Attach(broadcaster.Subscriber{Buffer: 100, Show: func(e eventrt.Event) { fmt.Println(e.Type(), e.Reason()) }})
	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	rec.JobAlreadyActive(nightly)
	rec.JobAlreadyActive(nightly)
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println("missed", b.Snapshot().Subscribers[0].Dropped)
	// Output:
	// Normal JobAlreadyActive
	// Normal JobAlreadyActive
	// missed 0
}

// Recording can be switched off while the program runs, for all events or for some. Nothing
// vanishes without a count.
func ExampleBroadcaster_SetFilter() {
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New()})
	if err != nil {
		panic(err)
	}
	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	var filter eventfilter.Filter
	if err := filter.Set("drop type=Normal namespace=prod; keep reason=SawCompletedJob"); err != nil {
		panic(err)
	}
	b.SetFilter(&filter)
	rec.JobAlreadyActive(nightly)
	for rule, dropped := range filter.Rules() {
		fmt.Println(rule, dropped)
	}
	b.SetFilter(nil)
	b.SetEnabled(false)
	rec.JobAlreadyActive(nightly)
	b.SetEnabled(true)
	rec.JobAlreadyActive(nightly)
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err)
	}
	s := b.Stats()
	fmt.Printf("recorded %d, written %d, disabled %d\n", s.Recorded, s.Written, s.Lost.Disabled)
	// Output:
	// drop type=Normal namespace=prod 1
	// keep reason=SawCompletedJob 0
	// recorded 3, written 1, disabled 2
}

type requestID struct{}

// What a context says goes with the events, without the broadcaster knowing any tracing library.
func ExampleOptions() {
	stored := memory.New()
	b, err := broadcaster.New(broadcaster.Options{
		Sink:     stored,
		TraceKey: "example.com/request",
		TraceID: func(ctx context.Context) string {
			id, _ := ctx.Value(requestID{}).(string)
			return id
		},
	})
	if err != nil {
		panic(err)
	}
	ctx := context.WithValue(context.Background(), requestID{}, "4bf92f35")
	rec := cronjobevents.NewRecorder(eventrt.NewRecorder(b))
	rec.WithContext(ctx).JobAlreadyActive(nightly)
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(stored.List()[0].Annotations["example.com/request"])
	// Output:
	// 4bf92f35
}
