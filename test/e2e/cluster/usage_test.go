package cluster

import (
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	got, err := parseStat([]byte("42 (kube) api) S 1 42 42 0 -1 4194560 100 0 0 0 150 25 0 0 20 0 12 0 100 1 2"))
	if want := 1750 * time.Millisecond; err != nil || got != want {
		t.Errorf("got %v, %v; expected %v", got, err, want)
	}
	for _, bad := range []string{"", "42 (etcd) S 1", "42 (etcd) S 1 42 42 0 -1 4194560 100 0 0 0 many 25"} {
		if _, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
