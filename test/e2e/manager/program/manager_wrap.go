//go:build wrap && !alone

package main

import (
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/event-gen/event-gen/runtime/ctrlevents"
)

func newManager(config *rest.Config, options manager.Options) (manager.Manager, error) {
	m, err := ctrl.NewManager(config, options)
	if err != nil {
		return nil, err
	}
	return ctrlevents.Wrap(m, ctrlevents.Options{})
}
