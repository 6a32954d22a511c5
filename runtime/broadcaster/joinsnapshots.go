package broadcaster

import "cmp"

// JoinSnapshots makes one snapshot of those of several broadcasters, with at most the given number of each. It is disabled, or ended, if all are.
func JoinSnapshots(most int, all ...Snapshot) (sum Snapshot) {
	reasons := map[reasonKey]*ReasonNoise{}
	for i := range all {
		s := &all[i]
		if i == 0 || s.Time.After(sum.Time) {
			sum.Time = s.Time
		}
		sum.Stats.Add(&s.Stats)
		sum.Disabled = s.Disabled && (i == 0 || sum.Disabled)
		sum.Ended = s.Ended && (i == 0 || sum.Ended)
		sum.Troubles = append(sum.Troubles, s.Troubles...)
		for _, n := range s.Reasons {
			k := reasonKey{n.Type, n.Reason, n.APIVersion, n.Kind}
			if reasons[k] == nil {
				reasons[k] = &ReasonNoise{Type: n.Type, Reason: n.Reason, APIVersion: n.APIVersion, Kind: n.Kind}
			}
			reasons[k].Occurrences += n.Occurrences
			reasons[k].Events += n.Events
		}
		for _, n := range s.Objects {
			sum.Objects = insert(sum.Objects, n, most, louder)
		}
		for _, w := range s.Waiting {
			sum.Waiting = insert(sum.Waiting, w, most, waitsLonger)
		}
		for _, r := range s.Refusals {
			sum.Refusals = insert(sum.Refusals, r, most, func(a, b *Refusal) int { return b.Time.Compare(a.Time) })
		}
	}
	v := view{most: most, reasons: reasons}
	sum.Reasons = v.noisiest()
	return sum
}

func louder(a, b *ObjectNoise) int { return cmp.Compare(b.Occurrences, a.Occurrences) }

func waitsLonger(a, b *Waiting) int { return cmp.Compare(b.For, a.For) }
