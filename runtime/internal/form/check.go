package form

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/api/validation/path"

	"github.com/event-gen/event-gen/runtime"
)

// Check refuses what can't even be asked of a server: a write without an operation, or whose namespace or name can't
// stand in the path of a URL.
func Check(w *runtime.Write) error {
	if w.Operation != runtime.Create && w.Operation != runtime.Update {
		return fmt.Errorf("a write has no operation (%d)", w.Operation)
	}
	return errors.Join(segment("namespace", w.Namespace), segment("name", w.Name))
}

func segment(what, s string) error {
	if s == "" {
		return fmt.Errorf("the event has no %s", what)
	}
	if problems := path.IsValidPathSegmentName(s); len(problems) > 0 {
		return fmt.Errorf("the event's %s %q %s", what, s, problems[0])
	}
	return nil
}
