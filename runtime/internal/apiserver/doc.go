// Package apiserver interprets an API server's answers about an event, for all sinks: how far the
// cause of each answer reaches, whether the write may be stored, which right is missing, and what
// follows for the choice between the two API groups. The sinks of packages sink, kube and clientgo
// use it. It calls no client.
//
//   - classify.go, rules.go: an answer with a status → sink.Answer. The rules are a table; the
//     first that fits decides.
//   - transport.go: requests without an answer.
//   - rights.go: the right that an authorizer found missing.
//   - redact.go: the part of an answer that may be logged.
//   - groups.go: events.k8s.io/v1, or the core group.
//   - versions.go: resource versions as numbers.
package apiserver
