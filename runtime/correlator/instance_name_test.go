package correlator

import (
	"strings"
	"testing"

	eventrt "github.com/event-gen/event-gen/runtime"
)

func TestInstanceName(t *testing.T) {
	if got := InstanceName("example.com/c", "host-0"); got != "example.com/c-host-0" {
		t.Errorf("got %q", got)
	}
	long := strings.Repeat("h", 200)
	a, b := InstanceName("c", long+"a"), InstanceName("c", long+"b")
	if len(a) != eventrt.MaxReasonBytes || len(b) != eventrt.MaxReasonBytes || a == b {
		t.Errorf("cut to %q and %q", a, b)
	}
}
