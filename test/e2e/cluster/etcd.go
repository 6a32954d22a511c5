package cluster

import (
	"context"
	"net/http"
	"path/filepath"

	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

func (c *Cluster) startEtcd(ctx context.Context) error {
	p, err := startProcess(servers.Etcd, c.paths.Etcd, c.dir, c.etcdArgs())
	if err != nil {
		return err
	}
	c.etcd = p
	probe := probe{client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, urls: []string{c.etcdURL() + "/readyz"}}
	return p.awaitReady(ctx, probe)
}

func (c *Cluster) etcdURL() string { return "http://" + loopback(c.ports.etcd) }

func (c *Cluster) etcdArgs() []string {
	peer := "http://" + loopback(c.ports.etcdPeer)
	return []string{
		"--name=test",
		"--data-dir=" + filepath.Join(c.dir, "etcd"),
		"--unsafe-no-fsync", // the data need not outlive the machine, only the API server
		"--listen-client-urls=" + c.etcdURL(),
		"--advertise-client-urls=" + c.etcdURL(),
		"--listen-peer-urls=" + peer,
		"--initial-advertise-peer-urls=" + peer,
		"--initial-cluster=test=" + peer,
	}
}
