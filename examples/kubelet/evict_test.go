// Package kubelet shows events about containers, and annotations that are known only at run time.
package kubelet

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/examples/kubelet/containerevents"
	"github.com/event-gen/event-gen/examples/kubelet/podevents"
	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/broadcaster"
	"github.com/event-gen/event-gen/runtime/sink"
	"github.com/event-gen/event-gen/runtime/sink/memory"
)

// evict records that a node evicts a Pod because it is short of a resource. Annotations name the
// containers that used too much.
func evict(events podevents.Recorder, pod *corev1.Pod, resource string, usage map[string]string) {
	names := slices.Sorted(maps.Keys(usage))
	used := make([]string, len(names))
	details := ""
	for i, name := range names {
		used[i] = usage[name]
		details += fmt.Sprintf("Container %s was using %s. ", name, usage[name])
	}
	events.WithAnnotations(map[string]string{
		"offending_containers":       strings.Join(names, ","),
		"offending_containers_usage": strings.Join(used, ","),
	}).NodeLowOnResource(pod, resource, details)
}

func Example() {
	stored := memory.New()
	b, err := broadcaster.New(broadcaster.Options{Sink: stored})
	if err != nil {
		panic(err)
	}
	recorder := eventrt.NewRecorder(b)
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "web-0", Namespace: "shop", UID: "1"}}
	// the fieldPath shows the kind of container
	pod.Spec.InitContainers = []corev1.Container{{Name: "migrate"}}
	pod.Spec.Containers = []corev1.Container{{Name: "nginx"}, {Name: "log"}}
	pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debugger"}}}
	containers := containerevents.NewRecorder(recorder)
	containers.Unhealthy(pod, "nginx", containerevents.ProbeReadiness, "connection refused")
	containers.Started(pod, "migrate")
	containers.Started(pod, "debugger")
	evict(podevents.NewRecorder(recorder), pod, "memory", map[string]string{"nginx": "2Gi", "log": "512Mi"})
	if err := b.Shutdown(context.Background()); err != nil {
		panic(err)
	}
	for _, e := range stored.List() {
		fmt.Println(e.Reason, e.Regarding.FieldPath, strings.TrimSpace(e.Note))
		for _, key := range slices.Sorted(maps.Keys(e.Annotations)) {
			if !strings.HasPrefix(key, sink.WriterAnnotation) {
				fmt.Printf("  %s: %s\n", key, e.Annotations[key])
			}
		}
	}
	// Unordered output:
	// Started spec.initContainers{migrate} Container started
	// Started spec.ephemeralContainers{debugger} Container started
	// Unhealthy spec.containers{nginx} Readiness probe failed: connection refused
	// Evicted  The node was low on resource: memory. Container log was using 512Mi. Container nginx was using 2Gi.
	//   offending_containers: log,nginx
	//   offending_containers_usage: 512Mi,2Gi
	//   starved_resource: memory
}
