//go:build !alone && !wrap

package main

import (
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/event-gen/event-gen/runtime/ctrlevents"
)

func newManager(config *rest.Config, options manager.Options) (manager.Manager, error) {
	return ctrlevents.NewManager(config, options, ctrlevents.Options{})
}
