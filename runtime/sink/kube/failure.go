package kube

import (
	"errors"
	"fmt"
	"net"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/event-gen/event-gen/runtime"
	"github.com/event-gen/event-gen/runtime/sink/internal/form"
)

// transportAnswer is for requests without an answer. Whether the server got one is known only where no connection came
// about.
func transportAnswer(err error) runtime.Answer {
	return runtime.Answer{Outcome: runtime.Retry, MaybeStored: !isDialError(err), Err: err}
}

func isDialError(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// isNotServed reports a 404 that is not about an event or a namespace: nothing is served at the path.
func isNotServed(err error) bool { return apierrors.IsNotFound(err) }

func notServed(f form.Form, cause error) error {
	return fmt.Errorf("the server does not serve events of %v: %w", f, cause)
}
