package correlator

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func objectNamed(name, uid string) eventrt.ObjectRef {
	return eventrt.ReferenceOf(&corev1.ObjectReference{
		APIVersion: "batch/v1", Kind: "Job", Namespace: "prod", Name: name, UID: types.UID(uid),
	})
}
