package cluster

import (
	"context"
	"net/http"
	"path/filepath"
	"strconv"

	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

// eventsEtcd is the name of the second etcd, and of its folder.
const eventsEtcd = "etcd-events"

func (c *Cluster) startEtcd(ctx context.Context) (err error) {
	c.etcd, err = c.startEtcdAs(ctx, servers.Etcd, c.ports.etcd, c.ports.etcdPeer)
	if err != nil || !c.opts.EventsEtcd {
		return err
	}
	c.eventsEtcd, err = c.startEtcdAs(ctx, eventsEtcd, c.ports.events, c.ports.eventsPeer)
	return err
}

// startEtcdAs returns the process even when it does not become ready.
func (c *Cluster) startEtcdAs(ctx context.Context, name string, port, peerPort int) (*process, error) {
	client := "http://" + loopback(port)
	p, err := startProcess(name, c.paths.Etcd, c.dir, c.etcdArgs(name, client, "http://"+loopback(peerPort)))
	if err != nil {
		return nil, err
	}
	probe := probe{client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, urls: []string{client + "/readyz"}}
	return p, p.awaitReady(ctx, probe)
}

func (c *Cluster) etcdURL() string { return "http://" + loopback(c.ports.etcd) }

// EventsEtcdURL is where the etcd of events serves (Options.EventsEtcd), with etcd's JSON API below
// /v3. It needs no credentials.
func (c *Cluster) EventsEtcdURL() string { return "http://" + loopback(c.ports.events) }

func (c *Cluster) etcdArgs(name, client, peer string) []string {
	args := []string{
		"--name=test",
		"--data-dir=" + filepath.Join(c.dir, name),
		"--unsafe-no-fsync", // the data need not outlive the machine, only the API server
		"--listen-client-urls=" + client,
		"--advertise-client-urls=" + client,
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=test=" + peer,
	}
	if name == eventsEtcd && c.opts.EventsQuota > 0 {
		args = append(args, "--quota-backend-bytes="+strconv.FormatInt(c.opts.EventsQuota, 10))
	}
	return args
}
