//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime returns the time of the clock, because this system does not give the processor's.
func processorTime() time.Duration { return time.Since(started) }
