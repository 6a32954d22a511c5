package eventrt

// Stats is a snapshot of the accounting. At every moment
//
//	Recorded = Written + Pending + Lost.Total()
//
// Each term is counted on its own; none is computed from the others.
type Stats struct {
	// Recorded counts every event published, rejected ones too.
	Recorded uint64
	// Written counts the occurrences that the sink acknowledged.
	Written uint64
	// Pending counts the occurrences that wait to be written, or are being written.
	Pending uint64
	Lost    Lost

	// Creates and Updates count acknowledged writes, Retries the writes that will be tried again,
	// Failures the refused writes.
	Creates  uint64
	Updates  uint64
	Retries  uint64
	Failures uint64
	// LabelsLeftOut counts labels that are missing from new events, because they are no labels: the
	// API server would have refused the event.
	LabelsLeftOut uint64
	// InFlight is the number of writes without an answer yet.
	InFlight int
	// Failing is the number of events whose write has failed again and again. Other events of their
	// object no longer wait for them. The broadcaster goes on trying them.
	Failing int
	// Identities and Objects are the numbers of records that the correlators hold; Bytes is an
	// estimate of their memory.
	Identities int
	Objects    int
	Bytes      int64
}

// Lost counts occurrences that will never be written, by cause.
type Lost struct {
	// Rejected: the event was not fit to be recorded (a nil object, an unknown kind), or recording
	// had ended.
	Rejected uint64
	// Evicted: it was the least valuable event when a bound on memory was reached.
	Evicted uint64
	// Refused: the sink gave a terminal answer.
	Refused uint64
	// Unacknowledged: it was sent and then given up; it may be stored, because no answer came, or
	// one that leaves this open.
	Unacknowledged uint64
	// Shutdown: it was given up when Shutdown's time was over. It was never sent, or each try was
	// answered by a failure.
	Shutdown uint64
	// Limited: it waited for a token longer than its Limit allows (Limit.Wait).
	Limited uint64
	// Disabled: recording was switched off, or a filter dropped the event.
	Disabled uint64
}

// Total returns the sum of all causes.
func (l Lost) Total() uint64 {
	return l.Rejected + l.Evicted + l.Refused + l.Unacknowledged + l.Shutdown + l.Limited + l.Disabled
}

// Add adds the counts of o.
func (s *Stats) Add(o *Stats) {
	s.Recorded += o.Recorded
	s.Written += o.Written
	s.Pending += o.Pending
	s.Lost.Rejected += o.Lost.Rejected
	s.Lost.Evicted += o.Lost.Evicted
	s.Lost.Refused += o.Lost.Refused
	s.Lost.Unacknowledged += o.Lost.Unacknowledged
	s.Lost.Shutdown += o.Lost.Shutdown
	s.Lost.Limited += o.Lost.Limited
	s.Lost.Disabled += o.Lost.Disabled
	s.Creates += o.Creates
	s.Updates += o.Updates
	s.Retries += o.Retries
	s.Failures += o.Failures
	s.LabelsLeftOut += o.LabelsLeftOut
	s.InFlight += o.InFlight
	s.Failing += o.Failing
	s.Identities += o.Identities
	s.Objects += o.Objects
	s.Bytes += o.Bytes
}
