package ctrlevents

import (
	"cmp"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"sigs.k8s.io/controller-runtime/pkg/leaderelection"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

// defaultRenewDeadline is the manager's (pkg/manager/internal.go of controller-runtime).
const defaultRenewDeadline = 10 * time.Second

// lostLease is the error of a manager that has lost its lease (pkg/manager/internal.go of
// controller-runtime), which has no type.
const lostLease = "leader election lost"

func hasLostLease(err error) bool { return err != nil && strings.Contains(err.Error(), lostLease) }

// lock is the lock that manager.New would make, whose events go through p.
func (p *pipeline) lock(config *rest.Config, o *manager.Options) (resourcelock.Interface, error) {
	if o.LeaderElectionConfig != nil {
		config = o.LeaderElectionConfig
		if err := p.electOn(config); err != nil {
			return nil, err
		}
	}
	config = rest.CopyConfig(config)
	config.UserAgent = cmp.Or(config.UserAgent, rest.DefaultKubernetesUserAgent())
	deadline := defaultRenewDeadline
	if o.RenewDeadline != nil {
		deadline = *o.RenewDeadline
	}
	return leaderelection.NewResourceLock(config, electionRecorders(recorder.Provider.GetEventRecorder, p), leaderelection.Options{
		LeaderElection:             o.LeaderElection,
		LeaderElectionResourceLock: o.LeaderElectionResourceLock,
		LeaderElectionID:           o.LeaderElectionID,
		LeaderElectionNamespace:    o.LeaderElectionNamespace,
		RenewDeadline:              deadline,
		LeaderLabels:               o.LeaderElectionLabels,
	})
}
