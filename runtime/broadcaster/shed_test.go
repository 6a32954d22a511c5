package broadcaster_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
)

const shedLine = `"msg"="Events were lost because a bound was reached; raise the option, unless the server is away" "error"=null `

// bounded are the options of a broadcaster whose sink never answers, with one shard and bounds.
func bounded(identities int, bytes int64) (opts broadcaster.Options, release func()) {
	hang := make(chan struct{})
	sink := sinkFunc(func(context.Context, *runtime.Write) runtime.Answer {
		<-hang
		return runtime.Answer{Outcome: runtime.Done}
	})
	return broadcaster.Options{Sink: sink, Shards: 1, Workers: 1,
		Correlator: correlator.Options{MaxIdentities: identities, MaxBytes: bytes}}, func() { close(hang) }
}

func TestSheddingIsSaidWhenItBeginsAndThenOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts, release := bounded(100, 0)
		b, log := start(t, opts)
		for n := range 3000 { // for 5 minutes, 10 a second
			b.Publish(createdEvent(fmt.Sprintf("job-%d", n), n))
			time.Sleep(100 * time.Millisecond)
			if n == 205 && len(log.all()) != 1 { // it began after 10 s
				t.Errorf("10.5 s after it began: logged %q", log.all())
			}
		}
		if got := len(log.all()); got < 4 || got > 5 {
			t.Errorf("%d lines in 290 s of shedding", got)
		}
		release()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if got := shedSaid(t, log, "MaxIdentities"); got != b.Stats().Lost.Shed || got != 2900 {
			t.Errorf("%d said to be shed, %d were", got, b.Stats().Lost.Shed)
		}
	})
}

var shedCount = regexp.MustCompile(`"shedSinceLastLine"=(\d+) "pending"=\d+$`)

// shedSaid adds up what the lines say was shed. All must name the option.
func shedSaid(t *testing.T, log *lines, option string) (sum uint64) {
	t.Helper()
	for _, line := range log.all() {
		found := shedCount.FindStringSubmatch(line)
		if !strings.HasPrefix(line, shedLine+`"option"="`+option+`" `) || found == nil {
			t.Errorf("logged %s", line)
			continue
		}
		n, _ := strconv.ParseUint(found[1], 10, 64)
		sum += n
	}
	return sum
}

func TestSheddingNamesTheOptionToRaise(t *testing.T) {
	tests := []struct {
		name       string
		identities int
		bytes      int64
		option     string
	}{
		{"many", 10, 0, "MaxIdentities"},
		{"large", 0, 10_000, "MaxBytes"},
		{"next to nothing has room", 0, 4_000, "MaxBytes"},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			opts, release := bounded(tt.identities, tt.bytes)
			b, log := start(t, opts)
			publishJobs(b, 200)
			time.Sleep(10 * time.Second)
			synctest.Wait()
			shed := b.Stats().Lost.Shed
			if got := shedSaid(t, log, tt.option); got != shed || got == 0 {
				t.Errorf("%s: %d said to be shed, %d were", tt.name, got, shed)
			}
			release()
			if err := b.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestEachShardSaysItsBound fills a shard with events, and another with annotations. A shard that is full and has lost nothing
// says nothing.
func TestEachShardSaysItsBound(t *testing.T) {
	tests := []struct {
		many, large int
		options     string
	}{
		{30, 8, "MaxIdentities, MaxBytes"},
		{20, 8, "MaxBytes"},
		{30, 0, "MaxIdentities"},
	}
	many, large := objectsOfTwoShards()
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			opts, release := bounded(40, 80_000)
			opts.Shards = 2
			b, log := start(t, opts)
			for n := range tt.many {
				b.Publish(createdEvent(many, n))
			}
			annotated := runtime.NewRecorder(b).WithAnnotations(largeAnnotations())
			for n := range tt.large {
				annotated.Emit(createdEvent(large, n))
			}
			time.Sleep(10 * time.Second)
			synctest.Wait()
			shed := b.Stats().Lost.Shed
			if got := shedSaid(t, log, tt.options); got != shed || got == 0 {
				t.Errorf("%s: %d said to be shed, %d were", tt.options, got, shed)
			}
			release()
			if err := b.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func largeAnnotations() map[string]string {
	annotations := map[string]string{}
	for n := range 8 {
		annotations[fmt.Sprintf("example.com/%d", n)] = strings.Repeat("x", 1000)
	}
	return annotations
}

// objectsOfTwoShards are names of jobs, one in each of two shards.
func objectsOfTwoShards() (first, second string) {
	half := func(name string) uint64 {
		e := createdEvent(name, 0)
		return correlator.ObjectHash(&e) >> 63
	}
	for n := 0; first == "" || second == ""; n++ {
		if name := fmt.Sprintf("job-%d", n); half(name) == 0 {
			first = name
		} else {
			second = name
		}
	}
	return first, second
}

func TestWhatIsShedLastIsSaidByShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts, release := bounded(10, 0)
		b, log := start(t, opts)
		publishJobs(b, 200)
		release()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		shed := b.Stats().Lost.Shed
		if got := shedSaid(t, log, "MaxIdentities"); got != shed || got < 180 {
			t.Errorf("%d said to be shed, %d were", got, shed)
		}
	})
}

func TestWhatIsAcknowledgedGivesWayInSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, log := start(t, broadcaster.Options{Sink: newStore(), Shards: 1, Correlator: correlator.Options{MaxIdentities: 10}})
		for n := range 200 {
			b.Publish(createdEvent(fmt.Sprintf("job-%d", n), n))
			synctest.Wait()
		}
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if stats := b.Stats(); stats.Identities > 10 || stats.Written != 200 {
			t.Errorf("%+v", stats)
		}
		expectLines(t, log)
	})
}
