package runtime_test

import (
	"testing"

	"github.com/event-gen/event-gen/runtime"
)

func TestScopesHaveNamesAndContainEachOther(t *testing.T) {
	order := []runtime.Scope{
		runtime.ScopeUnknown, runtime.ScopeWrite, runtime.ScopeObject, runtime.ScopeNamespace, runtime.ScopeGroup, runtime.ScopeServer,
	}
	names := map[string]bool{}
	for i, s := range order {
		if int(s) != i {
			t.Errorf("%v is %d, want %d", s, s, i)
		}
		names[s.String()] = true
	}
	if len(names) != len(order) || runtime.Scope(99).String() != "unknown" {
		t.Errorf("names %v", names)
	}
}
