package cluster

import (
	"context"
	"path/filepath"
	"strconv"

	"github.com/event-gen/event-gen/test/e2e/internal/servers"
)

// startAPIServer leaves the process in c.apiServer even when it does not become ready.
func (c *Cluster) startAPIServer(ctx context.Context, args ...string) error {
	probe, err := c.apiServerProbe()
	if err != nil {
		return err
	}
	p, err := startProcess(servers.APIServer, c.paths.APIServer, c.dir, append(c.apiServerArgs(), args...))
	if err != nil {
		return err
	}
	c.apiServer = p
	return p.awaitReady(ctx, probe)
}

// apiServerProbe also looks for the namespace "default", which the server makes a moment after it
// calls itself ready.
func (c *Cluster) apiServerProbe() (probe, error) {
	client, err := c.probeClient()
	if err != nil {
		return probe{}, err
	}
	base := c.apiServerURL()
	return probe{
		client: client,
		token:  c.creds.adminToken,
		urls:   []string{base + "/readyz", base + "/api/v1/namespaces/default"},
	}, nil
}

func (c *Cluster) apiServerURL() string { return "https://" + loopback(c.ports.apiServer) }

func (c *Cluster) apiServerArgs() []string {
	serviceAccountKey := filepath.Join(c.dir, serviceAccountKeyFile)
	args := []string{
		"--etcd-servers=" + c.etcdURL(),
		"--bind-address=" + loopbackIP,
		// found on a network interface otherwise, and a test machine may have none
		"--advertise-address=" + loopbackIP,
		"--secure-port=" + strconv.Itoa(c.ports.apiServer),
		"--tls-cert-file=" + filepath.Join(c.dir, servingCertFile),
		"--tls-private-key-file=" + filepath.Join(c.dir, servingKeyFile),
		"--cert-dir=" + c.dir,
		"--service-account-key-file=" + serviceAccountKey,
		"--service-account-signing-key-file=" + serviceAccountKey,
		"--service-account-issuer=https://kubernetes.default.svc",
		"--token-auth-file=" + filepath.Join(c.dir, tokenFile),
		"--authorization-mode=RBAC",
		"--disable-admission-plugins=ServiceAccount",
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/24",
		// without it SIGTERM waits a minute for open watches
		"--shutdown-watch-termination-grace-period=1s",
	}
	if c.opts.EventTTL > 0 {
		args = append(args, "--event-ttl="+c.opts.EventTTL.String())
	}
	if c.opts.EventsEtcd {
		args = append(args, "--etcd-servers-overrides=/events#"+c.EventsEtcdURL())
	}
	return append(args, c.opts.ExtraAPIServerArgs...)
}
