// Package eventfilter decides which events a broadcaster records, by rules that a person writes
// into a flag, an environment variable or a file:
//
//	drop type=Normal; keep reason=Created; drop reason=FailedMount namespace=kube-system; every=5m reason=BackOff
//
// A semicolon or the end of a line ends a rule. A rule begins with drop, keep or every=DURATION;
// every=5m keeps the first event of an object, type and reason, and drops further ones until 5
// minutes have passed since the last that it kept. Conditions follow: type, reason, action, and
// kind, namespace and name of the regarding object. All of a rule must hold; a rule without
// conditions matches every event. The last rule that matches decides. An event that no rule matches
// is recorded.
//
// A * at the end of a value stands for any further text. A value may be quoted as a Go string; one
// with blanks, semicolons or quotes, or an empty one (namespace="" is that of cluster-scoped
// objects), must be. A # at the beginning of a word makes the rest of the line a comment.
//
//	var filter eventfilter.Filter
//	flag.Var(&filter, "event-filter", "which events are recorded")
//	flag.Parse()
//	b, err := broadcaster.New(broadcaster.Options{Sink: kube.Auto(restConfig), Filter: &filter})
//	…
//	err = filter.Watch(ctx, "/etc/widget-controller/event-filter", logger) // unless a flag is enough
package eventfilter
