package clientgo_test

import (
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"

	"github.com/event-gen/event-gen/runtime/clientgo"
)

// TestAControllerThatNoServerTakes is logged, once, when its recorder is made; the names of the
// core group's components are free.
func TestAControllerThatNoServerTakes(t *testing.T) {
	for name, bad := range map[string]bool{"example.com/widget-controller": false, "widget-controller": false, "": true, "widget controller": true, "a/b/c": true} {
		var logged []string
		logger := funcr.New(func(_, args string) { logged = append(logged, args) }, funcr.Options{})
		clientgo.EventsRecorderOn(nil, nil, name, logger)
		if (len(logged) == 1) != bad || bad && !strings.Contains(logged[0], "no qualified name") {
			t.Errorf("%q: logged %q", name, logged)
		}
	}
}
