package broadcaster_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
)

// TestALimitHoldsForAllShards has events about many objects, which are in all shards, share two tokens and one more a second.
func TestALimitHoldsForAllShards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory := sink.NewMemory()
		b, log := start(t, broadcaster.Options{Sink: memory, Shards: 8})
		limit := &runtime.Limit{Name: "slow", Every: time.Second, Burst: 2, Wait: 10 * time.Second}
		def := &runtime.Definition{Name: "Nominated", Reason: "Nominated", Action: "Nominate", Type: runtime.Normal,
			Message: []runtime.Segment{{Text: "nominated"}}, Correlation: runtime.Correlation{Limit: limit}}
		for n := range 40 {
			b.Publish(runtime.NewEvent(def, job(fmt.Sprint("job-", n)), runtime.ObjectRef{}))
		}
		stored := []int{}
		for range 14 {
			synctest.Wait()
			stored = append(stored, len(memory.List()))
			time.Sleep(time.Second)
		}
		if want := "[2 3 4 5 6 7 8 9 10 11 12 12 12 12]"; fmt.Sprint(stored) != want {
			t.Errorf("stored, second by second: %v, want %s", stored, want)
		}
		if s := b.Stats(); s.Lost.Limited != 28 || s.Pending != 0 {
			t.Errorf("%+v", s)
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		// The shards lose theirs at one moment: the line may come between two of them, and the rest is said at the end.
		lines, said := log.all(), 0
		for _, line := range lines {
			var lost int
			if _, after, ok := strings.Cut(line, `waited too long for a token`); ok {
				_, after, _ = strings.Cut(after, `"lostSinceLastLine"=`)
				fmt.Sscan(after, &lost)
			}
			said += lost
		}
		if len(lines) > 2 || said != 28 {
			t.Errorf("logged %q", lines)
		}
	})
}
