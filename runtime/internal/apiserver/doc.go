// Package apiserver is the one home of what an API server's answers mean for an event: how far the cause of each reaches,
// whether the write may be stored, which right is missing, and what follows for the choice between the two API groups and
// for updates without a resource version. The sinks of packages sink, kube and clientgo all go by it. It calls no client.
//
//   - classify.go, rules.go: an answer with a status → runtime.Answer. The rules are a table; the first that fits decides.
//   - transport.go: requests without an answer.
//   - rights.go: what an authorizer found missing.
//   - redact.go: what of an answer may be logged.
//   - groups.go: events.k8s.io/v1, or the core group.
//   - versions.go: the version that an update is made to.
package apiserver
