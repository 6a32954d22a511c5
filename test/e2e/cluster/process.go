package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"
)

// stopBound is how long a server has between SIGTERM and SIGKILL.
const stopBound = time.Minute

// process is a server that was started. One goroutine owns it, from its start until it is reaped.
type process struct {
	name    string
	logFile string
	cmd     *exec.Cmd
	// closed once the process is reaped; cmd.ProcessState says how it ended then
	done chan struct{}
}

// startProcess starts a program in dir with an environment of its own, so that no ETCD_* or proxy
// variable of the caller changes what it does. Its output is appended to a file, so that it never
// waits for anybody to read it.
func startProcess(name, path, dir string, args []string) (*process, error) {
	logFile := filepath.Join(dir, name+".log")
	output, err := os.OpenFile(logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer output.Close()
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "TMPDIR=" + dir}
	cmd.Stdout, cmd.Stderr = output, output
	cmd.SysProcAttr = childAttributes()
	p := &process{name: name, logFile: logFile, cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go p.own(started)
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return p, nil
}

// own starts the process and waits for it on one operating system thread. Linux sends a child its
// parent-death signal when the thread that started it ends, not the whole parent; locking keeps the
// Go run time from ending that thread early.
func (p *process) own(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.done)
	err := p.cmd.Start()
	started <- err
	if err == nil {
		_ = p.cmd.Wait() // says nothing that ProcessState does not
	}
}

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) exited() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// stop ends the process with SIGTERM, and with SIGKILL after stopBound. A process that had ended
// before is an error.
func (p *process) stop() error {
	if p.exited() {
		return p.failure("ended by itself")
	}
	// a paused one acts on SIGTERM when it goes on
	err := errors.Join(p.signal(syscall.SIGTERM), p.signal(syscall.SIGCONT))
	bound := time.NewTimer(stopBound)
	defer bound.Stop()
	select {
	case <-p.done:
	case <-bound.C:
		p.kill()
	}
	return err
}

// kill ends the process with SIGKILL, which it cannot refuse, and waits until it is reaped.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // fails only when the process is reaped already
	<-p.done
}

// signal reports no error for a process that is gone.
func (p *process) signal(sig syscall.Signal) error {
	err := p.cmd.Process.Signal(sig)
	if err == nil || errors.Is(err, os.ErrProcessDone) {
		return nil
	}
	return fmt.Errorf("send %v to %s: %w", sig, p.name, err)
}
