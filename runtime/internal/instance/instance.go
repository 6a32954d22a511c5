// Package instance makes reporting instances.
package instance

import (
	"crypto/sha256"
	"encoding/hex"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Name returns the reporting instance of a controller on a host: both joined by a hyphen.
// If it exceeds 128 bytes, Name cuts it and ends it in a hash of the whole.
func Name(controller, host string) string {
	name := controller + "-" + host
	if len(name) <= eventrt.MaxReasonBytes {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	suffix := "-" + hex.EncodeToString(sum[:5])
	return name[:eventrt.MaxReasonBytes-len(suffix)] + suffix
}
