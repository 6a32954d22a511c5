package correlator

import "math"

// totals are the occurrences of one event, also while it is idle.
type totals struct {
	// occurrences that were recorded here and are not lost, pending ones included; saturates
	count uint32
	base  uint32 // further occurrences that the stored event stands for, written by others
}

// ledger is the occurrences of an event while some are pending, or a write is in flight. Every
// recorded occurrence is pending, written or lost.
type ledger struct {
	*totals
	pending    uint64
	carried    uint64 // of pending: in the write in flight, or in the last one before a Read
	unanswered uint64 // the most of pending that an unanswered write may have stored
}

// add adds an occurrence.
func (l *ledger) add() {
	l.count += min(1, math.MaxUint32-l.count)
	l.pending++
}

// written notes that n pending occurrences are stored.
func (l *ledger) written(n uint64) { l.pending -= n }

// mayBeStored notes that what the write carried may be stored.
func (l *ledger) mayBeStored() { l.unanswered = max(l.unanswered, l.carried) }

// acknowledged returns how many occurrences are known to be stored.
func (l *ledger) acknowledged() uint64 { return uint64(l.count) - l.counted() }

// counted returns how many of count are pending.
func (l *ledger) counted() uint64 { return min(l.pending, uint64(l.count)) }

// drop gives up the oldest n pending occurrences. Later writes leave them out.
func (l *ledger) drop(n uint64) {
	l.pending -= n
	l.count -= uint32(min(n, uint64(l.count)))
}

// giveUp drops what an unanswered write may have stored, and returns how much that is.
func (l *ledger) giveUp() (unacknowledged uint64) {
	unacknowledged = min(l.unanswered, l.pending)
	l.drop(unacknowledged)
	l.unanswered = 0
	return unacknowledged
}

// lose drops the oldest n pending occurrences, of which an unanswered write may have stored some.
// If it may, what is counted from then on is counted under another key: the acknowledged part of
// the count becomes a part of the base.
func (l *ledger) lose(n uint64) (lost, unacknowledged uint64) {
	if l.unanswered = min(n, l.unanswered); l.unanswered > 0 {
		unacknowledged = l.giveUp()
		l.base = uint32(min(uint64(l.base)+l.acknowledged(), math.MaxInt32))
		l.count = uint32(l.counted())
	}
	lost = n - unacknowledged
	l.drop(lost)
	return lost, unacknowledged
}

// found notes that an event stands for total occurrences, of which mine are ours, and returns how
// many pending ones of these are now known to be stored. The others may still arrive, until another
// write is stored.
func (l *ledger) found(mine, total uint64) (written uint64) {
	mine = min(max(mine, l.acknowledged()), uint64(l.count))
	written = mine - l.acknowledged()
	l.unanswered -= min(l.unanswered, written)
	l.written(written)
	l.setBase(mine, total)
	return written
}

// foundOthers notes that an event stands for total occurrences, all of them counted by others.
func (l *ledger) foundOthers(total uint64) {
	l.count = uint32(l.counted())
	l.setBase(0, total)
}

func (l *ledger) setBase(mine, total uint64) {
	l.base = uint32(min(total-min(mine, total), math.MaxInt32))
	l.carried = 0
}

// renew makes the ledger that of a new event, which counts the pending occurrences only.
func (l *ledger) renew() {
	l.count, l.base, l.unanswered = uint32(l.counted()), 0, 0
}
