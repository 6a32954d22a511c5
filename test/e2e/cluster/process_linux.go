package cluster

import "syscall"

// childAttributes puts a server into a process group of its own, so that Ctrl-C in a terminal reaches only the test, which then
// ends its servers; and has the kernel kill it when the thread that started it ends, which is when the test process does.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
