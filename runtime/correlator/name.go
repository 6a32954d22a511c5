package correlator

import (
	"cmp"
	"encoding/binary"
	"strings"

	"github.com/event-gen/event-gen/runtime"
)

const (
	maxEventNameBytes = 253
	suffixBytes       = 1 + 16 + 8
)

// maxPrefixBytes bounds what of an object's name an event is named after.
const maxPrefixBytes = maxEventNameBytes - suffixBytes

// appendEventName appends the name of an event: that of its object, a dot, the serial as 16 hex digits and the tag of the
// process as 8. It is a DNS-1123 subdomain whatever the object is called: one that is none gives way to its kind.
func appendEventName(b []byte, o *object, kind string, serial uint64, tag uint32) []byte {
	if o.is(named) {
		b = append(b, o.name()...)
	} else {
		b = append(b, namePrefix(string(o.name()), kind)...)
	}
	b = append(b, '.')
	b = binary.BigEndian.AppendUint64(b, digits(uint32(serial>>32)))
	b = binary.BigEndian.AppendUint64(b, digits(uint32(serial)))
	return binary.BigEndian.AppendUint64(b, digits(tag))
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
// expression. The length is the caller's business.
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

// isNamespace is isNamespace, but for the namespace that was there last, which has been looked at.
func (c *Correlator) isNamespace(s string) bool {
	return c.lastScope != 0 && (*c.scopes.at(c.lastScope)).namespace == s || isNamespace(s)
}

// isNamespace reports whether s is a DNS-1123 label, or empty.
func isNamespace(s string) bool {
	return s == "" || (len(s) <= 63 && !strings.Contains(s, ".") && isSubdomain(s))
}

// eventNamespace is where events about objects of the scope live: objects without a namespace have theirs in default.
func (s *scope) eventNamespace() string { return cmp.Or(s.namespace, "default") }

func (c *Correlator) eventNamespace(i *identity) string {
	return c.scopeOf(c.objectFor(i)).eventNamespace()
}

// nextSerial is unique in the correlator, and close to the wall clock in nanoseconds.
func (c *Correlator) nextSerial(now runtime.Instant) uint64 {
	c.serial = max(c.serial+1, uint64(max(now.Wall.UnixNano(), 0)))
	return c.serial
}
