package correlator

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/event-gen/event-gen/runtime/internal/instance"
)

const maxEventNameBytes = 253

// appendEventName appends the name of an event: its object's name, cut, a dot, and the name's hash;
// or, if names are Unique, the serial as 16 hex digits and the tag as 8. The result is always a
// DNS-1123 subdomain: if the object's name is no such subdomain, the object's kind replaces it.
func (c *Correlator) appendEventName(b []byte, r *record) []byte {
	var number [12]byte
	suffix := nameEncoding.EncodedLen(len(r.name))
	if c.writer.Identity == Unique {
		suffix = hex.EncodedLen(len(number))
	}
	o := r.group.object
	b = append(append(b, namePrefix(o.name, o.kind.Kind, maxEventNameBytes-1-suffix)...), '.')
	if c.writer.Identity != Unique {
		return nameEncoding.AppendEncode(b, r.name[:])
	}
	binary.BigEndian.PutUint64(number[:], r.serial)
	binary.BigEndian.PutUint32(number[8:], uint32(c.writer.Tag))
	return hex.AppendEncode(b, number[:])
}

func namePrefix(object, kind string, most int) string {
	name := strings.TrimRight(object[:min(len(object), most)], ".-")
	if isSubdomain(name) {
		return name
	}
	if kind := strings.ToLower(kind); len(kind) <= 63 && isSubdomain(kind) {
		return kind
	}
	return "event"
}

func isSubdomain(s string) bool { return len(validation.IsDNS1123Subdomain(s)) == 0 }

// isNamespace reports whether s is a DNS-1123 label, or empty.
func isNamespace(s string) bool { return s == "" || len(validation.IsDNS1123Label(s)) == 0 }

// nextSerial returns a number that is unique in the correlator, and close to the wall clock in
// nanoseconds.
func (c *Correlator) nextSerial() uint64 {
	c.nameSerial = max(c.nameSerial+1, uint64(max(c.wall, 0)))
	return c.nameSerial
}

// reporter is who reports events. The groups of one reporter share it.
type reporter struct{ controller, instance string }

// maxReporters bounds the number of reporters that are kept; a process has one for each controller.
const maxReporters = 256

func (c *Correlator) reporter(controller string) *reporter {
	by := c.reporters[controller]
	if by == nil {
		if len(c.reporters) >= maxReporters {
			clear(c.reporters)
		}
		controller = strings.Clone(controller)
		by = &reporter{controller: controller, instance: cmp.Or(c.writer.ReportingInstance, instance.Name(controller, c.writer.Host))}
		c.reporters[controller] = by
	}
	return by
}
