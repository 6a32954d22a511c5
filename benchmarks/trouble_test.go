package benchmarks

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"
)

// TestOutage has a server away for 180 s, in simulated time, while events come about so many
// objects in so many namespaces. It prints the row of each recorder.
func TestOutage(t *testing.T) {
	for _, size := range []struct{ namespaces, objects int }{{1, 50}, {200, 1}, {2000, 1}} {
		for _, m := range makers {
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				sink := &store{keep: true, answer: func(string) error {
					if since := time.Since(begun); since >= 10*time.Second && since < 190*time.Second {
						return errAway
					}
					return nil
				}}
				r := m.make(sink, options{})
				recorded := 0
				for range 20 { // every 10 s, of each object once
					for n := range size.namespaces * size.objects {
						r.Distinct(cronJob(fmt.Sprint("ns-", n/size.objects), n), jobName(recorded))
						if recorded++; recorded%burst == 0 {
							// client-go's recorders drop what comes faster
							time.Sleep(time.Millisecond)
						}
					}
					time.Sleep(10 * time.Second)
				}
				time.Sleep(time.Minute)
				must(r.Shutdown(context.Background()))
				time.Sleep(time.Minute)
				lost, failed := recorded-sink.stored(), sink.failed.Load()
				fmt.Printf("BenchmarkOutage/size=%dx%d/recorder=%s 1 %d lost %d failed-calls\n", size.namespaces, size.objects, m.name, lost, failed)
				if m.name == "event-gen" && (lost != 0 || failed > 216) {
					t.Errorf("%d×%d: %d lost, %d failed calls; expected none, and at most 216, 1.2 a second", size.namespaces, size.objects, lost, failed)
				}
			})
		}
	}
}

// TestShutdown records 500 events of 100 objects for a server that takes 2 ms, and shuts the
// recorder down at once, in simulated time. What is stored when Shutdown returns outlives the
// process.
func TestShutdown(t *testing.T) {
	for _, m := range makers {
		synctest.Test(t, func(t *testing.T) {
			const events = 500
			sink := &store{keep: true, delay: 2 * time.Millisecond}
			r := m.make(sink, options{})
			for n := range events {
				r.Distinct(cronJob("benchmarks", n%100), jobName(n))
			}
			must(r.Shutdown(context.Background()))
			lost := events - sink.stored()
			fmt.Printf("BenchmarkShutdown/recorder=%s 1 %d lost\n", m.name, lost)
			if m.name == "event-gen" && lost != 0 {
				t.Errorf("%d of %d events are not stored when Shutdown returns", lost, events)
			}
			time.Sleep(time.Minute)
		})
	}
}

// TestNoRights has 1,000 namespaces without the right to write events beside one that has it, in
// simulated time: an event in each namespace every minute, and one in the healthy namespace every
// second.
func TestNoRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const seconds = 300
		sink := &store{keep: true, answer: func(namespace string) error {
			if namespace != "healthy" {
				return errForbidden
			}
			return nil
		}}
		r := newEventGen(sink, options{unlimited: true}).(*eventGen)
		for second := range seconds {
			for n := 0; second%60 == 0 && n < 1000; n++ {
				r.Distinct(cronJob(fmt.Sprint("ns-", n), second), jobName(second))
			}
			r.Distinct(cronJob("healthy", second), jobName(second))
			time.Sleep(time.Second)
			if got := sink.stored(); got < second-4 {
				t.Fatalf("after %d s only %d events of the healthy namespace are stored", second, got)
			}
		}
		failed := float64(sink.failed.Load()) / seconds
		ended, cancel := context.WithCancel(context.Background())
		cancel()
		_ = r.Shutdown(ended)
		fmt.Printf("BenchmarkNoRights/namespaces=1000/recorder=event-gen 1 %.1f failed-calls/s\n", failed)
		if failed > 10 {
			t.Errorf("%.1f failed calls a second, expected at most 10", failed)
		}
	})
}
