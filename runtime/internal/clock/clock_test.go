package clock_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/event-gen/event-gen/runtime/internal/clock"
)

func TestSystem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, began := clock.Start(), time.Now()
		time.Sleep(time.Hour)
		if now := c.Now(); now.Mono != time.Hour || now.Wall.Sub(began) != time.Hour || strings.Contains(now.Wall.String(), "m=") {
			t.Errorf("an hour later: %+v", now)
		}
	})
}
