//go:build alone

package main

import (
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

func newManager(config *rest.Config, options manager.Options) (manager.Manager, error) {
	return ctrl.NewManager(config, options)
}
