package broadcaster

import (
	"context"
	"fmt"

	"github.com/event-gen/event-gen/runtime/correlator"
	"github.com/event-gen/event-gen/runtime/internal/dryrun"
	"github.com/event-gen/event-gen/runtime/sink"
)

// Check asks the server whether events will arrive, by the same path as events: for each namespace
// the sink sends a create and a patch, which the server does not store (dryRun=All). The patch
// names an event that does not exist, so 404 means allowed. The namespace "" stands for
// cluster-scoped objects (Options.ClusterNamespace); without namespaces Check asks for
// cluster-scoped objects alone.
//
// The error joins the findings of each namespace: a missing right, with the rule to add; an invalid
// text, with its field; a refusal by a webhook or policy; a missing namespace; a server without an
// answer, which ends the check. A server that has just started refuses everything for a moment.
// Check therefore asks twice for a missing right, a second apart. Each call lasts up to
// Options.WriteTimeout. The sink must be a sink.DryRunner, as the sinks of package kube and
// memory.Sink are. Check records nothing, and may be called at any time.
func (b *Broadcaster) Check(ctx context.Context, namespaces ...string) error {
	return b.opts.Check(ctx, nil, namespaces...)
}

// Check works like the method Check of a Broadcaster with these options. It asks for the given
// reporting controllers; none: ReportingController. It starts nothing.
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
	c := dryrun.Check{Sink: target, Correlator: func() (*correlator.Correlator, error) { return o.newCorrelator(nil) }}
	return c.Run(ctx, controllers, namespaces)
}
