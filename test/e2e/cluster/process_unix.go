//go:build unix && !linux

package cluster

import "syscall"

// childAttributes puts a server into a process group of its own, so that Ctrl-C in a terminal
// reaches only the test. There is no parent-death signal on these systems: a test process that is
// killed leaves its servers running.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

// awaitStopped does not wait here: the children of these systems are told to stop, and do soon.
func awaitStopped(int) error { return nil }
