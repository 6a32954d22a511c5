// Package kube writes events to a Kubernetes API server. It and package clientgo are the only packages of the run time that
// import client-go.
//
// Auto is what most controllers want: it writes events.k8s.io/v1, and turns to the core group where RBAC forbids that.
// CoreV1 and EventsV1 write through one group only. All three take a rest.Config and make a client of their own from a
// copy of it, so that events never use up the request budget of the controller, nor wait for it. The constructors that
// end in Client take REST clients that exist already, with the limits these have.
//
// A sink sends one request for each write and never repeats one: the correlator schedules, with the counts of then. Only
// an update that follows a lost reply asks for the event's resource version first.
// Creates are sent as protobuf, updates as JSON merge patches that hold only what changes; of the reply only the metadata
// is asked for. Supported servers are Kubernetes 1.34 and later.
package kube
