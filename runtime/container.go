package runtime

import corev1 "k8s.io/api/core/v1"

// The fieldPaths of containers that are none of spec.containers, without the names (kubernetes pkg/kubelet/container/ref.go).
const (
	initContainersPath      = "spec.initContainers"
	ephemeralContainersPath = "spec.ephemeralContainers"
)

// InContainer refers to a container of an object. If obj is a *corev1.Pod that has the container among its init or ephemeral
// containers, the fieldPath says so, as the kubelet writes it; else it is that of the event's definition. Generated code
// calls it.
func InContainer(o ObjectRef, obj any, container Arg) ObjectRef {
	pod, ok := obj.(*corev1.Pod)
	if !ok || pod == nil || container.text == "" {
		return o
	}
	for i := range pod.Spec.InitContainers {
		if pod.Spec.InitContainers[i].Name == container.text {
			o.FieldPath, o.container = initContainersPath+"{"+container.text+"}", true
			return o
		}
	}
	for i := range pod.Spec.EphemeralContainers {
		if pod.Spec.EphemeralContainers[i].Name == container.text {
			o.FieldPath, o.container = ephemeralContainersPath+"{"+container.text+"}", true
			return o
		}
	}
	return o
}
