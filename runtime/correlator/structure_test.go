package correlator

import "fmt"

// show describes a record.
func show(r *record) string {
	if r.work == nil {
		return fmt.Sprintf("%+v", *r)
	}
	w := *r.work
	w.record = nil
	return fmt.Sprintf("%s %s serial %x presence %d step %d count %d: %+v %+v", r.group.object.name, r.def.Name, r.serial, r.presence, r.step, r.count, w, *w.turn)
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
	if n := int64(len(c.lanes)) * laneBytes; len(c.all) == 0 && (c.bytes != 0 || c.transient != n) {
		return fmt.Errorf("nothing is held, but %d bytes are counted, and %d, of which lanes are %d", c.bytes, c.transient, n)
	}
	return nil
}
