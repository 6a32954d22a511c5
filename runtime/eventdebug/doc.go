// Package eventdebug shows a broadcaster's state as a page for people and as JSON for programs: the
// account, the filter, the scopes that take no events, the noisiest reasons and objects, the events
// that wait longest, and the last refusals with the rule to add.
//
//	http.Handle("/debug/events", eventdebug.New(b))
//
// The page holds no text of a message, and so no sensitive param. It holds names of objects and the
// server's answers, so serve it only to those who may read events. Package ctrlevents serves it on
// a manager's metrics server.
package eventdebug
