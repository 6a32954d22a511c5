package cluster

import (
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// childAttributes puts a server into a process group of its own, so that Ctrl-C in a terminal
// reaches only the test, which then ends its servers; and has the kernel kill it when the thread
// that started it ends, which is when the test process does.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitStopped waits until a child that was sent SIGSTOP has stopped, which it has not when kill
// returns: its threads stop one by one. The child stays waitable for whoever waits for its end.
func awaitStopped(pid int) error {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			if err != nil {
				return fmt.Errorf("wait for process %d to stop: %w", pid, err)
			}
			return nil
		}
	}
}
