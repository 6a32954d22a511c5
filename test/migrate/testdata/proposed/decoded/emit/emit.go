// Package emit has a helper that takes the reason.
package emit

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/events"
)

// Event records an event.
func Event(r events.EventRecorder, object runtime.Object, reason, text string) {
	r.Eventf(object, nil, "Warning", reason, "Check", "%s", text)
}
