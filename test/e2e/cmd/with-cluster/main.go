// Command with-cluster runs a command while a test cluster is up.
//
//	with-cluster [--print-build] -- CMD ARGS…
//	with-cluster --build-only
//
// CMD finds the cluster through KUBECONFIG and the cluster's kubectl first on its PATH. The exit
// code is CMD's own, or 128 plus the signal that ended it; 125 means that with-cluster failed, 126
// that CMD could not be run and 127 that it was not found. An interrupt or SIGTERM is passed on to
// CMD; the cluster is stopped in any case. Progress goes to the standard error.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	cancel()
	os.Exit(code)
}
