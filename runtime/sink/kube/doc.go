// Package kube writes events to a Kubernetes API server. Packages kube and clientgo are the only
// packages of the run time that import client-go.
//
// Auto is the right choice for most controllers: it writes events.k8s.io/v1, and the core group if
// RBAC forbids that. CoreV1 and EventsV1 write through one group only. All three take a rest.Config
// and make a client of their own from a copy of it, so that events neither use up the controller's
// request budget nor wait for it. The constructors that end in Client take existing REST clients,
// with the limits of these clients.
//
// A sink sends one request for each write, and never repeats one. The correlator schedules retries,
// with the current counts. Only an update that follows a lost reply first asks for the event's
// resource version.
//
// A create is sent in the type of rest.Config.ContentType, by default protobuf. Once an answer has
// refused that type, creates are sent as JSON. An update is a JSON merge patch that holds only the
// changes. The sink asks only for the metadata of the reply. Supported servers are Kubernetes 1.35,
// 1.36 and 1.37.
package kube
