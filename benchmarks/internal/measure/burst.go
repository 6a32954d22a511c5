package measure

import (
	"sync"
	"time"
)

// Bursts records in bursts and times each burst alone: what a recorder does in the background between them is not the
// caller's time, and no burst is so long that a recorder with a bounded queue would lose events instead of recording them.
type Bursts struct {
	// Count bursts of Size calls each.
	Count, Size int
	// Settle waits, untimed, until the background has worked off what was recorded.
	Settle func(recorded int)
}

// Run returns the median over the bursts of the nanoseconds of one call. Call i is given i, counting through all bursts.
func (b Bursts) Run(call func(i int)) float64 {
	times := make([]float64, b.Count)
	for n := range times {
		start := time.Now()
		for i := n * b.Size; i < (n+1)*b.Size; i++ {
			call(i)
		}
		times[n] = float64(time.Since(start)) / float64(b.Size)
		b.Settle((n + 1) * b.Size)
	}
	return Median(times)
}

// RunParallel is Run with several goroutines at once, each of which makes Size calls a burst. The result is wall time
// divided by the calls of all of them.
func (b Bursts) RunParallel(goroutines int, call func(goroutine, i int)) float64 {
	times := make([]float64, b.Count)
	for n := range times {
		wall := together(goroutines, func(g int) {
			for i := n * b.Size; i < (n+1)*b.Size; i++ {
				call(g, i)
			}
		})
		times[n] = float64(wall) / float64(b.Size*goroutines)
		b.Settle((n + 1) * b.Size * goroutines)
	}
	return Median(times)
}

// together runs work in goroutines that start at once, and returns the time until all are done.
func together(goroutines int, work func(goroutine int)) time.Duration {
	start := make(chan struct{})
	var ready, done sync.WaitGroup
	for g := range goroutines {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			work(g)
		})
	}
	ready.Wait()
	began := time.Now()
	close(start)
	done.Wait()
	return time.Since(began)
}
