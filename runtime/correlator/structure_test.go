package correlator

import "fmt"

// show describes a record.
func show(r *record) string {
	if r.work == nil {
		return fmt.Sprintf("%+v", *r)
	}
	w := *r.work
	w.record = nil
	return fmt.Sprintf("%s %s serial %x presence %d step %d count %d: %+v %+v", r.group.object.name, r.def.Name, r.serial, r.presence, r.step, r.totals.count, w, *r.group.object.sequence)
}

// checkEviction holds that no pending event was evicted while an acknowledged one could go.
func checkEviction(c *Correlator) error {
	for _, r := range c.all {
		if r.work == nil {
			return fmt.Errorf("evicted a pending event, though one is acknowledged: %s", show(r))
		}
	}
	return nil
}

// checkEmpty holds that no memory is counted if no record is held.
func checkEmpty(c *Correlator) error {
	if len(c.all) == 0 && (c.bytes != 0 || c.transient != 0) {
		return fmt.Errorf("nothing is held, but %d bytes are counted, and %d", c.bytes, c.transient)
	}
	return nil
}
