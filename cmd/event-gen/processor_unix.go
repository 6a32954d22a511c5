//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns the time that this process has used, and the commands that it ran and
// waited for.
func processorTime() time.Duration {
	var own, commands syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || syscall.Getrusage(syscall.RUSAGE_CHILDREN, &commands) != nil {
		return 0
	}
	return time.Duration(own.Utime.Nano() + own.Stime.Nano() + commands.Utime.Nano() + commands.Stime.Nano())
}
