package measure

import (
	"runtime"
	"syscall"
	"time"
)

// Allocations runs work, which makes n calls, and returns bytes and allocations of one call.
func Allocations(n int, work func()) (bytes, count float64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(n), float64(after.Mallocs-before.Mallocs) / float64(n)
}

// Heap is the number of bytes in use on the heap after garbage collection.
func Heap() uint64 {
	var m runtime.MemStats
	for range 3 { // finalizers and pools need more than one
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// CPU is the processor time that this process has used.
func CPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Goroutines samples the number of goroutines until the returned function is called, which returns the largest number seen.
func Goroutines() (most func() int) {
	stop, result := make(chan struct{}), make(chan int)
	go func() {
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		n := runtime.NumGoroutine()
		for {
			select {
			case <-stop:
				result <- n
				return
			case <-ticker.C:
				n = max(n, runtime.NumGoroutine())
			}
		}
	}()
	return func() int {
		close(stop)
		return <-result
	}
}
