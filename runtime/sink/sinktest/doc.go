// Package sinktest is a conformance kit for sinks: a table of valid and invalid writes, of a
// Kubernetes API server's answers to them, and of what it stores. Any sink.Sink can be tested
// against it.
//
//	func TestConformance(t *testing.T) {
//		sinktest.Run(t, func(t *testing.T) sinktest.Harness { … })
//	}
//
// The expectations come from kube-apiserver v1.37. The project runs the kit on the in-memory sink
// and, through package kube, on a real server, in the forms of both API groups. The table names the
// differences between the two forms.
package sinktest
