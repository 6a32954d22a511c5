package cluster

import eventsv1 "k8s.io/api/events/v1"

// Occurrences is how many occurrences a stored event stands for, whichever API group it was written
// through.
func Occurrences(e *eventsv1.Event) int {
	switch {
	case e.Series != nil:
		return int(e.Series.Count)
	case e.DeprecatedCount > 0:
		return int(e.DeprecatedCount)
	}
	return 1
}
