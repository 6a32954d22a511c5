// Package memory stores events in memory, by the rules of a Kubernetes API server.
//
// Sink refuses and stores what kube-apiserver v1.37 refuses and stores: bounds and required
// fields, the fields that an update may change, resource versions and the conflicts they cause,
// namespaces that end. Demonstrations and unit tests need no server with it. One suite of cases,
// package sinktest, runs on Sink and on real servers, so Sink answers as a server would.
//
// Sinks that write to a server are in package kube.
package memory
