package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// TestEtcdOfEvents has the events in an etcd of their own, which hangs for a while, and is full for
// a while. Nothing may be lost, other kinds are stored meanwhile, and what waits is written soon
// after.
func TestEtcdOfEvents(t *testing.T) {
	t.Parallel() // it waits for the most part
	c := startClusterWith(t, cluster.Options{EventsEtcd: true, EventsQuota: 32 << 20})
	clients := newClientset(t, c)
	for _, trouble := range []struct {
		name       string
		begin, end func(*testing.T, *cluster.Cluster)
	}{
		{"cut off", pauseEvents, resumeEvents},
		{"full", fillEvents, freeEvents},
	} {
		t.Run(trouble.name, func(t *testing.T) {
			namespace := newNamespace(t, clients)
			all := parties(t, c.RESTConfig())
			recordSteadily(all, namespace, "before", 50, 10*time.Millisecond)
			awaitAll(t, c, namespace, 50)
			awaitAnswers(t, all, 50) // the server shows an event before it has answered
			trouble.begin(t, c)
			recordSteadily(all, namespace, "meanwhile", 400, 30*time.Millisecond)
			other := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "other-"}}
			if _, err := clients.CoreV1().ConfigMaps(namespace).Create(t.Context(), other, metav1.CreateOptions{}); err != nil {
				t.Errorf("other kinds are not stored either: %v", err)
			}
			if s := all[0].stats(); s.Written != 50 || s.Retries == 0 && s.Pending == 0 {
				t.Errorf("there was no trouble: %+v", s)
			}
			trouble.end(t, c)
			recordSteadily(all, namespace, "after", 50, 10*time.Millisecond)
			awaitAll(t, c, namespace, 500)
			t.Logf("failed calls: %d of the pipeline, %d of the drop-in", all[0].stats().Retries, all[1].stats().Retries)
			for name, err := range endWithin(t, all, time.Minute) {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
			checkNothingLost(t, c, namespace, all, 500)
		})
	}
}

func pauseEvents(t *testing.T, c *cluster.Cluster) {
	if err := c.PauseEventsEtcd(); err != nil {
		t.Fatal(err)
	}
}

func resumeEvents(t *testing.T, c *cluster.Cluster) {
	if err := c.ResumeEventsEtcd(); err != nil {
		t.Fatal(err)
	}
}

// junk is a key range beside what the API server keeps.
const junk, junkEnd = "/junk", "/junl"

// fillEvents writes until the quota is reached.
func fillEvents(t *testing.T, c *cluster.Cluster) {
	value := base64.StdEncoding.EncodeToString(make([]byte, 1<<20))
	for n := range 64 {
		key := fmt.Sprintf("%s/%d", junk, n)
		if _, err := askEtcd(t.Context(), c, "kv/put", map[string]any{"key": encoded(key), "value": value}); err != nil {
			if !strings.Contains(err.Error(), "space exceeded") {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("the etcd of events does not fill")
}

// freeEvents gives the space back.
func freeEvents(t *testing.T, c *cluster.Cluster) {
	deleted, err := askEtcd(t.Context(), c, "kv/deleterange", map[string]any{"key": encoded(junk), "range_end": encoded(junkEnd)})
	if err != nil {
		t.Fatal(err)
	}
	revision, err := strconv.ParseInt(deleted.Header.Revision, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		call string
		body map[string]any
	}{
		{"kv/compaction", map[string]any{"revision": revision, "physical": true}},
		{"maintenance/defragment", map[string]any{}},
		{"maintenance/alarm", map[string]any{"action": "DEACTIVATE", "alarm": "NOSPACE", "memberID": deleted.Header.Member}},
	} {
		if _, err := askEtcd(t.Context(), c, step.call, step.body); err != nil {
			t.Fatal(err)
		}
	}
}

func encoded(key string) string { return base64.StdEncoding.EncodeToString([]byte(key)) }

type etcdReply struct {
	Header struct {
		Revision string `json:"revision"`
		Member   string `json:"member_id"`
	} `json:"header"`
}

// askEtcd calls the JSON API of the etcd of events.
func askEtcd(ctx context.Context, c *cluster.Cluster, call string, body map[string]any) (reply etcdReply, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return reply, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.EventsEtcdURL()+"/v3/"+call, bytes.NewReader(text))
	if err != nil {
		return reply, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return reply, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("etcd %s: %s: %s", call, response.Status, answer)
	}
	if err != nil {
		return reply, err
	}
	return reply, json.Unmarshal(answer, &reply)
}
