package docs

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// TestDefaults compares the defaults that docs/operating-reference.md gives with the constants of
// the run time.
func TestDefaults(t *testing.T) {
	page := read(t, "docs/operating-reference.md")
	defaults, writer := correlator.Defaults()
	options := map[string]string{
		"`OneCall`":           "false",
		"`WriteTimeout`":      shownAs(writer.WriteTimeout),
		"`EventTTL`":          shownAs(defaults.EventTTL),
		"`MaxInterval`":       shownAs(defaults.MaxInterval),
		"`Burst`, `Every`":    shownAs(defaults.Burst, defaults.Every),
		"`MaxEvents`":         shownAs(defaults.MaxEvents),
		"`MaxBytes`":          "an eighth of the [process's limit](#memory), from 8 to " + shownAs(int(defaults.MaxBytes>>20)) + " MiB",
		"`Subscriber.Buffer`": strconv.Itoa(subscriberBuffer(t)),
	}
	for name, want := range options {
		if got := cellAfter(page, name); got != want {
			t.Errorf("docs/operating-reference.md: the default of %s is %q, in the code %q", name, got, want)
		}
	}
	bounds := fmt.Sprintf("Notes are cut to %d bytes of valid UTF-8, reporting instances to %d.", eventrt.MaxNoteBytes, eventrt.MaxReasonBytes)
	if !strings.Contains(strings.Join(strings.Fields(page), " "), bounds) {
		t.Errorf("docs/operating-reference.md lacks %q", bounds)
	}
}

// cellAfter is the second cell of the row that begins with a cell.
func cellAfter(page, first string) string {
	_, rest, _ := strings.Cut(page, "\n| "+first+" | ")
	cell, _, _ := strings.Cut(rest, " |")
	return cell
}

// shownAs is how the page writes numbers and durations.
func shownAs(values ...any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case time.Duration:
			texts[i] = shownDuration(v)
		case int:
			texts[i] = shownNumber(v)
		}
	}
	return strings.Join(texts, ", ")
}

func shownDuration(d time.Duration) string {
	switch {
	case d%time.Hour == 0:
		return fmt.Sprintf("%d h", d/time.Hour)
	case d%time.Minute == 0:
		return fmt.Sprintf("%d min", d/time.Minute)
	}
	return fmt.Sprintf("%v s", d.Seconds())
}

func shownNumber(n int) string {
	if n < 10_000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// subscriberBuffer is how many events wait at most for a subscriber without a Buffer.
func subscriberBuffer(t *testing.T) (waiting int) {
	t.Helper()
	b, err := broadcaster.New(broadcaster.Options{Sink: memory.New()})
	if err != nil {
		t.Fatal(err)
	}
	shown, hang := make(chan struct{}), make(chan struct{})
	b.Attach(broadcaster.Subscriber{Show: func(eventrt.Event) {
		shown <- struct{}{}
		<-hang
	}})
	pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "ns", Name: "pod"}
	r := eventrt.NewRecorder(b)
	r.Forward(pod, eventrt.Normal, "First", "", "")
	<-shown
	for b.Snapshot().Subscribers[0].Dropped == 0 {
		r.Forward(pod, eventrt.Normal, "Waits", "", "")
	}
	waiting = b.Snapshot().Subscribers[0].Waiting
	close(hang)
	go func() {
		for range waiting {
			<-shown
		}
	}()
	if err := b.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	return waiting
}
