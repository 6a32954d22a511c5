package correlator

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/event-gen/event-gen/runtime"
)

// maxInstances bounds how many reporting instances are kept; a process has as many as it has controllers.
const maxInstances = 256

// instance is the reporting instance of a controller's events.
func (c *Correlator) instance(controller string) string {
	if c.opts.ReportingInstance != "" {
		return c.opts.ReportingInstance
	}
	if l := &c.lastInstance; l.of == controller && l.name != "" {
		return l.name
	}
	known, ok := c.instances[controller]
	if !ok {
		known = c.newInstance(controller)
	}
	c.lastInstance = instance{of: controller, name: known}
	return known
}

func (c *Correlator) newInstance(controller string) string {
	if c.instances == nil || len(c.instances) >= maxInstances {
		c.instances = map[string]string{}
	}
	name := instanceName(controller, c.opts.Host)
	c.instances[controller] = name
	return name
}

// instance is a reporting instance and its controller.
type instance struct{ of, name string }

// instanceName joins controller and host; a name over 128 bytes is cut and ends in a hash of the whole.
func instanceName(controller, host string) string {
	name := controller + "-" + host
	if len(name) <= runtime.MaxReasonBytes {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	suffix := "-" + hex.EncodeToString(sum[:5])
	return name[:runtime.MaxReasonBytes-len(suffix)] + suffix
}

// InstanceName is the reporting instance of a controller on a host: both joined by a hyphen; over 128 bytes it is cut, and
// ends in a hash of the whole.
func InstanceName(controller, host string) string { return instanceName(controller, host) }
