package life

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/util/duration"

	eventrt "github.com/event-gen/event-gen/runtime"
)

// Show prints events as kubectl get events does, with their counts, ordered by first occurrence.
// Then it prints the account, in which every occurrence counts once, and the requests that this
// took.
func Show(w io.Writer, events []eventsv1.Event, s eventrt.Stats, now time.Time) {
	slices.SortStableFunc(events, func(a, b eventsv1.Event) int {
		return cmp.Or(first(a).Compare(first(b)), strings.Compare(a.Name, b.Name))
	})
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, "LAST SEEN\tTYPE\tREASON\tOBJECT\tCOUNT\tMESSAGE")
	for _, e := range events {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s/%s\t%d\t%s\n", duration.HumanDuration(now.Sub(last(e))), e.Type, e.Reason,
			strings.ToLower(e.Regarding.Kind), e.Regarding.Name, count(e), e.Note)
	}
	table.Flush()
	fmt.Fprintf(w, "\nrecorded %d = written %d + pending %d + lost %d\n%s created an event, %s raised the count of one.\n",
		s.Recorded, s.Written, s.Pending, s.Lost.Total(), requests(s.Creates), requests(s.Updates))
}

func requests(n uint64) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprint(n, " requests")
}

func first(e eventsv1.Event) time.Time {
	if e.EventTime.IsZero() {
		return e.DeprecatedFirstTimestamp.Time
	}
	return e.EventTime.Time
}

func last(e eventsv1.Event) time.Time {
	switch {
	case e.Series != nil:
		return e.Series.LastObservedTime.Time
	case !e.DeprecatedLastTimestamp.IsZero():
		return e.DeprecatedLastTimestamp.Time
	}
	return e.EventTime.Time
}

func count(e eventsv1.Event) int32 {
	if e.Series != nil {
		return e.Series.Count
	}
	return max(e.DeprecatedCount, 1)
}
