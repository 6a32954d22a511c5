// Package sink stores events in memory, by the rules of a Kubernetes API server.
//
// Memory refuses what kube-apiserver v1.36 refuses and stores what it stores: bounds and required fields, what an update
// may change, resource versions and the conflicts they cause, namespaces that end. Demonstrations and unit tests need no
// server with it, and learn nothing from it that a server would not say: one suite of cases, package sinktest, runs on
// Memory and on real servers.
//
// Sinks that write to a server are in package kube.
package sink
