//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this process and of the commands that it ran and
// waited for.
func processorTime() time.Duration {
	var own, commands syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || syscall.Getrusage(syscall.RUSAGE_CHILDREN, &commands) != nil {
		return 0
	}
	return time.Duration(own.Utime.Nano() + own.Stime.Nano() + commands.Utime.Nano() + commands.Stime.Nano())
}
