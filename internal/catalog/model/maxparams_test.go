package model

import (
	"testing"

	"github.com/event-gen/event-gen/internal/catalog"
	eventrt "github.com/event-gen/event-gen/runtime"
)

// The reader does not import the run time, but has the same bound.
func TestMaxParams(t *testing.T) {
	if catalog.MaxParams != eventrt.MaxParams {
		t.Errorf("the reader says %d, the run time %d", catalog.MaxParams, eventrt.MaxParams)
	}
}
