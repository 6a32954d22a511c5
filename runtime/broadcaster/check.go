package broadcaster

import (
	"context"
	"fmt"

	"github.com/event-gen/event-gen/runtime/internal/dryrun"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Check asks whether events will arrive, by the path that they take: for each namespace it has the
// sink send a create and a patch that the server is told not to store (dryRun=All). The patch names
// an event that does not exist, so that 404 means allowed. The namespace "" stands for
// cluster-scoped objects (Options.ClusterNamespace); without namespaces Check asks for these alone.
//
// The error joins what was found in each namespace: a missing right, with the rule to add; a text
// that the server finds invalid, with its field; a webhook or policy that refuses; a namespace that
// is gone; a server that does not answer, which ends the check. A server that has just started
// refuses everything for a moment, so a missing right is asked for twice, a second apart. Each call
// takes up to Options.WriteTimeout. The sink must be a sink.DryRunner, as the sinks of package
// kube and memory.Sink are. Check records nothing, and may be called at any time.
func (b *Broadcaster) Check(ctx context.Context, namespaces ...string) error {
	return b.opts.Check(ctx, nil, namespaces...)
}

// Check is the method of a Broadcaster with these options, for events that name certain reporting
// controllers; none: ReportingController. It starts nothing.
func (o Options) Check(ctx context.Context, controllers []string, namespaces ...string) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	target, ok := o.Sink.(sink.DryRunner)
	if !ok {
		return fmt.Errorf("whether events will arrive can't be checked: the sink %T has no method DryRun (sink.DryRunner)", o.Sink)
	}
	if len(namespaces) == 0 {
		namespaces = []string{""}
	}
	if len(controllers) == 0 {
		controllers = []string{""}
	}
	c := dryrun.Check{Sink: target, Correlator: o.newCorrelator, Clock: o.Clock}
	return c.Run(ctx, controllers, namespaces)
}
