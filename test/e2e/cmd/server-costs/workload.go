package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// workload is what all contenders record.
type workload struct {
	name, about string
	// occurrences and rate, a second, are those without Options.Scale.
	occurrences, rate int
	// at returns occurrence i: the number of its pod, and that of its text; all occurrences of one text about one pod are repeats.
	at func(i int) (pod, text int)
}

const (
	stormPods    = 10
	distinctPods = 2000
)

var workloads = []workload{
	{
		name: "A storm of repeats", about: "10 events, again and again", occurrences: 100_000, rate: 5000,
		at: func(i int) (pod, text int) { return i % stormPods, 0 },
	},
	{
		name: "Distinct events", about: "10,000 events on 2,000 pods, each once", occurrences: 10_000, rate: 250,
		at: func(i int) (pod, text int) { return i % distinctPods, i },
	},
	{
		name: "A mix", about: "10,000 distinct events on 2,000 pods among 90,000 repeats of 10 others", occurrences: 100_000, rate: 2500,
		at: func(i int) (pod, text int) {
			if i%10 == 0 {
				return i / 10 % distinctPods, i
			}
			return distinctPods + i%stormPods, 0
		},
	},
}

// storm is the workload with an aim of its own.
var storm = &workloads[0]

// pods are as many as any workload needs, in a namespace.
func pods(namespace string) []*corev1.Pod {
	all := make([]*corev1.Pod, distinctPods+stormPods)
	for i := range all {
		all[i] = &corev1.Pod{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
			ObjectMeta: metav1.ObjectMeta{
				Namespace: namespace, Name: fmt.Sprintf("web-5d9c7b8f6d-%05d", i), ResourceVersion: "1",
				UID: types.UID(fmt.Sprintf("5f1c2e9a-7b3d-4c6e-9a10-%012d", i)),
			},
		}
	}
	return all
}

func message(text int) string {
	return fmt.Sprintf("Back-off restarting failed container web, attempt %d", text)
}
