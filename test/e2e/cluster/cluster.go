package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

// Cluster is a running control plane. Its methods are safe for concurrent use; those that start,
// stop or signal a server wait for one another.
type Cluster struct {
	paths servers.Paths
	opts  Options
	dir   string // holds everything the cluster writes
	ports ports
	creds credentials

	mu         sync.Mutex
	etcd       *process
	eventsEtcd *process // nil unless asked for
	apiServer  *process // nil while stopped
	stopped    bool
}

// startAttempts bounds how often Start picks new ports because a port that was free got taken.
const startAttempts = 3

// Start starts etcd and kube-apiserver on free ports of the loopback address, and returns once the
// API server is ready and has the namespace "default". With the programs cached that takes a few
// seconds; see the package's description for where they come from. Each server has two minutes to
// become ready. Cancelling ctx ends the start, not a cluster that was returned.
//
// An error carries the last lines of the log of the server that failed; nothing is left behind
// then. End the cluster with Stop.
func Start(ctx context.Context, opts Options) (*Cluster, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	paths, err := servers.Find(ctx, opts.progress())
	if err != nil {
		return nil, err
	}
	for attempt := 1; ; attempt++ {
		on, err := freePorts()
		if err != nil {
			return nil, err
		}
		c, err := startOn(ctx, on, paths, opts)
		if err == nil || attempt == startAttempts || !isPortTaken(err) {
			return c, err
		}
	}
}

// startOn makes one attempt, on the given ports.
func startOn(ctx context.Context, on ports, paths servers.Paths, opts Options) (*Cluster, error) {
	dir, err := os.MkdirTemp(opts.Dir, "event-gen-cluster-")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the cluster: %w", err)
	}
	c := &Cluster{paths: paths, opts: opts, dir: dir, ports: on}
	if err := c.launch(ctx); err != nil {
		return nil, errors.Join(err, c.discard())
	}
	return c, nil
}

func (c *Cluster) launch(ctx context.Context) (err error) {
	if c.dir, err = filepath.Abs(c.dir); err != nil {
		return err
	}
	if c.creds, err = newCredentials(c.opts.users()); err != nil {
		return err
	}
	if err := c.writeFiles(); err != nil {
		return err
	}
	if err := c.startEtcd(ctx); err != nil {
		return err
	}
	if err := c.startAPIServer(ctx); err != nil {
		return err
	}
	// Another process's etcd may have answered for ours, had it taken the port first; ours has
	// ended by now in that case.
	if c.etcd.exited() {
		return c.etcd.failure("ended by itself")
	}
	return nil
}

// Stop ends the API server, then etcd, and removes the cluster's folder. A server gets SIGTERM and
// 15 seconds, then SIGKILL, which is no error; both processes are reaped when Stop returns. The
// error tells of a server that had ended by itself before, with the last lines of its log, or of a
// folder that could not be removed. Calling Stop again does nothing.
func (c *Cluster) Stop() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped {
		return nil
	}
	c.stopped = true
	return errors.Join(stopOf(c.apiServer), stopOf(c.eventsEtcd), stopOf(c.etcd), os.RemoveAll(c.dir))
}

func stopOf(p *process) error {
	if p == nil {
		return nil
	}
	return p.stop()
}

// discard ends a cluster that did not start, at once and without complaint about servers that
// ended.
func (c *Cluster) discard() error {
	c.stopped = true
	for _, p := range []*process{c.apiServer, c.eventsEtcd, c.etcd} {
		if p != nil {
			p.kill()
		}
	}
	return os.RemoveAll(c.dir)
}

// LogTail returns the last lines that the API server and etcd printed, at most the given number of
// lines and 64 KiB of each. It is meant for the output of a test that failed, before Stop.
func (c *Cluster) LogTail(lines int) string {
	return fmt.Sprintf("kube-apiserver:\n%s\netcd:\n%s",
		tail(c.logFile(servers.APIServer), lines), tail(c.logFile(servers.Etcd), lines))
}

func (c *Cluster) logFile(server string) string { return filepath.Join(c.dir, server+".log") }
