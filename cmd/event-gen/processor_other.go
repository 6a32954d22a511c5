//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime is the time of the clock, where the processor's is not at hand.
func processorTime() time.Duration { return time.Since(started) }
