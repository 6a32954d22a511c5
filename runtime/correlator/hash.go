package correlator

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"

	eventrt "github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/internal/kinds"
)

// Identity decides which processes share an event.
type Identity uint8

const (
	// Instance: a process and those after it on the same host, since the reporting instance is part
	// of an event's name.
	Instance Identity = iota
	// Controller: all processes of a controller, such as successive leaders.
	Controller
	// Unique: no other process. The event's name holds a number in place of the identity, as with
	// client-go.
	Unique
)

// nameHash is the part of an event's name that stands for its identity. Of 16 million events, two
// have one hash of 80 bits with a probability of one in eight billion.
type nameHash [10]byte

// nameEncoding uses the alphabet of DNS labels. Encoded values sort like the values themselves.
var nameEncoding = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// hashVersion is the version of the hashed fields and of their encoding.
const hashVersion = 1

// hasher gathers fields, each preceded by its length, so that two lists of fields never look alike.
type hasher []byte

func (h *hasher) number(n uint64) { *h = binary.AppendUvarint(*h, n) }

func (h *hasher) text(s string) {
	h.number(uint64(len(s)))
	*h = append(*h, s...)
}

func (h *hasher) flag(b bool) {
	n := uint64(0)
	if b {
		n = 1
	}
	h.number(n)
}

// object adds the fields that sameObject compares.
func (h *hasher) object(apiVersion, kind, namespace, name, uid string) {
	if h.text(uid); uid == "" {
		h.text(kinds.GroupOf(apiVersion))
	}
	h.text(kind)
	h.text(namespace)
	h.text(name)
}

// definition adds the fields that sameDefinition compares.
func (h *hasher) definition(d *eventrt.Definition) {
	h.text(internals.StoredAction(d))
	h.number(uint64(d.Correlation.Merged))
	h.text(d.RelatedPrefix)
	if h.text(d.FieldPath); d.FieldPath != "" {
		h.number(uint64(d.FieldPathParam))
	}
	h.number(uint64(len(d.Message)))
	for _, s := range d.Message {
		h.text(s.Text)
		h.number(uint64(s.Value))
		h.number(uint64(s.Param))
	}
	h.number(uint64(len(d.Params)))
	for i := range d.Params {
		h.text(d.Params[i].Prefix)
	}
}

// nameHash hashes the fields that find compares, or for an aggregate the fields that groupOf
// compares, and the generation of the record's name. If the name is tagged, it hashes the tag and
// the serial, too, which makes it a name that nobody has used.
func (c *Correlator) nameHash(r *record) (sum nameHash) {
	if c.writer.Identity == Unique {
		return sum
	}
	h, g, m := hasher(c.scratch[:0]), r.group, r.extra()
	h.number(hashVersion)
	h.number(uint64(r.generation))
	h.object(g.object.kind.APIVersion, g.object.kind.Kind, g.object.namespace, g.object.name, g.object.uid)
	if h.flag(c.writer.Identity == Instance); c.writer.Identity == Instance {
		h.text(g.reporter.instance)
	}
	h.text(g.reporter.controller)
	h.text(r.def.Reason)
	h.text(r.def.Type)
	h.flag(m.aggregated != nil)
	if m.aggregated == nil || isAlone(g.def) {
		h.definition(r.def)
	}
	if m.aggregated == nil {
		h.text(m.fieldPath)
		if h.flag(m.related.Present()); m.related.Present() {
			h.object(m.related.APIVersion, m.related.Kind, m.related.Namespace, m.related.Name, m.related.UID)
			h.text(m.related.FieldPath)
		}
		h.args(r.args, r.def.Correlation.Merged)
	}
	if r.tagged {
		h.number(c.writer.Tag)
		h.number(r.serial)
	}
	c.scratch = h
	all := sha256.Sum256(h)
	copy(sum[:], all[:])
	return sum
}

// args adds the arguments whose bit is not set in except.
func (h *hasher) args(args []eventrt.Arg, except uint8) {
	h.number(uint64(len(args)))
	for n := range args {
		if except&(1<<n) == 0 {
			text, number, kind := internals.Raw(&args[n])
			h.number(kind)
			h.number(number)
			h.text(text)
		}
	}
}
