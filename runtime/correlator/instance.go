package correlator

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/event-gen/event-gen/runtime"
)

// maxInstances bounds how many reporting instances are kept; a process has as many as it has controllers.
const maxInstances = 256

// instance is the reporting instance of an identity's event.
func (c *Correlator) instance(i *identity) string {
	if c.opts.Instance != "" {
		return c.opts.Instance
	}
	controller := c.controller(i)
	if known, ok := c.instances[controller]; ok {
		return known
	}
	instance := instanceName(controller, c.opts.Host)
	if c.instances == nil || len(c.instances) >= maxInstances {
		c.instances = map[string]string{}
	}
	c.instances[controller] = instance
	return instance
}

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
