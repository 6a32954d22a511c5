// Package cluster runs a Kubernetes control plane for tests: a real etcd and a real kube-apiserver
// on the loopback address, with real kubectl beside them.
//
// The programs come from the folder that KUBEBUILDER_ASSETS names, or else are built once from the
// modules in test/servers, which takes some minutes; `with-cluster --build-only` does that ahead of
// time, so that no test runs into its own deadline.
//
// There are no other components. No controller manager means that nothing is garbage collected and
// that a deleted namespace stays terminating; no scheduler and no kubelet means that pods stay
// pending. Authorization is RBAC, so a user other than the administrator may do only what a test
// grants. ServiceAccount admission is off, so pods need no service account.
//
// The servers end with the process that started them, even when it is killed (on Linux), so a test
// binary that dies leaves at most a temporary folder behind. The package needs a Unix system.
package cluster
