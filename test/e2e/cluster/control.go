package cluster

import (
	"context"
	"errors"
	"syscall"

	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

var (
	errEtcdRuns     = errors.New("etcd is running: call KillEtcd first")
	errNoEtcd       = errors.New("etcd is not running: call StartEtcd first")
	errStopped      = errors.New("the cluster is stopped: start another one")
	errNotRunning   = errors.New("kube-apiserver is not running: call StartAPIServer first")
	errNoEventsEtcd = errors.New("events have no etcd of their own: set Options.EventsEtcd")
	errRunning      = errors.New("kube-apiserver is running: call StopAPIServer or KillAPIServer first")
)

// StopAPIServer plays an orderly outage: it ends the API server with SIGTERM, and after 15 seconds
// with SIGKILL. Its port answers no connection until StartAPIServer; etcd and its data stay. It is
// an error when the server does not run or had ended by itself.
func (c *Cluster) StopAPIServer() error {
	return c.endAPIServer((*process).stop)
}

// KillAPIServer plays a crash: it ends the API server with SIGKILL, so that requests and watches
// break off. Otherwise it is like StopAPIServer.
func (c *Cluster) KillAPIServer() error {
	return c.endAPIServer(func(p *process) error {
		if p.exited() {
			return p.failure("ended by itself")
		}
		p.kill()
		return nil
	})
}

func (c *Cluster) endAPIServer(end func(*process) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.apiServerRuns(); err != nil {
		return err
	}
	p := c.apiServer
	c.apiServer = nil
	return end(p)
}

// StartAPIServer ends an outage: it starts the API server on the same port, with the same
// certificate, tokens and data, and returns once it is ready, as Start does. Arguments follow those
// of Options, for this start only. On an error it is stopped still. It is an error when the server
// runs.
func (c *Cluster) StartAPIServer(ctx context.Context, args ...string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.stopped:
		return errStopped
	case c.apiServer != nil:
		return errRunning
	}
	err := c.startAPIServer(ctx, args...)
	if err != nil && c.apiServer != nil {
		c.apiServer.kill()
		c.apiServer = nil
	}
	return err
}

// PauseAPIServer plays a server that hangs: it stops the API server's process with SIGSTOP, so that
// connections are accepted by the kernel and nothing answers. An answer that is on its way already
// may still arrive. Stop works on a paused server too. It returns when all threads of the server
// have stopped (on Linux; elsewhere when they have been told to).
func (c *Cluster) PauseAPIServer() error {
	if err := c.signalAPIServer(syscall.SIGSTOP); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.apiServerRuns(); err != nil {
		return err
	}
	return awaitStopped(c.apiServer.cmd.Process.Pid)
}

// ResumeAPIServer lets a paused API server go on, with SIGCONT. It does nothing to one that is not
// paused.
func (c *Cluster) ResumeAPIServer() error { return c.signalAPIServer(syscall.SIGCONT) }

// KillEtcd plays a crash of etcd: it ends it with SIGKILL. Its data stay. The API server answers
// errors, or nothing, until StartEtcd.
func (c *Cluster) KillEtcd() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.stopped:
		return errStopped
	case c.etcd == nil:
		return errNoEtcd
	case c.etcd.exited():
		return c.etcd.failure("ended by itself")
	}
	c.etcd.kill()
	c.etcd = nil
	return nil
}

// StartEtcd starts etcd again, with its data and address, and returns once it is ready. The API
// server takes a moment longer.
func (c *Cluster) StartEtcd(ctx context.Context) (err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.stopped:
		return errStopped
	case c.etcd != nil:
		return errEtcdRuns
	}
	c.etcd, err = c.startEtcdAs(ctx, servers.Etcd, c.ports.etcd, c.ports.etcdPeer)
	if err != nil && c.etcd != nil {
		c.etcd.kill()
		c.etcd = nil
	}
	return err
}

// PauseEventsEtcd cuts the storage of events off (Options.EventsEtcd): it stops the second etcd
// with SIGSTOP, so that reads and writes of events hang, and nothing else does. ResumeEventsEtcd
// ends that.
func (c *Cluster) PauseEventsEtcd() error { return c.signalEventsEtcd(syscall.SIGSTOP) }

// ResumeEventsEtcd lets a paused etcd of events go on. It does nothing to one that is not paused.
func (c *Cluster) ResumeEventsEtcd() error { return c.signalEventsEtcd(syscall.SIGCONT) }

func (c *Cluster) signalEventsEtcd(sig syscall.Signal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.stopped:
		return errStopped
	case c.eventsEtcd == nil:
		return errNoEventsEtcd
	case c.eventsEtcd.exited():
		return c.eventsEtcd.failure("ended by itself")
	}
	return c.eventsEtcd.signal(sig)
}

func (c *Cluster) signalAPIServer(sig syscall.Signal) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.apiServerRuns(); err != nil {
		return err
	}
	if c.apiServer.exited() {
		return c.apiServer.failure("ended by itself")
	}
	return c.apiServer.signal(sig)
}

func (c *Cluster) apiServerRuns() error {
	switch {
	case c.stopped:
		return errStopped
	case c.apiServer == nil:
		return errNotRunning
	}
	return nil
}
