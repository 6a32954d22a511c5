package broadcaster_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink"
)

const evictedLine = `"msg"="Events were lost because a bound was reached; raise the option, unless the server is away" "error"=null `

// bounded are the options of a broadcaster whose sink never answers, with bounds.
func bounded(identities int, bytes int64) (opts broadcaster.Options, release func()) {
	hang := make(chan struct{})
	target := sinkFunc(func(context.Context, *sink.Write) sink.Answer {
		<-hang
		return sink.Answer{Outcome: sink.Done}
	})
	return broadcaster.Options{Sink: target, Correlator: correlator.Options{OneCall: true, MaxEvents: identities, MaxBytes: bytes}}, func() { close(hang) }
}

func TestEvictionIsSaidWhenItBeginsAndThenOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts, release := bounded(100, 0)
		b, log := start(t, opts)
		for n := range 3000 { // for 5 minutes, 10 a second
			b.Publish(createdEvent(fmt.Sprintf("job-%d", n), n))
			time.Sleep(100 * time.Millisecond)
			if n == 205 && len(evictionLines(log)) != 1 { // it began after 10 s
				t.Errorf("10.5 s after it began: logged %q", log.all())
			}
		}
		if got := len(evictionLines(log)); got < 4 || got > 5 {
			t.Errorf("%d lines in 290 s of eviction", got)
		}
		release()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if got := evictionsSaid(t, log, "MaxEvents"); got != b.Stats().Lost.Evicted || got != 2900 {
			t.Errorf("%d said to be evicted, %d were", got, b.Stats().Lost.Evicted)
		}
	})
}

var evictedCount = regexp.MustCompile(`"evictedSinceLastLine"=(\d+) "namespace"="\w+" "pending"=\d+$`)

// evictionLines are the lines, but for those about the outage.
func evictionLines(log *lines) []string {
	return slices.DeleteFunc(log.all(), func(line string) bool {
		return strings.Contains(line, "Events are not taken for now") || strings.Contains(line, "Events are taken again")
	})
}

// evictionsSaid adds up the losses in the lines. All lines must name the option.
func evictionsSaid(t *testing.T, log *lines, option string) (sum uint64) {
	t.Helper()
	for _, line := range evictionLines(log) {
		found := evictedCount.FindStringSubmatch(line)
		if !strings.HasPrefix(line, evictedLine+`"option"="`+option+`" `) || found == nil {
			t.Errorf("logged %s", line)
			continue
		}
		n, _ := strconv.ParseUint(found[1], 10, 64)
		sum += n
	}
	return sum
}

func TestEvictionNamesTheOptionToRaise(t *testing.T) {
	tests := []struct {
		name       string
		identities int
		bytes      int64
		option     string
	}{
		{"many", 10, 0, "MaxEvents"},
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
			evicted := b.Stats().Lost.Evicted
			if got := evictionsSaid(t, log, tt.option); got != evicted || got == 0 {
				t.Errorf("%s: %d said to be evicted, %d were", tt.name, got, evicted)
			}
			release()
			if err := b.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWhatIsEvictedLastIsSaidByShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opts, release := bounded(10, 0)
		b, log := start(t, opts)
		publishJobs(b, 200)
		release()
		if err := b.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		evicted := b.Stats().Lost.Evicted
		if got := evictionsSaid(t, log, "MaxEvents"); got != evicted || got < 180 {
			t.Errorf("%d said to be evicted, %d were", got, evicted)
		}
	})
}
