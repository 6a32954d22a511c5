// Package eventdebug shows what a broadcaster holds, as a page for people and as JSON for programs: the account, which scopes take no
// events, the noisiest reasons and objects, what waits and for how long, and the last refusals with the rule to add.
//
//	http.Handle("/debug/events", eventdebug.Handler(b))
//
// The page holds no text of a message, and so none of a sensitive param. It does hold names of objects, and what the server has
// answered: serve it to those who may read events. Package ctrlevents serves it on a manager's metrics server.
package eventdebug
