package correlator

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"github.com/event-gen/event-gen/runtime"
)

const (
	maxEventNameBytes = 253
	suffixBytes       = 1 + 16 + 8
)

// maxPrefixBytes bounds the part of an object's name that begins an event's name.
const maxPrefixBytes = maxEventNameBytes - suffixBytes

// appendEventName appends the name of an event: its object's name, a dot, the serial as 16 hex digits and the tag of the
// process as 8. The result is always a DNS-1123 subdomain: if the object's name is none, the object's kind replaces it.
func (c *Correlator) appendEventName(b []byte, r *record) []byte {
	o := r.group.object
	var number [(suffixBytes - 1) / 2]byte
	binary.BigEndian.PutUint64(number[:], r.serial)
	binary.BigEndian.PutUint32(number[8:], c.opts.Tag)
	return hex.AppendEncode(append(append(b, namePrefix(o.name, o.kind.Kind)...), '.'), number[:])
}

func namePrefix(object, kind string) string {
	name := strings.TrimRight(object[:min(len(object), maxPrefixBytes)], ".-")
	if isSubdomain(name) {
		return name
	}
	if kind := strings.ToLower(kind); len(kind) <= 63 && isSubdomain(kind) {
		return kind
	}
	return "event"
}

// isSubdomain reports whether s is a DNS-1123 subdomain (apimachinery pkg/util/validation), without the regular
// expression. The caller checks the length.
func isSubdomain(s string) bool {
	before := byte('.')
	for i := 0; i < len(s); i++ {
		ch := s[i]
		switch {
		case 'a' <= ch && ch <= 'z', '0' <= ch && ch <= '9':
		case (ch == '-' || ch == '.') && before != '.' && (ch == '-' || before != '-'):
		default:
			return false
		}
		before = ch
	}
	return before != '.' && before != '-'
}

// isNamespace reports whether s is a DNS-1123 label, or empty.
func isNamespace(s string) bool {
	return s == "" || (len(s) <= 63 && !strings.Contains(s, ".") && isSubdomain(s))
}

// nextSerial returns a number that is unique in the correlator, and close to the wall clock in nanoseconds.
func (c *Correlator) nextSerial(now runtime.Instant) uint64 {
	c.nameSerial = max(c.nameSerial+1, uint64(max(now.Wall.UnixNano(), 0)))
	return c.nameSerial
}

// maxInstances bounds the number of reporting instances that are kept; a process has one for each controller.
const maxInstances = 256

// instance returns the reporting instance of a controller's events.
func (c *Correlator) instance(controller string) string {
	if c.opts.ReportingInstance != "" {
		return c.opts.ReportingInstance
	}
	name, known := c.instances[controller]
	if !known {
		if len(c.instances) >= maxInstances {
			clear(c.instances)
		}
		name = InstanceName(controller, c.opts.Host)
		c.instances[controller] = name
	}
	return name
}

// InstanceName returns the reporting instance of a controller on a host: both joined by a hyphen. Over 128 bytes it is cut, and
// ends in a hash of the whole.
func InstanceName(controller, host string) string {
	name := controller + "-" + host
	if len(name) <= runtime.MaxReasonBytes {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	suffix := "-" + hex.EncodeToString(sum[:5])
	return name[:runtime.MaxReasonBytes-len(suffix)] + suffix
}
