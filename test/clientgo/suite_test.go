package clientgo_test

import (
	"os/exec"
	"testing"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/ktesting"

	// What the drop-in's own tests import, so that this module's go.mod names it.
	_ "github.com/go-logr/logr/funcr"
	_ "github.com/google/go-cmp/cmp"
	_ "go.uber.org/goleak"
	_ "k8s.io/utils/clock/testing"
	_ "pgregory.net/rapid"
)

func log(t *testing.T) klog.Logger { return ktesting.NewLogger(t, ktesting.DefaultConfig) }

// TestSuite runs the tests of runtime/clientgo with this module's client-go: the comparison with
// client-go's own recorders, and its test cases.
func TestSuite(t *testing.T) {
	cmd := exec.Command("go", "test", "-count=1", "github.com/event-gen/event-gen/runtime/clientgo")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
