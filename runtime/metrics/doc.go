// Package metrics exposes the account of a broadcaster to Prometheus.
//
//	collector, err := metrics.New(b, metrics.Options{Definitions: widgetevents.Definitions()})
//	…
//	prometheus.MustRegister(collector)
//
// The counts of one scrape belong together: event_gen_events_recorded_total is the sum of
// event_gen_events_written_total, event_gen_events_pending and all causes of
// event_gen_events_lost_total. Labels take only values from the program's own code and catalogs.
// Forwarded reasons count as "other".
//
// Look at these first:
//
//	rate(event_gen_events_lost_total{cause!="disabled"}[5m]) > 0   something is wrong; the cause names it
//	event_gen_events_pending                                       rises while the API server takes no events
//	rate(event_gen_write_retries_total[5m])                        likewise
//
// If a program has several broadcasters, tell them apart by a label:
// prometheus.WrapRegistererWith(prometheus.Labels{"broadcaster": "jobs"}, registerer).
package metrics
