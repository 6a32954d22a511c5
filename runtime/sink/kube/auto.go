package kube

import (
	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/apiserver"
)

// newGroups chooses between the groups of a sink; nil if it has one only.
func (o Options) newGroups(groups []group) *apiserver.Groups {
	if len(groups) < 2 {
		return nil
	}
	clock := o.Clock
	if clock == nil {
		clock = runtime.SystemClock()
	}
	return apiserver.NewGroups(clock, o.OnFallback)
}
