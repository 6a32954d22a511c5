// Package sink has what a sink implements: the interface, the writes that it gets, and the answers
// that it gives.
//
// Package memory keeps events in memory, package kube writes them to a server, and package sinktest
// tests a sink.
package sink
