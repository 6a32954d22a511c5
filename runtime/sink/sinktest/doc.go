// Package sinktest is a conformance kit for sinks: what a Kubernetes API server answers to valid and invalid writes, and
// what it stores, as a table that any runtime.Sink can be held against.
//
//	func TestConformance(t *testing.T) {
//		sinktest.Run(t, func(t *testing.T) sinktest.Harness { … })
//	}
//
// The expectations are those of kube-apiserver v1.36. The project runs the kit on the in-memory sink and, through package
// kube, on a real server, in the forms of both API groups; where the two forms differ, the table says so.
package sinktest
