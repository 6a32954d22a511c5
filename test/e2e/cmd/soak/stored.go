package main

import (
	"context"
	"fmt"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/event-gen/event-gen/test/e2e/cluster"
)

// stored counts the occurrences that the server's events of all soak namespaces stand for. It asks
// the server itself, past the proxies.
func (s *soak) stored(ctx context.Context) (byKey map[key]int, ofOperator int, err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	byKey = map[key]int{}
	options := metav1.ListOptions{Limit: 2000}
	for {
		list, err := s.clients.EventsV1().Events(metav1.NamespaceAll).List(ctx, options)
		if err != nil {
			return nil, 0, err
		}
		for i := range list.Items {
			e := &list.Items[i]
			if e.Namespace == operatorNamespace {
				ofOperator += cluster.Occurrences(e)
			} else if e.Namespace != metav1.NamespaceDefault {
				byKey[keyOf(e)] += cluster.Occurrences(e)
			}
		}
		if options.Continue = list.Continue; options.Continue == "" {
			return byKey, ofOperator, nil
		}
	}
}

func keyOf(e *eventsv1.Event) key { return key{e.Namespace, e.Regarding.Name, e.Type, e.Reason} }

// isDeletable reports whether events of a namespace are deleted by the soak.
func isDeletable(name string) bool {
	for i := range deletable {
		if namespace(i) == name {
			return true
		}
	}
	return false
}

// compareNowAndThen compares what is stored with what was recorded and acknowledged, until ctx
// ends. While the server is away nothing is compared.
func (s *soak) compareNowAndThen(ctx context.Context) {
	for ctx.Err() == nil {
		wait(ctx, 15*time.Second)
		acked, operatorWrote := s.plain.ackedNow(), s.operator.written()
		stored, ofOperator, err := s.stored(ctx)
		if err != nil {
			continue
		}
		recorded, _ := s.plain.recordedNow()
		s.compare(acked, stored, recorded)
		s.checks.add("occurrences of the operator on the server", float64(ofOperator))
		if ofOperator < operatorWrote {
			s.findings.add(s.since(), "stored", "of the operator %d are stored, and %d were acknowledged before", ofOperator, operatorWrote)
		}
	}
}

// compare holds that the server has what it acknowledged before, unless it was deleted, and not
// more than was recorded until afterwards.
func (s *soak) compare(acked, stored, recorded map[key]int) {
	for k, n := range acked {
		if stored[k] < n && !isDeletable(k.namespace) {
			s.findings.add(s.since(), "stored", "of %v %d are stored, and %d were acknowledged before", k, stored[k], n)
		}
	}
	all := 0
	for k, n := range stored {
		all += n
		if n > recorded[k] {
			s.findings.add(s.since(), "stored", "of %v %d are stored, and %d were recorded", k, n, recorded[k])
		}
	}
	s.checks.add("stored counts", float64(all))
}

// checkEnd ends the broadcaster, and accounts for each occurrence.
func (s *soak) checkEnd() error {
	ctx, cancel := context.WithTimeout(s.ctx, time.Minute)
	defer cancel()
	if err := s.plain.b.Shutdown(ctx); err != nil {
		s.findings.add(s.since(), "end", "Shutdown: %v", err)
	}
	if n := goroutines(); n > 0 {
		s.findings.add(s.since(), "end", "%d goroutines of the broadcaster are left", n)
	}
	stored, ofOperator, err := s.stored(s.ctx)
	if err != nil {
		return fmt.Errorf("what is stored in the end: %w", err)
	}
	s.look()
	recorded, _ := s.plain.recordedNow()
	acked := s.plain.ackedNow()
	s.compare(acked, stored, recorded)
	missing, deleted, elsewhere := 0, 0, 0
	for k, n := range recorded {
		if isDeletable(k.namespace) {
			deleted += n - stored[k]
			elsewhere += n - acked[k] // lost there, at most
		} else {
			missing += n - stored[k]
		}
	}
	is := s.plain.stats()
	least, most := int(is.Lost.Total()-is.Lost.Unacknowledged)-elsewhere, int(is.Lost.Total())
	if missing < least || missing > most {
		s.findings.add(s.since(), "end", "%d occurrences are missing on the server where nothing was deleted, and %d to %d are lost there by the account: %+v", missing, least, most, is.Lost)
	}
	for cause, n := range map[string]uint64{"rejected": is.Lost.Rejected, "evicted": is.Lost.Evicted, "limited": is.Lost.Limited, "disabled": is.Lost.Disabled} {
		if n > 0 {
			s.findings.add(s.since(), "end", "%d occurrences are %s, and nothing did that", n, cause)
		}
	}
	s.accounts = fmt.Sprintf(`| | occurrences |
| --- | ---: |
| recorded | %d |
| written | %d |
| refused: the webhook refused, or a right was missing for over 30 s | %d |
| unacknowledged: a broadcaster was shut down while requests got no answer | %d |
| shutdown: the same, never sent | %d |
| any other cause | %d |
| missing on the server, where nothing was deleted | %d |
| missing in the %d namespaces where events were deleted | %d |
| of these never acknowledged, so that they may be among the lost | %d |
| stored of the operator; acknowledged to its processes by their last accounts | %d; %d |
`, is.Recorded, is.Written, is.Lost.Refused, is.Lost.Unacknowledged, is.Lost.Shutdown, is.Lost.Rejected+is.Lost.Evicted+is.Lost.Limited+is.Lost.Disabled,
		missing, deletable, deleted, elsewhere, ofOperator, s.operator.written())
	return nil
}
