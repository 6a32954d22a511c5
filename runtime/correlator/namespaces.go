package correlator

import (
	"cmp"
	"unsafe"

	"github.com/event-gen/event-gen/runtime/correlator/internal/list"
)

// namespace is what is pending of one namespace. It decides whose events give way if the bounds are
// reached: a namespace whose writes do not come back must not take the memory of the others.
type namespace struct {
	name    string
	works   int
	bytes   int64              // of its works, with their records and objects
	pending [2]list.List[work] // Normal and Warning, not in flight, the oldest first
	place   int                // in Correlator.greedy
}

const namespaceBytes = int64(unsafe.Sizeof(namespace{})) + 40

func holdsMore(a, b *namespace) int { return cmp.Compare(b.bytes, a.bytes) }

// joinNamespace counts a work that starts among the pending ones of its namespace.
func (c *Correlator) joinNamespace(w *work) {
	name := cmp.Or(w.group.object.namespace, c.writer.ClusterNamespace)
	n := c.namespaces[name]
	if n == nil {
		n = &namespace{name: name}
		c.namespaces[name] = n
		c.transient += namespaceBytes
	}
	w.namespace, w.charged = n, w.record.bytes()+w.workBytes()+w.group.object.bytes()
	n.works++
	n.bytes += w.charged
	c.pendingBytes += w.charged
	c.greedy.Put(n)
}

func (c *Correlator) leaveNamespace(w *work) {
	n := w.namespace
	w.within.Leave()
	n.works--
	n.bytes -= w.charged
	c.pendingBytes -= w.charged
	if n.works > 0 {
		c.greedy.Put(n)
		return
	}
	c.greedy.Drop(n)
	delete(c.namespaces, n.name)
	c.transient -= namespaceBytes
}

// leastWorth returns the record that gives way next: an acknowledged one; else one of the namespace
// with the most pending bytes, if it has more than the mean and more than one event; else any. Of
// each, Normal goes before Warning, and the oldest first. A record with a write in flight stays;
// nil: there is no other.
func (c *Correlator) leastWorth() *record {
	for _, k := range [...]rank{idleNormal, idleWarning} {
		if r := c.ranked[k].First(); r != nil {
			return r
		}
	}
	if n := c.greedy.First(); n != nil && n.works > 1 && n.bytes*int64(c.greedy.Len()) > c.pendingBytes {
		for k := range n.pending {
			if w := n.pending[k].First(); w != nil {
				return w.record
			}
		}
	}
	for _, k := range [...]rank{pendingNormal, pendingWarning} {
		if r := c.ranked[k].First(); r != nil {
			return r
		}
	}
	return nil
}
