package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/kube"
	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// The limit of TestEventRateLimit.
const (
	limitQPS   = 5
	limitBurst = 20
)

// rateLimitConfig has EventRateLimit let limitQPS events a second into a namespace, after
// limitBurst at once.
const rateLimitConfig = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
    limits:
    - {type: Namespace, qps: 5, burst: 20, cacheSize: 100}
`

// TestEventRateLimit fills a namespace with far more Normal events than EventRateLimit lets in, and
// records Warnings after them. They are stored before the backlog, a Shutdown that comes soon
// leaves none of them, and a healthy namespace does not wait.
func TestEventRateLimit(t *testing.T) {
	t.Parallel() // it waits for the most part
	config := filepath.Join(t.TempDir(), "admission.yaml")
	if err := os.WriteFile(config, []byte(rateLimitConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startClusterWith(t, cluster.Options{ExtraAPIServerArgs: []string{
		"--enable-admission-plugins=EventRateLimit", "--admission-control-config-file=" + config,
	}})
	clients := newClientset(t, c)
	all := parties(t, c.RESTConfig())
	// the plugin lets events.k8s.io pass without limit
	all[0] = newPipeline(t, kube.CoreV1(c.RESTConfig()))
	const normal, warnings, healthy = 500, 60, limitBurst
	noisy, quiet := map[string]string{}, map[string]string{}
	for _, p := range all { // the limit is the namespace's, so each party has its own
		noisy[p.name], quiet[p.name] = newNamespace(t, clients), newNamespace(t, clients)
		for n := range normal {
			p.record(newPod(noisy[p.name], fmt.Sprint("pod-", n)), eventrt.Normal, "Started", "it started")
		}
	}
	time.Sleep(2 * time.Second)
	others, begun := startPace(t, c), time.Now()
	for _, p := range all {
		for n := range warnings {
			p.record(newPod(noisy[p.name], fmt.Sprint("bad-", n)), eventrt.Warning, "Failed", "it failed")
		}
		for n := range healthy {
			p.record(newPod(quiet[p.name], fmt.Sprint("pod-", n)), eventrt.Normal, "Started", "it started")
		}
	}
	for _, p := range all[:2] {
		awaitWithin(faultBound, func() bool { return storedOccurrences(t, c, quiet[p.name]) == healthy })
	}
	took := time.Since(begun)
	if most := others.allow(5 * time.Second); took > most {
		t.Errorf("healthy namespaces waited %v, expected at most %v", took, most)
	}
	time.Sleep(max(0, 8*time.Second-time.Since(begun)))
	for name, err := range endWithin(t, all, 6*time.Second) {
		t.Logf("%s, when it is ended: %v", name, err)
	}
	for _, p := range all {
		stored := countStored(t, c, noisy[p.name])
		w := 0
		for key, n := range stored {
			if strings.HasPrefix(key, "bad-") {
				w += int(n)
			}
		}
		t.Logf("%s: %d of %d Warnings are stored, and %d of %d Normal events", p.name, w, warnings, len(stored)-w, normal)
		if p.name != peer && w != warnings {
			t.Errorf("%s: %d of %d Warnings are stored, behind %d Normal events", p.name, w, warnings, len(stored)-w)
		}
	}
}
