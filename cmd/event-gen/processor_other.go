//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime returns the time since the start, because this system does not report processor
// time.
func processorTime() time.Duration { return time.Since(started) }
