package tests

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

func TestSites(t *testing.T) {
	record.NewFakeRecorder(1).Event(&corev1.Pod{}, "Normal", "InTest", "text") //: direct Normal InTest literal "text"
}
