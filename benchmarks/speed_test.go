package benchmarks

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

// burst is as many calls as no recorder's queue is too short for.
const burst = 250

// each runs a benchmark for each recorder.
func each(b *testing.B, o options, run func(b *testing.B, r recorder)) {
	for _, m := range makers {
		b.Run("recorder="+m.name, func(b *testing.B) {
			r := m.make(&store{}, o)
			defer r.Shutdown(context.Background())
			run(b, r)
		})
	}
}

// BenchmarkRepeat is the caller's time of a repeat, in bursts between which the clock stands still.
func BenchmarkRepeat(b *testing.B) {
	for _, objects := range []int{1, 100_000} {
		b.Run(fmt.Sprintf("objects=%d", objects), func(b *testing.B) {
			all := cronJobs(objects)
			each(b, options{}, func(b *testing.B, r recorder) {
				if objects > 1 && isPeer(r) {
					b.Skip("its cache of 4,096 forgets the others")
				}
				for i, o := range all {
					r.Repeat(o)
					if i%burst == 0 {
						r.Settle(i+1, 0)
					}
				}
				r.Settle(len(all), 0)
				b.ReportAllocs()
				b.ResetTimer()
				for done := 0; done < b.N; {
					for range min(burst, b.N-done) {
						r.Repeat(all[done%len(all)])
						done++
					}
					b.StopTimer()
					r.Settle(len(all)+done, 0)
					b.StartTimer()
				}
			})
		})
	}
}

func isPeer(r recorder) bool {
	_, own := r.(*eventGen)
	return !own
}

// BenchmarkRepeatInParallel is the caller's time of repeats from four goroutines about objects of
// their own. client-go's recorders drop what their queue has no room for; the clock does not stand
// still for them here.
func BenchmarkRepeatInParallel(b *testing.B) {
	each(b, options{}, func(b *testing.B, r recorder) {
		all := cronJobs(4)
		var wg sync.WaitGroup
		b.ResetTimer()
		for n := range 4 {
			wg.Go(func() {
				for range b.N / 4 {
					r.Repeat(all[n])
				}
			})
		}
		wg.Wait()
	})
}

// BenchmarkDistinct is the processor time of the whole process for an event that no other equals,
// from the call until the sink, which does nothing, has answered. Aggregation and budgets are off.
func BenchmarkDistinct(b *testing.B) {
	each(b, options{unlimited: true}, func(b *testing.B, r recorder) {
		objects, jobs := cronJobs(1000), jobNames(b.N)
		runtime.GC()
		b.ReportAllocs()
		b.ResetTimer()
		before := cpu()
		for i, job := range jobs {
			r.Distinct(objects[i%len(objects)], job)
			if i%burst == burst-1 {
				r.Settle(0, i+1)
			}
		}
		r.Settle(0, b.N)
		b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
	})
}

// cpu is the processor time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCreates is the rate of 20,000 creates through a sink that takes 2 ms, as a part of what
// goroutines reach that only sleep: eight for one namespace, sixteen for four.
func BenchmarkCreates(b *testing.B) {
	const creates = 20_000
	for _, c := range []struct{ namespaces, sleepers int }{{1, 8}, {4, 16}} {
		b.Run(fmt.Sprintf("namespaces=%d/recorder=event-gen", c.namespaces), func(b *testing.B) {
			for b.Loop() {
				slept := sleepers(c.sleepers, creates)
				r := newEventGen(&store{delay: 2 * time.Millisecond}, options{unlimited: true})
				begun := time.Now()
				for n := range creates {
					r.Distinct(cronJob(fmt.Sprint("ns-", n%c.namespaces), n%1000), jobName(n))
				}
				r.Settle(0, creates)
				b.ReportMetric(100*float64(slept)/float64(time.Since(begun)), "%-of-sleepers")
				must(r.Shutdown(context.Background()))
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// sleepers is the time in which goroutines that only sleep get through so many calls.
func sleepers(goroutines, calls int) time.Duration {
	begun := time.Now()
	var wg sync.WaitGroup
	for range goroutines {
		wg.Go(func() {
			for range calls / goroutines {
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	return time.Since(begun)
}
