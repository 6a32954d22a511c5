package correlator

// Disabled counts an occurrence that its owner was told not to record.
func (c *Correlator) Disabled() {
	c.counts.Recorded++
	c.counts.Lost.Disabled++
}
