// Package faults is a proxy that stands between a client and a real kube-apiserver and does to
// their requests what networks, load balancers and servers in trouble do: it delays, resets, hangs,
// answers in the server's place, breaks off bodies, and loses the reply to a write that was
// applied.
//
// It speaks HTTP/2 over TLS to both sides, so that what a client of client-go does with a fault is
// what it does in a cluster. What happens is written as a script of steps, each for a number of
// requests or a stretch of time; what is left to chance comes from a seed.
package faults
